import { beforeAll, describe, expect, test } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { compileConditions, holdConditions } from "#lib/plan-rules/conditions/logic.ts";
import { listConditionObjects, readAttributeStates, readConditionBlock } from "#lib/plan-rules/conditions/queries.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject, makeRegion, makeSubcontractor } from "../../../support/factories.ts";
import { inProject } from "../../../support/plan-ctx.ts";
import { makeAttribute, makeDus } from "../../../support/plan-factories.ts";

const db = useDatabase();
let project: { id: number; number: string };
let pm: CtxUser;
let region: number;
let attributes: Record<"text" | "number" | "date" | "choice" | "hidden" | "activity", Awaited<ReturnType<typeof makeAttribute>>>;

beforeAll(async () => {
  project = await makeProject(db.owner);
  pm = await makeMember(db.owner, project.id, "PM");
  region = await makeRegion(db.owner, project.id, "North");
  await makeSubcontractor(db.owner, project.id);
  attributes = {
    text: await makeAttribute(db.owner, project.id, { name: "Tower type" }),
    number: await makeAttribute(db.owner, project.id, { name: "Height", type: "NUMBER" }),
    date: await makeAttribute(db.owner, project.id, { name: "Permit", type: "DATE" }),
    choice: await makeAttribute(db.owner, project.id, { name: "Scenario", type: "ENUM", enums: ["Rooftop", "Field"] }),
    hidden: await makeAttribute(db.owner, project.id, { name: "Not shown" }),
    activity: await makeAttribute(db.owner, project.id, { name: "Of an activity", level: "ACTIVITY" }),
  };
  await db.owner`update attribute set in_rollout_plan = false where id = ${attributes.hidden.id}`;
});

const objects = () => inProject(pm, project.number, async (ctx) => new Map((await listConditionObjects(ctx)).map((one) => [one.key, one])));

describe("what conditions can look at", () => {
  test("is the fields of a DU and its shown attributes, with the choices there are", async () => {
    const all = await objects();
    expect(all.get("du.code")).toMatchObject({ type: "text", title: "DU ID" });
    expect(all.get("du.region")).toMatchObject({ type: "choice", choices: [{ value: String(region), title: "North" }] });
    expect(all.get("du.workType")?.choices?.map(({ value }) => value)).toEqual(["install", "dismantle"]);
    expect(all.get(attributes.choice.key)?.choices?.map(({ title }) => title)).toEqual(["Rooftop", "Field"]);
    expect([attributes.text, attributes.number, attributes.date].map(({ key }) => all.get(key)?.type)).toEqual(["text", "number", "date"]);
    for (const key of [attributes.hidden.key, attributes.activity.key, "du.status", "du.flow", "du.planEndDate"])
      expect(all.has(key), key).toBe(false);
  });

  test("tells what became of attributes, those of other projects not at all", async () => {
    const other = await makeProject(db.owner);
    const foreign = await makeAttribute(db.owner, other.id);
    const ids = [attributes.number.id, attributes.hidden.id, attributes.activity.id, foreign.id];
    const states = await inProject(pm, project.number, (ctx) => readAttributeStates(ctx, ids));
    expect(states.get(attributes.number.key)).toEqual({ name: "Height", type: "number", shown: true, deleted: false });
    expect(states.get(attributes.hidden.key)).toMatchObject({ shown: false });
    expect(states.get(attributes.activity.key)).toMatchObject({ shown: false });
    expect(states.has(foreign.key)).toBe(false);
  });
});

describe("values of DUs", () => {
  test("are read for every object there is, in the order of the DUs and in parts", async () => {
    const { text, number, choice } = attributes;
    const dus = await makeDus(db.owner, project.id, [
      { code: "A", regionId: region, ext: { [text.key]: "Mast", [number.key]: 30, [choice.key]: String(choice.enumIds[0]) } },
      { code: "B", ext: { [number.key]: "tall" } },
      { code: "C" },
    ]);
    const all = await objects();
    const read = (after: number, limit: number) =>
      inProject(pm, project.number, (ctx) =>
        readConditionBlock(ctx, [...all.keys(), "a999999"], all, { within: ctx.sql`du.id = any(${dus}::bigint[])`, after, limit }),
      );
    const block = await read(0, 2);
    expect(block.duIds).toEqual(dus.slice(0, 2));
    expect(block.regionIds).toEqual([region, null]);
    expect(block.columns.size).toBe(all.size);
    const valuesOf = (key: string) => [...block.columns.get(key)!.codes].map((code) => block.columns.get(key)!.values[code]);
    expect(valuesOf("du.code")).toEqual(["a", "b"]);
    expect(valuesOf("du.region")).toEqual([String(region), null]);
    expect(valuesOf(text.key)).toEqual(["mast", null]);
    expect(valuesOf(number.key)).toEqual([30, null]);
    expect(valuesOf(choice.key)).toEqual([String(choice.enumIds[0]), null]);
    expect((await read(dus[1]!, 2)).duIds).toEqual([dus[2]]);
    const tall = compileConditions(
      [{ open: 0, object: { k: "ATTR", key: number.key }, operator: "ge", values: [20], close: 0, logic: null }],
      all,
    );
    expect([...holdConditions(tall, block.columns, 2)]).toEqual([1, 0]);
  });
});
