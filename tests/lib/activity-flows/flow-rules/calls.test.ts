import { beforeEach, describe, expect, test } from "vitest";
import { recheckFlowRules } from "#lib/activity-flows/flow-rules/commands.ts";
import { callAs } from "../../../support/call.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject } from "../../../support/factories.ts";
import { inProject } from "../../../support/plan-ctx.ts";
import { makeAttribute } from "../../../support/plan-factories.ts";
import { done, makeDraft, makeFlow } from "../make-flow.ts";
import { useRuleProject } from "./make-rules.ts";

const db = useDatabase();
const { at, call, clear, enable, isRooftop, list, make } = useRuleProject(db);
beforeEach(clear);

const problems = (answer: { problems?: { path: string; code: string }[] }) => answer.problems?.map(({ path, code }) => `${path} ${code}`);
const statusOf = async (id: number) => {
  const row = (await list()).find((rule: { id: number }) => rule.id === id);
  return row && [row.status, row.invalidReason];
};
const mails = async () =>
  db.owner<{ subject: string; to: number; text: string }[]>`
    select b.subject, m.to_user_id as to, b.text from mail_outbox m join mail_body b on b.id = m.body_id where m.project_id = ${at.id} and m.kind = 'flowRule.invalid' order by m.id`;

describe("duFlowRule/save [FLW-03] [FLW-12]", () => {
  test("stores name, flow, region, priority and conditions; a new rule is not in force", async () => {
    const conditions = [
      { ...isRooftop(), open: 1, close: 0, logic: "OR" },
      { object: { k: "DU", f: "code" }, operator: "startsWith", values: ["X"], open: 0, close: 1, logic: null },
    ];
    const made = await make("Roofs of the north", { flowId: at.rooftop.id, regionId: at.north, priority: 7, conditions });
    expect(made).toMatchObject({ priority: 7, rowVersion: 1 });
    expect((await list())[0]).toMatchObject({
      name: "Roofs of the north",
      flowName: "R",
      regionName: "North",
      priority: 7,
      status: "invalid",
      invalidReason: "DISABLED",
      conditions: [{ type: "choice" }, { type: "text", values: ["X"] }],
      faults: [],
      executing: false,
      duCount: 0,
    });
    const changed = await done(
      call("duFlowRule/save", { id: made.id, rowVersion: 1, name: "Roofs", flowId: at.standard.id, conditions: [] }),
    );
    expect(changed).toMatchObject({ priority: 7, rowVersion: 2 });
    expect((await list())[0]).toMatchObject({ name: "Roofs", flowName: "S", regionName: null, conditions: [] });
    const stale = await call("duFlowRule/save", { id: made.id, rowVersion: 1, name: "Late", flowId: at.standard.id });
    expect(stale).toMatchObject({ status: 409, code: "STALE" });
  });

  test("gives the next priority where none is typed, the first free one when the last is taken", async () => {
    expect((await make("One")).priority).toBe(1);
    expect((await make("Last", { priority: 500 })).priority).toBe(500);
    expect((await make("Between")).priority).toBe(2);
  });

  test.each([
    ["a name of 100 characters", { name: "n".repeat(100) }, null],
    ["one of 101", { name: "n".repeat(101) }, "name VALUE_TOO_LONG"],
    ["priority 1", { priority: 1 }, null],
    ["priority 500", { priority: 500 }, null],
    ["priority 0", { priority: 0 }, "priority VALUE_TOO_SMALL"],
    ["priority 501", { priority: 501 }, "priority VALUE_TOO_LARGE"],
    ["a flow of nobody", { flowId: 999_999 }, "flowId NOT_FOUND"],
    ["a region of nobody", { regionId: 999_999 }, "regionId NOT_FOUND"],
  ])("%s", async (_title, more, problem) => {
    const answer = await call("duFlowRule/save", { name: "Bound", flowId: at.standard.id, ...more });
    if (problem === null) expect(answer, answer.msg).toMatchObject({ status: 200 });
    else expect(problems(answer)).toContain(problem);
  });

  test("takes ten condition rows and no eleventh [RUL-10]", async () => {
    const rows = (count: number) =>
      Array.from({ length: count }, (_, place) => ({
        object: { k: "DU", f: "code" },
        operator: "eq",
        values: [`C${place}`],
        logic: place === count - 1 ? null : "OR",
      }));
    expect(await make("Ten", { conditions: rows(10) })).toMatchObject({ rowVersion: 1 });
    const more = await call("duFlowRule/save", { name: "Eleven", flowId: at.standard.id, conditions: rows(11) });
    expect(problems(more)).toEqual(["conditions TOO_MANY"]);
  });

  test("tells what is wrong with conditions at their row and part", async () => {
    const conditions = [
      { object: { k: "DU", f: "code" }, operator: "eq", values: ["a*b"], close: 1, logic: "AND" },
      { object: { k: "DU", f: "status" }, operator: "eq", values: ["x"], logic: "OR" },
    ];
    expect(problems(await call("duFlowRule/save", { name: "Wrong", flowId: at.standard.id, conditions }))).toEqual([
      "conditions.1.object VALUE_UNKNOWN",
      "conditions.0.close CONDITION_FIRST_CLOSE",
      "conditions.0.close CONDITION_PARENTHESES",
      "conditions.1.logic CONDITION_LOGIC",
      "conditions.0.values SPECIAL_CHARACTERS",
    ]);
  });

  test("refuses a name and a priority that are taken, both at once", async () => {
    await make("Taken", { priority: 3 });
    const answer = await call("duFlowRule/save", { name: "tAKEN", priority: 3, flowId: at.standard.id });
    expect(answer).toMatchObject({ status: 422, code: "NAME_EXISTS" });
    expect(problems(answer)).toEqual(["name NAME_EXISTS", "priority PRIORITY_REPEATED"]);
    expect(answer.problems?.[1]?.msg).toBe("Priority 3 is taken by the rule Taken");
  });

  test("refuses the 501st rule", async () => {
    await db.owner`
      insert into du_flow_rule (project_id, name, flow_id, priority, conditions, invalid_reason, created_by, created_at, updated_by, updated_at)
      select ${at.id}, 'Many ' || n, ${at.standard.id}, n, '[]', 'DISABLED', ${at.pm.id}, now(), ${at.pm.id}, now() from generate_series(1, 499) n`;
    expect((await make("The 500th")).priority).toBe(500);
    expect(await call("duFlowRule/save", { name: "The 501st", flowId: at.standard.id })).toMatchObject({
      status: 422,
      code: "TOO_MANY_RULES",
    });
  });

  test("needs the right to configure; others may look", async () => {
    expect(await call("duFlowRule/save", { name: "TD", flowId: at.standard.id }, at.td)).toMatchObject({ status: 403 });
    expect(await call("duFlowRule/save", { name: "PCM", flowId: at.standard.id }, at.pcm)).toMatchObject({ status: 200 });
    expect((await done(call("duFlowRule/list", {}, at.td))).rules).toHaveLength(1);
  });

  test("of another project is not found", async () => {
    const other = await makeProject(db.owner);
    const stranger = await makeMember(db.owner, other.id, "PM");
    const foreign = (address: string, input: object) => callAs(stranger, address, input, { project: other.number });
    const { id } = await make("Ours");
    for (const address of ["duFlowRule/enable", "duFlowRule/disable", "duFlowRule/delete", "duFlowRule/run", "duFlowRule/preview"])
      expect(await foreign(address, { ids: [id] }), address).toMatchObject({ status: 404 });
    expect((await done(foreign("duFlowRule/list", {}))).rules).toEqual([]);
  });
});

describe("a rule in force [FLW-12]", () => {
  test("is enabled and disabled, all of them or none", async () => {
    const [one, two] = [await make("One"), await make("Two", { regionId: at.north })];
    expect(await done(call("duFlowRule/enable", { ids: [one.id, two.id] }))).toEqual({ enabled: 2 });
    expect(await statusOf(one.id)).toEqual(["enabled", null]);
    expect(await done(call("duFlowRule/disable", { ids: [one.id, two.id] }))).toEqual({ disabled: 2 });
    expect(await statusOf(two.id)).toEqual(["invalid", "DISABLED"]);
    // Once more changes nothing.
    expect(await done(call("duFlowRule/disable", { ids: [one.id, two.id] }))).toEqual({ disabled: 0 });
    expect(await call("duFlowRule/enable", { ids: [one.id, 999_999] })).toMatchObject({ status: 404 });
    expect(await statusOf(one.id)).toEqual(["invalid", "DISABLED"]);
  });

  test("cannot be enabled while what it names is gone or changed; every reason is told", async () => {
    const { number, pm } = at;
    const draft = await makeDraft(pm, number, "Not yet", "A*");
    const attribute = await makeAttribute(db.owner, at.id, { name: "Height", type: "NUMBER" });
    const hidden = await makeAttribute(db.owner, at.id, { name: "Colour" });
    const rows = [
      { object: { k: "ATTR", key: attribute.key }, operator: "ge", values: [10], logic: "AND" },
      { object: { k: "ATTR", key: hidden.key }, operator: "isEmpty" },
    ];
    const [region] = await db.owner<
      { id: number }[]
    >`insert into delivery_region (project_id, name) values (${at.id}, 'West') returning id`;
    const { id } = await make("Broken", { flowId: draft.id, regionId: region!.id, conditions: rows });
    await db.owner`update attribute set type = 'TEXT' where id = ${attribute.id}`;
    await db.owner`update attribute set in_rollout_plan = false where id = ${hidden.id}`;
    await db.owner`update delivery_region set status = 'INVALID' where id = ${region!.id}`;
    const answer = await call("duFlowRule/enable", { ids: [id] });
    expect(answer).toMatchObject({ status: 422, code: "RULE_CANNOT_ENABLE" });
    expect(answer.msg).toBe(
      "The rule cannot be enabled: the flow Not yet is not released; the region West is no longer valid; the attribute Height has another type now; the attribute Colour is not shown in the roll-out plan",
    );
    await db.owner`update attribute set deleted_at = now() where id = ${hidden.id}`;
    expect((await list())[0].faults.map(({ reason }: { reason: string }) => reason)).toContain("ATTRIBUTE_INVALID");
    expect(await call("flow/delete", { ids: [draft.id] })).toMatchObject({
      status: 422,
      code: "IN_USE",
      msg: "Referenced, cannot be deleted: Broken",
    });
  });

  test("cannot be changed into one that could not be enabled", async () => {
    const draft = await makeDraft(at.pm, at.number, "Unfinished", "A*");
    const rule = await enable("Steady");
    const save = (flowId: number) => call("duFlowRule/save", { id: rule.id, rowVersion: rule.rowVersion, name: "Steady", flowId });
    expect(await save(draft.id)).toMatchObject({ code: "RULE_CANNOT_ENABLE" });
    expect(await save(at.rooftop.id)).toMatchObject({ status: 200 });
    expect(await statusOf(rule.id)).toEqual(["enabled", null]);
  });

  test("is out of force when its flow is disabled, and the PM hears of all of them in one mail", async () => {
    const flow = await makeFlow(at.pm, at.number, "Short-lived", "A*");
    const one = await enable("First", { flowId: flow.id });
    const two = await enable("Second", { flowId: flow.id, regionId: at.north });
    const other = await enable("Other");
    const before = (await mails()).length;
    await done(call("flow/disable", { id: flow.id, rowVersion: flow.rowVersion }));
    expect([await statusOf(one.id), await statusOf(two.id), await statusOf(other.id)]).toEqual([
      ["invalid", "FLOW_INVALID"],
      ["invalid", "FLOW_INVALID"],
      ["enabled", null],
    ]);
    const sent = (await mails()).slice(before);
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ to: at.pm.id });
    expect(sent[0]!.text).toContain("First");
    expect(sent[0]!.text).toContain("Second");
    expect(await call("duFlowRule/enable", { ids: [one.id] })).toMatchObject({ code: "RULE_CANNOT_ENABLE" });
  });

  test.each([
    ["its region is gone", "update delivery_region set deleted_at = now() where id = $region", "REGION_INVALID"],
    ["a region of its conditions is invalid", "update delivery_region set status = 'INVALID' where id = $other", "REGION_INVALID"],
    ["an attribute is gone", "update attribute set deleted_at = now() where id = $attribute", "ATTRIBUTE_INVALID"],
    ["an attribute is no longer shown", "update attribute set in_rollout_plan = false where id = $attribute", "ATTRIBUTE_NOT_DISPLAYED"],
    ["an attribute has another type", "update attribute set type = 'NUMBER' where id = $attribute", "ATTRIBUTE_TYPE_CHANGED"],
  ])("is out of force at the next look when %s", async (_title, sql, reason) => {
    const [region, other] = await db.owner<{ id: number }[]>`
      insert into delivery_region (project_id, name) select ${at.id}, 'Region ' || gen_random_uuid() from generate_series(1, 2) returning id`;
    const attribute = await makeAttribute(db.owner, at.id);
    const conditions = [
      { object: { k: "ATTR", key: attribute.key }, operator: "eq", values: ["x"], logic: "OR" },
      { object: { k: "DU", f: "region" }, operator: "in", values: [String(other!.id)] },
    ];
    const { id } = await enable("Looked at", { regionId: region!.id, conditions });
    const ids = { $region: region!.id, $other: other!.id, $attribute: attribute.id };
    await db.owner.unsafe(Object.entries(ids).reduce((text, [name, value]) => text.replace(name, String(value)), sql));
    const left = await inProject(at.pm, at.number, (ctx) => recheckFlowRules(ctx, `test ${reason}`));
    expect(left).toEqual([]);
    expect(await statusOf(id)).toEqual(["invalid", reason]);
  });

  test("names what it rests on in the index of references, and nothing once it is deleted", async () => {
    const { id } = await make("Named", { regionId: at.north, conditions: [{ ...isRooftop(), logic: null }] });
    const refs = async () =>
      (await db.owner`select target_kind, target_id, usage from config_ref where holder_kind = 'FLOW_RULE' and holder_id = ${id}`)
        .map((row) => `${row.target_kind} ${row.target_id} ${row.usage}`)
        .sort();
    expect(await refs()).toEqual(
      [
        `ATTRIBUTE ${at.scenario.id} CONDITION`,
        `ENUM_VALUE ${at.scenario.enumIds[0]} CONDITION`,
        `FLOW ${at.standard.id} TARGET`,
        `REGION ${at.north} CONDITION`,
      ].sort(),
    );
    await done(call("duFlowRule/delete", { ids: [id] }));
    expect(await refs()).toEqual([]);
    expect(await list()).toEqual([]);
  });
});

describe("the order of rules", () => {
  test("is dealt out anew among the priorities there are, for all rules only", async () => {
    const [a, b, c] = [await make("A", { priority: 10 }), await make("B", { priority: 20 }), await make("C", { priority: 500 })];
    expect(await done(call("duFlowRule/saveSort", { ids: [c.id, a.id, b.id] }))).toEqual({ priorities: [10, 20, 500] });
    expect((await list()).map(({ name, priority }: { name: string; priority: number }) => `${priority} ${name}`)).toEqual([
      "10 C",
      "20 A",
      "500 B",
    ]);
    expect(await call("duFlowRule/saveSort", { ids: [c.id, a.id] })).toMatchObject({ status: 409, code: "STALE" });
  });
});
