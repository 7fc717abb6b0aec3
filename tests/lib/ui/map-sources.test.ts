import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addSources, pointShapes, pointsAddress, pointsFile, shapesAddress } from "#components/ui/map-sources.mjs";

type Place = [longitude: number, latitude: number];
type Load = (asked: { url: string }, abort: AbortController) => Promise<{ data: object }>;

const columns = (places: Place[], looks = 2) => ({
  xs: Int32Array.from(places, ([x]) => Math.round(x * 1e6)),
  ys: Int32Array.from(places, ([, y]) => Math.round(y * 1e6)),
  statuses: Uint8Array.from(places, (_, at) => at % looks),
});
const five: Place[] = [
  [0, 0],
  [2, -0.000001],
  [-179.999999, 2],
  [0, 2],
  [1, 1],
];
const feature = (properties: object, coordinates: Place[]) => ({
  type: "Feature",
  properties,
  geometry: { type: "MultiPoint", coordinates },
});

describe("what the map's worker reads", () => {
  let protocols: Map<string, Load>;
  let addresses: string[] = [];
  beforeEach(() => {
    protocols = new Map();
    addSources({ addProtocol: (name: string, load: Load) => protocols.set(name, load) });
  });
  afterEach(() => {
    for (const address of addresses) URL.revokeObjectURL(address);
    addresses = [];
  });
  const keep = (file: Blob) => {
    const address = URL.createObjectURL(file);
    addresses.push(address);
    return address;
  };
  const load = async (url: string, abort = new AbortController()) => {
    // As the library does: an address is made whole before it is handed on.
    const whole = new URL(url).href;
    return (await protocols.get(whole.slice(0, whole.indexOf("://")))!({ url: whole }, abort)).data as {
      type: string;
      features: { properties: object; geometry: { coordinates: Place[] } }[];
    };
  };

  it("is a feature for each look that has points", async () => {
    const read = await load(pointsAddress(keep(pointsFile(columns(five))), [{ s: 0 }, { s: 1, p: 1 }, { s: 2, name: "a&b=c?#%" }]));
    expect(read.features).toEqual([feature({ s: 0 }, [five[0]!, five[2]!, five[4]!]), feature({ s: 1, p: 1 }, [five[1]!, five[3]!])]);
    const all = await load(pointsAddress(keep(pointsFile(columns(five, 3))), [{ s: 0 }, { s: 1 }, { s: 2, name: "a&b=c?#%" }]));
    expect(all.features[2]).toEqual(feature({ s: 2, name: "a&b=c?#%" }, [five[2]!]));
  });

  it("is every point, and nothing of a look nobody knows or where there are none", async () => {
    const many = Array.from({ length: 80_000 }, (_, at): Place => [(at % 360) - 180, (at % 170) - 85]);
    const read = pointShapes(await pointsFile(columns(many)).arrayBuffer(), [{ s: 0 }]);
    expect(read.features.map(({ geometry }) => geometry.coordinates.length)).toEqual([40_000]);
    expect(pointShapes(await pointsFile(columns([])).arrayBuffer(), [{ s: 0 }]).features).toEqual([]);
  });

  it("stays with the worker: what can be enumerated of it, and is sent back to the page, is its kind alone", async () => {
    const outline = { type: "MultiLineString", coordinates: [five] };
    const file = keep(new Blob([JSON.stringify(outline)]));
    for (const url of [shapesAddress(file), pointsAddress(keep(pointsFile(columns(five))), [{ s: 0 }, { s: 1 }])]) {
      expect(Object.keys(await load(url))).toEqual(["type"]);
    }
    expect(await load(shapesAddress(file))).toMatchObject(outline);
  });

  it("is refused where the file is gone, and given up when it is no longer wanted", async () => {
    const file = keep(pointsFile(columns(five)));
    const given = AbortSignal.abort();
    await expect(load(pointsAddress(file, [{}]), { signal: given, abort: () => {} })).rejects.toThrow(/abort/i);
    URL.revokeObjectURL(file);
    await expect(load(pointsAddress(file, [{}]))).rejects.toThrow();
  });
});
