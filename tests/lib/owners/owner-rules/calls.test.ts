import { beforeEach, describe, expect, test } from "vitest";
import { queueRechecks } from "#lib/attributes/config-refs/commands.ts";
import { recheckOwnerRules } from "#lib/owners/owner-rules/commands.ts";
import { useDatabase } from "../../../support/database.ts";
import { meanwhile } from "../../../support/meanwhile.ts";
import { inProject } from "../../../support/plan-ctx.ts";
import { makeAttribute, makeFlow } from "../../../support/plan-factories.ts";
import { importsOf, useFiles } from "../../imports/support.ts";
import { done, problemsOf, useOwnerProject } from "../make-owners.ts";

const db = useDatabase();
useFiles();
const { at, call, clear, enable, isRooftop, list, make, rule } = useOwnerProject(db);
const imports = importsOf(db, () => ({ project: at, user: at.pm }));
beforeEach(clear);

test("a rule that is saved meanwhile is enabled by the conditions it has then", async () => {
  const { id } = await make("Region owners");
  const answer = await meanwhile(
    db,
    async (sql) => {
      await sql`update owner_rule set row_version = row_version + 1 where id = ${id}`;
      await sql`
        insert into owner_rule_condition (rule_id, seq, project_id, field, type, operator, values)
        values (${id}, 1, ${at.id}, 'region', 'choice', 'EQ', ${sql.json(["999999999"])})`;
    },
    () => call("ownerRule/enable", { ids: [id], confirm: true }),
  );
  expect(problemsOf(answer)).toEqual(["ids.0 RULE_CANNOT_ENABLE"]);
});

describe("ownerRule/save", () => {
  test("stores name, order, conditions, fill mode, description, expiry date and flow text [OWN-03]", async () => {
    const made = await make("Roofs of the north", {
      sortNo: 7,
      flowIds: [at.flow.id, at.other.id, at.flow.id],
      activityIds: [at.activities[0]!.id],
      ownerFields: ["PLAN_OWNER", "ACTUAL_OWNER"],
      fillMode: "ATTRIBUTE",
      fillValue: { attributeId: at.lead.id },
      overwrite: true,
      description: "Who leads the team",
      expireDate: "2026-12-31",
      conditions: [isRooftop(), { object: { k: "DU", f: "region" }, operator: "EQ", values: [String(at.north)] }],
    });
    expect(made).toMatchObject({ sortNo: 7, rowVersion: 1 });
    const { rule: stored } = await done(call("ownerRule/detail", { id: made.id }));
    expect(stored).toMatchObject({
      name: "Roofs of the north",
      sortNo: 7,
      flowIds: [at.flow.id, at.other.id],
      flowText: "New site, Swap",
      activityIds: [at.activities[0]!.id],
      ownerFields: ["PLAN_OWNER", "ACTUAL_OWNER"],
      fillMode: "ATTRIBUTE",
      fillValue: { attributeId: at.lead.id },
      overwrite: true,
      description: "Who leads the team",
      expireDate: "2026-12-31",
      status: "INVALID",
      invalidReason: "DISABLED",
      conditions: [
        { operator: "IN", type: "choice" },
        { object: { k: "DU", f: "region" }, operator: "EQ", type: "choice", values: [String(at.north)] },
      ],
    });
    const refs =
      await db.owner`select target_kind, usage from config_ref where holder_kind = 'OWNER_RULE' and holder_id = ${made.id} order by 1, 2`;
    expect(refs.map(({ target_kind: kind, usage }) => `${kind} ${usage}`)).toEqual([
      "ACTIVITY TARGET",
      "ATTRIBUTE CONDITION",
      "ATTRIBUTE SOURCE",
      "ENUM_VALUE CONDITION",
      "FLOW CONDITION",
      "FLOW CONDITION",
      "REGION CONDITION",
    ]);
    const changed = await done(call("ownerRule/save", { id: made.id, rowVersion: 1, ...rule("Roofs") }));
    expect(changed).toMatchObject({ sortNo: 7, rowVersion: 2 });
    expect(await list()).toMatchObject([{ name: "Roofs", flowText: "New site", conditions: [], description: null }]);
    expect(await call("ownerRule/save", { id: made.id, rowVersion: 1, ...rule("Late") })).toMatchObject({ status: 409, code: "STALE" });
  });

  test("asks for a name that is the project's only one, whatever its case [OWN-05]", async () => {
    const made = await make("Region owners");
    expect(await call("ownerRule/save", rule("  "))).toMatchObject({ status: 400, problems: [{ path: "name", code: "VALUE_MISSING" }] });
    expect(problemsOf(await call("ownerRule/save", rule("REGION owners")))).toEqual(["name NAME_EXISTS"]);
    await done(call("ownerRule/delete", { ids: [made.id] }));
    await make("REGION owners");
  });

  test("asks for a flow, and for no more flows than 4000 characters of names hold [OWN-04]", async () => {
    const none = await call("ownerRule/save", rule("None", { flowIds: [] }));
    expect(none).toMatchObject({ problems: [{ path: "flowIds", code: "FLOW_REQUIRED", msg: "Choose at least one flow" }] });
    // 39 names of 100 characters and their commas are 3,976 characters: one of 22 fills up to 4,000.
    const long = await Promise.all(
      Array.from({ length: 39 }, (_, n) =>
        makeFlow(db.owner, at.id, at.pm.id, at.activities, `${String(n).padStart(3, "0")}${"f".repeat(97)}`),
      ),
    );
    const [fits, over] = await Promise.all([22, 23].map((size) => makeFlow(db.owner, at.id, at.pm.id, at.activities, "g".repeat(size))));
    const made = await make("Long", { flowIds: [...long, fits] });
    expect((await list())[0].flowText).toHaveLength(4000);
    const refused = await call("ownerRule/save", { id: made.id, rowVersion: 1, ...rule("Long", { flowIds: [...long, over] }) });
    expect(refused).toMatchObject({ status: 422, code: "FLOW_TEXT_TOO_LONG" });
    expect(refused.msg).toContain("4,001 characters together, at most 4,000");
    expect(await call("ownerRule/save", rule("Foreign", { flowIds: [at.flow.id + 1000] }))).toMatchObject({ status: 404 });
  });

  test("takes one condition per attribute or field [OWN-06]", async () => {
    const lead = { object: { k: "ATTR", key: at.lead.key }, operator: "IS_NOT_EMPTY" };
    const code = { object: { k: "DU", f: "code" }, operator: "EQ", values: ["A-1"] };
    await make("Once", { conditions: [isRooftop(), lead, code] });
    expect(problemsOf(await call("ownerRule/save", rule("Twice", { conditions: [isRooftop(), lead, isRooftop()] })))).toEqual([
      "conditions.2.object CONDITION_REPEATED",
    ]);
    expect(problemsOf(await call("ownerRule/save", rule("Field", { conditions: [code, code] })))).toEqual([
      "conditions.1.object CONDITION_REPEATED",
    ]);
  });

  test.each([..."<>\"'\\;%&$#{}[]|^~!?*=`"])("refuses the sign %s in a value of a condition [OWN-07]", async (sign) => {
    const conditions = [{ object: { k: "ATTR", key: at.lead.key }, operator: "NOT_IN", values: ["plain", `a${sign}b`] }];
    expect(problemsOf(await call("ownerRule/save", rule("Signs", { conditions })))).toEqual(["conditions.0.values SPECIAL_CHARACTERS"]);
  });

  test("takes values of letters, digits, dashes and brackets [OWN-07]", async () => {
    const conditions = [{ object: { k: "ATTR", key: at.lead.key }, operator: "IN", values: ["北京-1 (a/b)", "Li_2, 3.5+"] }];
    await make("Plain", { conditions });
  });

  test.each([
    ["an operator the type does not have", { operator: "IN", f: "longitude" }, "conditions.0.operator VALUE_UNKNOWN"],
    ["no value", { operator: "EQ", values: [] }, "conditions.0.values VALUE_MISSING"],
    ["two values where one is asked", { operator: "EQ", values: ["a", "b"] }, "conditions.0.values TOO_MANY"],
    ["values where none is asked", { operator: "IS_EMPTY", values: ["a"] }, "conditions.0.values TOO_MANY"],
    ["an unknown field", { operator: "EQ", f: "nothing" }, "conditions.0.object VALUE_UNKNOWN"],
  ])("refuses %s", async (_what, { f = "code", operator, values = ["a"] }: { f?: string; operator: string; values?: string[] }, told) => {
    const conditions = [{ object: { k: "DU", f }, operator, values }];
    expect(problemsOf(await call("ownerRule/save", rule("Wrong", { conditions })))).toEqual([told]);
  });

  test("asks for what its fill mode needs", async () => {
    const modes = [
      ["ATTRIBUTE", "fillValue.attributeId VALUE_MISSING"],
      ["FIXED", "fillValue.accounts VALUE_MISSING"],
      ["GROUP_LEADER", "fillValue.groupId VALUE_MISSING"],
    ];
    for (const [fillMode, told] of modes) expect(problemsOf(await call("ownerRule/save", rule("Mode", { fillMode })))).toEqual([told]);
    // A choice is no account.
    const scenario = rule("Mode", { fillMode: "ATTRIBUTE", fillValue: { attributeId: at.scenario.id } });
    expect(problemsOf(await call("ownerRule/save", scenario))).toEqual(["fillValue.attributeId NOT_FOUND"]);
  });

  test("is for those who may edit rules; the others see them", async () => {
    await make("Region owners");
    expect(await call("ownerRule/save", rule("Mine"), at.viewer)).toMatchObject({ status: 403 });
    expect((await done(call("ownerRule/list/1/20/default/[]", {}, at.viewer))).records).toHaveLength(1);
  });
});

describe("rules in and out of force", () => {
  test("are switched with a confirmation, sorted and filtered", async () => {
    const [one, two] = [await make("One"), await make("Two", { fillMode: "DU_OWNER" })];
    expect(await call("ownerRule/enable", { ids: [one.id] })).toMatchObject({ status: 400 });
    expect(await done(call("ownerRule/enable", { ids: [one.id, two.id], confirm: true }))).toEqual({ done: 2 });
    expect(await done(call("ownerRule/disable", { ids: [one.id, two.id], confirm: true }))).toEqual({ done: 2 });
    expect(await done(call("ownerRule/disable", { ids: [one.id], confirm: true }))).toEqual({ done: 0 });
    expect((await list()).map(({ name }: { name: string }) => name)).toEqual(["One", "Two"]);
    const items = [
      { id: one.id, sortNo: 2, was: 1 },
      { id: two.id, sortNo: 1, was: 2 },
    ];
    expect(await done(call("ownerRule/saveSort", { items }))).toEqual({ sorted: 2 });
    expect((await list()).map(({ name }: { name: string }) => name)).toEqual(["Two", "One"]);
    expect(await list([{ field: "fillMode", type: "eq", values: ["DU_OWNER"] }])).toMatchObject([{ name: "Two" }]);
    expect(await list([{ field: "name", type: "like", values: ["on"] }])).toMatchObject([{ name: "One" }]);
    expect(await list([{ field: "status", type: "eq", values: ["ENABLED"] }])).toEqual([]);
  });

  test("of two orders made upon the same one the second is refused, and taken once it is made upon the present one", async () => {
    const [one, two] = [await make("One"), await make("Two")];
    const sort = (...places: [sortNo: number, was: number][]) =>
      call("ownerRule/saveSort", { items: [one, two].map(({ id }, at) => ({ id, sortNo: places[at]![0], was: places[at]![1] })) });
    const places = async () => (await list()).map(({ name, sortNo }: { name: string; sortNo: number }) => `${sortNo} ${name}`);
    const audits = async () => (await db.owner`select 1 from audit_log where object = 'owner_rule order' and project_id = ${at.id}`).length;
    expect(problemsOf(await call("ownerRule/saveSort", { items: [{ id: one.id, sortNo: 2 }] }))).toEqual(["items.0.was VALUE_MISSING"]);
    await done(sort([2, 1], [1, 2]));
    const written = await audits();
    expect(await sort([3, 1], [2, 2])).toMatchObject({
      status: 409,
      code: "STALE",
      data: [
        { id: two.id, sortNo: 1 },
        { id: one.id, sortNo: 2 },
      ],
    });
    expect([await places(), await audits()]).toEqual([["1 Two", "2 One"], written]);
    expect(await done(sort([3, 2], [2, 1]))).toEqual({ sorted: 2 });
    expect(await places()).toEqual(["2 Two", "3 One"]);
  });

  test("cannot be enabled once they have expired, or while a flow, an activity or an attribute is not as it was", async () => {
    const spare = await makeAttribute(db.owner, at.id, { name: "Spare" });
    const [extra] = await db.owner<{ id: number }[]>`
      insert into activity_library (project_id, slot, code, name) values (${at.id}, 90, 'X90', 'Extra') returning id`;
    const flow = await makeFlow(db.owner, at.id, at.pm.id, at.activities, "Old flow");
    const made = await make("All", {
      flowIds: [flow],
      activityIds: [extra!.id],
      expireDate: "2026-10-13",
      fillMode: "ATTRIBUTE",
      fillValue: { attributeId: at.lead.id },
      conditions: [{ object: { k: "ATTR", key: spare.key }, operator: "IS_EMPTY" }],
    });
    await db.owner`update activity_flow set status = 'disabled' where id = ${flow}`;
    await db.owner`update activity_library set disabled_at = now() where id = ${extra!.id}`;
    await db.owner`update attribute set type = 'NUMBER' where id = ${spare.id}`;
    const refused = await call("ownerRule/enable", { ids: [made.id], confirm: true });
    expect(refused).toMatchObject({
      code: "RULE_CANNOT_ENABLE",
      msg: "The rule cannot be enabled: it expired on 2026-10-13; the flow Old flow is not released; the activity Extra is disabled; the attribute Spare has another type now",
    });
    // The last day counts.
    const today = await make("Today", { expireDate: "2026-10-14" });
    await done(call("ownerRule/enable", { ids: [today.id], confirm: true }));
  });

  test("go out of force by themselves with one mail and one notice for all of them to their maker and the PMs", async () => {
    await enable("Expiring", { expireDate: "2026-10-14" });
    await enable("Broken", { fillMode: "ATTRIBUTE", fillValue: { attributeId: at.lead.id } });
    const stays = await enable("Stays");
    await db.owner`update attribute set in_rollout_plan = false where id = ${at.lead.id}`;
    const left = await inProject(at.pm, at.number, (ctx) => recheckOwnerRules(ctx, "test"), new Date("2026-10-15T02:00:00Z"));
    await db.owner`update attribute set in_rollout_plan = true where id = ${at.lead.id}`;
    expect(left.map(({ id }) => id)).toEqual([stays]);
    expect((await list()).map(({ name, invalidReason }: { name: string; invalidReason: string }) => [name, invalidReason])).toEqual([
      ["Expiring", "EXPIRED"],
      ["Broken", "ATTRIBUTE_NOT_DISPLAYED"],
      ["Stays", null],
    ]);
    const mails = await db.owner`
      select m.to_user_id as to, b.text from mail_outbox m join mail_body b on b.id = m.body_id where m.project_id = ${at.id} and m.kind = 'ownerRule.invalid'`;
    expect(mails.map(({ to }) => to)).toEqual([at.pm.id]);
    expect(mails[0]!.text).toContain("Expiring");
    expect(mails[0]!.text).toContain("Broken");
    const notices =
      await db.owner`select user_id as to, title, params from notice where project_id = ${at.id} and kind = 'ownerRule.invalid'`;
    expect(notices).toEqual([{ to: at.pm.id, title: "owners.mail.title", params: { count: 2 } }]);
  });
});

test("a rule in force is judged anew when it is changed", async () => {
  const id = await enable("Rule");
  const changed = { id, rowVersion: 2, ...rule("Rule", { expireDate: "2026-10-13" }) };
  expect(await call("ownerRule/save", changed)).toMatchObject({ code: "RULE_CANNOT_ENABLE" });
  await done(call("ownerRule/save", { ...changed, expireDate: "2026-10-14" }));
  expect(await list()).toMatchObject([{ status: "ENABLED", expireDate: "2026-10-14" }]);
});

test("an attribute that is changed takes the rules that name it out of force through the index of references", async () => {
  const spare = await makeAttribute(db.owner, at.id, { name: "Named by a rule" });
  await enable("Names it", { conditions: [{ object: { k: "ATTR", key: spare.key }, operator: "IS_EMPTY" }] });
  await enable("Does not");
  await db.owner`update attribute set in_rollout_plan = false where id = ${spare.id}`;
  const [taskId] = await inProject(at.pm, at.number, (ctx) => queueRechecks(ctx, "ATTRIBUTE", [spare.id]));
  await imports.run(taskId!);
  expect((await list()).map(({ name, status, invalidReason }: Record<string, string>) => [name, status, invalidReason])).toEqual([
    ["Names it", "INVALID", "ATTRIBUTE_NOT_DISPLAYED"],
    ["Does not", "ENABLED", null],
  ]);
});
