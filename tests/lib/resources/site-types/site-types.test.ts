import { beforeAll, describe, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { callAs } from "#tests/support/call.ts";
import { useDatabase } from "#tests/support/database.ts";
import { makeMember, makeProject } from "#tests/support/factories.ts";

const db = useDatabase();
let project: { id: number; number: string };
let pm: CtxUser;

beforeAll(async () => {
  project = await makeProject(db.app);
  pm = await makeMember(db.app, project.id, "PM");
});

const call = (address: string, input: unknown = {}) => callAs(pm, address, input, { project: project.number });
const part = (dimension: string, name: string, percentage: number) => ({ dimension, name, percentage });
const find = async () =>
  (await call("siteType/find")).data as {
    dimensions: { id: number; name: string }[];
    types: { id: number; name: string; rowVersion: number; subs: unknown[] }[];
  };
const mix = [
  part("Scenario", "Urban", 33.34),
  part("Scenario", "Rural", 33.33),
  part("Scenario", "Indoor", 33.33),
  part("Power", "Grid", 100),
];

describe("siteType", () => {
  it("keeps types with parts by dimension whose percentages sum to 100 each [RES-15] [RES-35]", async () => {
    const dimensions = [{ name: "Scenario" }, { name: "Power" }];
    expect((await call("siteType/save", { dimensions, base: [], types: [{ name: "Macro", subs: mix }] })).status).toBe(200);
    expect((await find()).types).toMatchObject([{ name: "Macro", subs: mix }]);
    const wrong = [part("Scenario", "Urban", 33.33), part("Scenario", "Rural", 33.33), part("Scenario", "Indoor", 33.33)];
    expect(await call("siteType/save", { types: [{ name: "Micro", subs: wrong }] })).toMatchObject({
      status: 422,
      code: "PERCENT_SUM",
      problems: [{ path: "types.0.subs", params: { sum: "99.99" } }],
    });
    expect((await call("siteType/save", { types: [{ name: "Micro", subs: [part("Scenario", "Urban", 100.01)] }] })).status).toBe(400);
    expect((await call("siteType/save", { types: [{ name: "Micro", subs: [part("Access", "Road", 100)] }] })).status).toBe(404);
  });

  it("takes at most four dimensions and brings them into another order [RES-36]", async () => {
    const { dimensions: base } = await find();
    const [first, second] = base;
    const four = [second, first, { name: "Access" }, { name: "Tower" }];
    expect(await call("siteType/save", { dimensions: [...four, { name: "Fifth" }], base })).toMatchObject({
      status: 422,
      code: "TOO_MANY_DIMENSIONS",
    });
    expect((await call("siteType/save", { dimensions: four, base })).status).toBe(200);
    const { dimensions: present } = await find();
    expect(present.map(({ name }) => name)).toEqual(["Power", "Scenario", "Access", "Tower"]);
    const access = { dimensions: [{ name: "Access" }], base: present };
    expect(await call("siteType/save", access)).toMatchObject({ status: 422, code: "IN_USE" });
  });

  it("refuses dimensions that were made upon others than there are", async () => {
    const { dimensions } = await find();
    const fewer = dimensions.filter(({ name }) => name !== "Tower");
    const renamed = dimensions.map((dimension) => (dimension.name === "Tower" ? { ...dimension, name: "Mast" } : dimension));
    for (const base of [[], fewer, renamed, dimensions.toReversed()])
      expect(await call("siteType/save", { dimensions: fewer, base })).toMatchObject({ status: 409, code: "STALE" });
    expect(await call("siteType/save", { dimensions: fewer })).toMatchObject({
      status: 400,
      problems: [{ path: "base", code: "VALUE_MISSING" }],
    });
    expect((await find()).dimensions).toEqual(dimensions);
  });

  it("takes at most ten types, with names that are given, single and at most 200 characters long [RES-34] [RES-36]", async () => {
    const type = (name: string) => ({ name, subs: [] });
    expect(await call("siteType/save", { types: [type("")] })).toMatchObject({ status: 400, problems: [{ code: "NAME_REQUIRED" }] });
    expect(await call("siteType/save", { types: [type("n".repeat(201))] })).toMatchObject({
      status: 400,
      problems: [{ code: "NAME_TOO_LONG" }],
    });
    expect(await call("siteType/save", { types: [type("macro")] })).toMatchObject({ status: 422, code: "NAME_EXISTS" });
    const nine = [..."bcdefghi"].map(type).concat(type("n".repeat(200)));
    expect(await call("siteType/save", { types: [...nine, type("eleventh")] })).toMatchObject({ status: 422, code: "TOO_MANY_SITE_TYPES" });
    expect((await call("siteType/save", { types: nine })).status).toBe(200);
    expect(await call("siteType/save", { types: [type("eleventh")] })).toMatchObject({ status: 422, code: "TOO_MANY_SITE_TYPES" });
  });

  it("changes the revision that was read, and goes with its parts", async () => {
    const { types } = await find();
    const macro = types.find(({ name }) => name === "Macro")!;
    const change = { id: macro.id, name: "Macro site", subs: [part("Power", "Solar", 100)], rowVersion: macro.rowVersion };
    expect((await call("siteType/save", { types: [change] })).status).toBe(200);
    expect(await call("siteType/save", { types: [change] })).toMatchObject({ status: 409, code: "STALE" });
    expect((await call("siteType/delete", { ids: [macro.id] })).status).toBe(200);
    expect(await call("siteType/delete", { ids: [macro.id] })).toMatchObject({ status: 404 });
  });
});
