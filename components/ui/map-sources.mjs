// What the worker of the map reads its sources from. It runs in that worker as it stands here (`scripts/map-files.mjs` puts it beside the library's), so it
// is written for the browser and imports nothing.

/** Points are told in millionths of a degree. */
export const degree = 1_000_000;
const bytesPerPoint = 9;

const address = (protocol, given) => `${protocol}://?${new URLSearchParams(given)}`;
const givenIn = (url) => new URLSearchParams(url.slice(url.indexOf("?")));

/** The points in the bytes the worker reads: all longitudes, all latitudes, all looks. */
export const pointsFile = ({ xs, ys, statuses }) => new Blob([xs, ys, statuses]);

/**
 * Address under which the worker finds points.
 * @param file address of the bytes of `pointsFile`
 * @param properties what the map is told of a point, by its look
 */
export const pointsAddress = (file, properties) => address("points", { file, properties: JSON.stringify(properties) });

/** Address under which the worker finds a GeoJSON file. @param file its own address */
export const shapesAddress = (file) => address("shapes", { file });

/**
 * The points as GeoJSON. Points of a look are one feature and share what is said of them: a feature for each takes the worker four times as long to read.
 * @param bytes what `pointsFile` made
 */
export function pointShapes(bytes, properties) {
  const count = bytes.byteLength / bytesPerPoint;
  const xs = new Int32Array(bytes, 0, count);
  const ys = new Int32Array(bytes, count * 4, count);
  const looks = new Uint8Array(bytes, count * 8, count);
  const places = properties.map(() => []);
  for (let at = 0; at < count; at++) places[looks[at]]?.push([xs[at] / degree, ys[at] / degree]);
  const features = properties.map((said, look) => ({
    type: "Feature",
    properties: said,
    geometry: { type: "MultiPoint", coordinates: places[look] },
  }));
  return { type: "FeatureCollection", features: features.filter((_, look) => places[look].length > 0) };
}

/**
 * Shapes that stay with whoever holds them: what the worker has read from an address the library sends back to the page, whose thread then takes it apart and
 * never needs it. It sends what can be enumerated.
 */
export function staying(shapes) {
  const held = Object.entries(shapes).map(([name, value]) => [name, { value, enumerable: name === "type" }]);
  return Object.defineProperties({}, Object.fromEntries(held));
}

/** Teaches the worker of the map both kinds of address. */
export function addSources(worker) {
  const read = async (url, signal) => {
    const answer = await fetch(url, { signal });
    if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
    return answer;
  };
  worker.addProtocol("points", async ({ url }, { signal }) => {
    const given = givenIn(url);
    const bytes = await (await read(given.get("file"), signal)).arrayBuffer();
    return { data: staying(pointShapes(bytes, JSON.parse(given.get("properties")))) };
  });
  worker.addProtocol("shapes", async ({ url }, { signal }) => {
    return { data: staying(await (await read(givenIn(url).get("file"), signal)).json()) };
  });
}
