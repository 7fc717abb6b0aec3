import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { dropRefs, queueRechecks, replaceRefs } from "#lib/attributes/config-refs/commands.ts";
import type { TargetKind } from "#lib/attributes/config-refs/limits.ts";
import type { ConfigRef } from "#lib/attributes/config-refs/logic.ts";
import { listHolders } from "#lib/attributes/config-refs/queries.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject } from "../../../support/factories.ts";
import { inProject } from "../../../support/plan-ctx.ts";
import { makeAttribute } from "../../../support/plan-factories.ts";

const db = useDatabase();
let project: { id: number; number: string };
let other: { id: number; number: string };
let pm: CtxUser;

beforeAll(async () => {
  project = await makeProject(db.owner);
  other = await makeProject(db.owner);
  pm = await makeMember(db.owner, project.id, "PM");
});

async function makeTemplate(name: string, projectId = project.id): Promise<number> {
  const [row] = await db.owner<{ id: number }[]>`
    insert into template (project_id, kind, object_type, name, is_public, owner_id, body, updated_at)
    values (${projectId}, 'plan', 'site', ${name}, true, ${pm.id}, '{}', now()) returning id`;
  return row!.id;
}
const write = (id: number, refs: ConfigRef[], number = project.number) =>
  inProject(pm, number, (ctx) => replaceRefs(ctx, "TEMPLATE", id, refs));
const stored = async (id: number) =>
  (
    await db.owner`select target_kind, target_id, usage from config_ref where holder_kind = 'TEMPLATE' and holder_id = ${id} order by 1, 2, 3`
  ).map((row) => `${row.target_kind} ${row.target_id} ${row.usage}`);
const holders = (kind: ConfigRef["kind"], ids: number[], number = project.number) =>
  inProject(pm, number, async (ctx) =>
    (await listHolders(ctx, kind, ids)).map(({ targetId, name, usage }) => `${targetId} ${name} ${usage}`),
  );

describe("what an object names", () => {
  test("is replaced as a whole, each use once", async () => {
    const id = await makeTemplate("Whole");
    await write(id, [
      { kind: "FLOW", id: 7, usage: "TARGET" },
      { kind: "ATTRIBUTE", id: 7, usage: "CONDITION" },
      { kind: "ATTRIBUTE", id: 7, usage: "CONDITION" },
      { kind: "ATTRIBUTE", id: 7, usage: "SOURCE" },
    ]);
    expect(await stored(id)).toEqual(["ATTRIBUTE 7 CONDITION", "ATTRIBUTE 7 SOURCE", "FLOW 7 TARGET"]);
    await write(id, [
      { kind: "ATTRIBUTE", id: 7, usage: "SOURCE" },
      { kind: "REGION", id: 8, usage: "CONDITION" },
    ]);
    expect(await stored(id)).toEqual(["ATTRIBUTE 7 SOURCE", "REGION 8 CONDITION"]);
    await write(id, []);
    expect(await stored(id)).toEqual([]);
  });

  test("of deleted objects is forgotten, of others not", async () => {
    const [gone, stays] = [await makeTemplate("Gone"), await makeTemplate("Stays")];
    for (const id of [gone, stays]) await write(id, [{ kind: "FLOW", id: 71, usage: "TARGET" }]);
    await inProject(pm, project.number, (ctx) => dropRefs(ctx, "TEMPLATE", [gone]));
    expect(await holders("FLOW", [71])).toEqual(["71 Stays TARGET"]);
  });
});

describe("who names a thing", () => {
  test("is told by name, for the asked things and kind only", async () => {
    const [north, south] = [await makeTemplate("North"), await makeTemplate("South")];
    await write(north, [
      { kind: "ACTIVITY", id: 51, usage: "COLUMN" },
      { kind: "ACTIVITY", id: 52, usage: "COLUMN" },
      { kind: "FLOW", id: 51, usage: "FILTER" },
    ]);
    await write(south, [{ kind: "ACTIVITY", id: 51, usage: "FILTER" }]);
    expect(await holders("ACTIVITY", [51, 52])).toEqual(["51 North COLUMN", "51 South FILTER", "52 North COLUMN"]);
    expect(await holders("FLOW", [51, 52])).toEqual(["51 North FILTER"]);
    expect(await holders("ACTIVITY", [])).toEqual([]);
  });

  test("of another project is nobody", async () => {
    const id = await makeTemplate("Ours");
    await write(id, [{ kind: "REGION", id: 61, usage: "FILTER" }]);
    expect(await holders("REGION", [61], other.number)).toEqual([]);
    await inProject(pm, other.number, (ctx) => dropRefs(ctx, "TEMPLATE", [id]));
    expect(await stored(id)).toEqual(["REGION 61 FILTER"]);
  });

  test("is not an object that is gone", async () => {
    const id = await makeTemplate("Vanishing");
    await write(id, [{ kind: "REGION", id: 62, usage: "FILTER" }]);
    await db.owner`delete from template where id = ${id}`;
    expect(await holders("REGION", [62])).toEqual([]);
  });
});

test("values of lists that were indexed as choices are told apart by the attributes their holders name", async () => {
  const [list] = await db.owner<{ id: number; value: number }[]>`
    with l as (insert into lookup_list (project_id, code, updated_at) values (${project.id}, 'Old', now()) returning id)
    insert into lookup_value (list_id, value, sort_no) select id, 'One', 1 from l returning list_id as id, id as value`;
  const lookup = await makeAttribute(db.owner, project.id, { type: "LOOKUP_ENUM" });
  const own = await makeAttribute(db.owner, project.id, { type: "ENUM", enums: ["Same id"] });
  await db.owner`update attribute set lookup_list_id = ${list!.id} where id = ${lookup.id}`;
  const value = 8_000_001;
  await db.owner`insert into lookup_value (id, list_id, value, sort_no) overriding system value values (${value}, ${list!.id}, 'Two', 2)`;
  await db.owner`insert into attribute_enum (id, attribute_id, value) overriding system value values (${value}, ${own.id}, 'Two')`;
  const [byList, byChoice, byBoth] = [await makeTemplate("List"), await makeTemplate("Choice"), await makeTemplate("Both")];
  const ref = (kind: TargetKind, id: number) => ({ kind, id, usage: "CONDITION" as const });
  await write(byList, [ref("ATTRIBUTE", lookup.id), ref("ENUM_VALUE", value)]);
  await write(byChoice, [ref("ATTRIBUTE", own.id), ref("ENUM_VALUE", value)]);
  await write(byBoth, [ref("ATTRIBUTE", lookup.id), ref("ATTRIBUTE", own.id), ref("ENUM_VALUE", value)]);
  await db.owner.unsafe(await readFile("db/migrations/0295_tell_lookup_values.sql", "utf8"));
  const choices = async (id: number) => (await stored(id)).filter((text) => text.includes("VALUE"));
  expect(await choices(byList)).toEqual([`LOOKUP_VALUE ${value} CONDITION`]);
  expect(await choices(byChoice)).toEqual([`ENUM_VALUE ${value} CONDITION`]);
  expect((await choices(byBoth)).sort()).toEqual([`ENUM_VALUE ${value} CONDITION`, `LOOKUP_VALUE ${value} CONDITION`]);
});

describe("a change of what is named", () => {
  test("queues one task for each kind of object that is judged by one, and none where nothing is named", async () => {
    const rule = await inProject(pm, project.number, async (ctx) => {
      await replaceRefs(ctx, "FLOW_RULE", 901, [{ kind: "ENUM_VALUE", id: 31, usage: "CONDITION" }]);
      await replaceRefs(ctx, "FLOW_RULE", 902, [{ kind: "ENUM_VALUE", id: 32, usage: "CONDITION" }]);
      await replaceRefs(ctx, "TEMPLATE", 903, [{ kind: "ENUM_VALUE", id: 31, usage: "FILTER" }]);
      expect(await queueRechecks(ctx, "ENUM_VALUE", [33])).toEqual([]);
      expect(await queueRechecks(ctx, "ATTRIBUTE", [31])).toEqual([]);
      return queueRechecks(ctx, "ENUM_VALUE", [31, 32]);
    });
    expect(rule).toHaveLength(1);
    const [task] = await db.owner<{ kind: string; params: unknown }[]>`select kind, params from task where id = ${rule[0]!}`;
    expect(task).toEqual({
      kind: "activityFlows.recheck",
      params: { holderIds: [901, 902], targetKind: "ENUM_VALUE", targetIds: [31, 32] },
    });
  });
});
