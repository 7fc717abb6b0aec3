import { beforeAll, describe, expect, test } from "vitest";
import { blankDay } from "#lib/attributes/columns/limits.ts";
import { readAttributeColumns } from "#lib/attributes/columns/queries.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject } from "../../../support/factories.ts";
import { inProject } from "../../../support/plan-ctx.ts";
import { makeAttribute, makeDus } from "../../../support/plan-factories.ts";

const db = useDatabase();
let project: { id: number; number: string };
let pm: CtxUser;
const ids: Record<string, number> = {};
const dus: number[] = [];

const types = ["TEXT", "NUMBER", "DATE", "TIME", "DATETIME", "ENUM", "LOOKUP_ENUM", "LONG_TEXT", "TEXT_AREA", "READ_ONLY"] as const;
const good = ["North", 12.5, "2000-01-03", "08:30", "2000-01-02T00:00:01", "77", "9", "long", "area", "read"];

beforeAll(async () => {
  project = await makeProject(db.owner);
  pm = await makeMember(db.owner, project.id, "PM");
  for (const type of types) ids[type] = (await makeAttribute(db.owner, project.id, { type })).id;
  ids.activity = (await makeAttribute(db.owner, project.id, { type: "TEXT", level: "ACTIVITY" })).id;
  const [foreign] = [await makeProject(db.owner)];
  ids.foreign = (await makeAttribute(db.owner, foreign.id)).id;
  dus.push(...(await makeDus(db.owner, project.id, [{}, {}, {}])));
  const put = (du: number, ext: object) => db.owner`update du set ext = ${db.owner.json(ext as never)} where id = ${du}`;
  await put(dus[0]!, { ...Object.fromEntries(types.map((type, at) => [`a${ids[type]}`, good[at]])), [`a${ids.activity}@3`]: "of three" });
  // No value of its type: what no longer parses reads as blank.
  await put(dus[1]!, {
    [`a${ids.NUMBER}`]: "many",
    [`a${ids.DATE}`]: "2025-02-29",
    [`a${ids.TIME}`]: "24:00",
    [`a${ids.DATETIME}`]: "2025-01-01",
    [`a${ids.TEXT}`]: "North",
  });
  // The day from which days are counted is a day as any other.
  await put(dus[2]!, { [`a${ids.DATE}`]: "2000-01-01" });
});

const read = (asked: Parameters<typeof readAttributeColumns>[2], scope?: number[]) =>
  inProject(pm, project.number, (ctx) => readAttributeColumns(ctx, scope ?? ctx.sql`true`, asked));

describe("attributes as columns", () => {
  test("every type is one typed column in the order of the DUs, blank where there is no value of the type [ATT-06]", async () => {
    const { duIds, columns } = await read(types.map((type) => ids[type] as number));
    expect(duIds).toEqual(dus);
    const column = (type: string) => {
      const { values, ...rest } = columns.get(`a${ids[type]}`)!;
      return { values: [...values], ...rest };
    };
    expect(column("TEXT")).toEqual({ kind: "codes", values: [1, 1, 0], texts: [null, "North"] });
    expect(column("NUMBER")).toEqual({ kind: "numbers", values: [12.5, Number.NaN, Number.NaN] });
    expect(column("DATE")).toEqual({ kind: "days", values: [2, blankDay, 0] });
    expect(column("TIME")).toEqual({ kind: "minutes", values: [510, -1, -1] });
    expect(column("DATETIME")).toEqual({ kind: "seconds", values: [86_401, Number.NaN, Number.NaN] });
    for (const [at, type] of types.entries())
      if (at >= 5) expect(column(type)).toEqual({ kind: "codes", values: [1, 0, 0], texts: [null, good[at]] });
  });

  test("an attribute of activities is asked per slot; DUs may be named; what does not exist is left out", async () => {
    const asked = [{ id: ids.activity as number, slot: 3 }, { id: ids.activity as number, slot: 4 }, ids.foreign as number];
    const { duIds, columns } = await read(asked, [dus[0]!, dus[2]!]);
    expect(duIds).toEqual([dus[0], dus[2]]);
    expect([...columns.keys()]).toEqual([`a${ids.activity}@3`, `a${ids.activity}@4`]);
    expect([...columns.get(`a${ids.activity}@3`)!.values]).toEqual([1, 0]);
    expect([...columns.get(`a${ids.activity}@4`)!.values]).toEqual([0, 0]);
    expect((await read([])).duIds).toEqual(dus);
  });
});
