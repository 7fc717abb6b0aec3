import { readFile } from "node:fs/promises";
import { beforeEach, describe, expect, test } from "vitest";
import { clock, useDatabase } from "../../../support/database.ts";
import { makeRegion, setLimit } from "../../../support/factories.ts";
import { meanwhile } from "../../../support/meanwhile.ts";
import { makeAttribute, makeFlow } from "../../../support/plan-factories.ts";
import { done } from "../../activity-flows/make-flow.ts";
import { useFiles } from "../../imports/support.ts";
import { usePlanRules } from "../make-plan-rules.ts";

const db = useDatabase();
useFiles();
const { act, at, call, clear, enable, imports, row, save, typed } = usePlanRules(db);
beforeEach(clear);

const plain = "RFI.PLAN_END = Survey.ACTUAL_END + 14";
const attr = (key: string) => ({ k: "ATTR", key });
/** What is wrong with a rule, as `path code`. */
const faults = async (actions: readonly (string | object)[], more: object = {}) => {
  const answer = await call("planAutoRule/save", typed("Rule", actions, more));
  return answer.problems?.map(({ path, code }) => `${path} ${code}`) ?? answer.code ?? answer.status;
};
const list = async (...filters: object[]) =>
  (await done(call(`planAutoRule/list/1/20/default/${encodeURIComponent(JSON.stringify(filters))}`))).records;

describe("a rule", () => {
  test("holds all that was typed, and begins out of force [RUL-03] [RUL-04]", async () => {
    const given = {
      regionIds: [at.north],
      duFilter: [{ field: "code", type: "like", values: ["DU"] }],
      effectiveAt: "2026-10-01T00:00:00.000Z",
      expireDate: "2027-01-31",
      autoExecute: true,
      frequency: 4,
      sortNo: 7,
      description: "Fourteen days after the survey",
      conditions: [{ open: 1, object: { k: "DU", f: "code" }, operator: "startsWith", values: ["DU"], close: 1 }],
    };
    const { id } = await save("Plan RFI", [plain], given);
    const rule = await done(call("planAutoRule/detail", { id }));
    expect(rule).toMatchObject({
      name: "Plan RFI",
      ruleType: "ACT_TO_ACT",
      flowId: at.flow.id,
      status: "INVALID",
      invalidReason: "DISABLED",
      createdBy: at.pm.id,
      createdAt: clock,
      ...given,
      effectiveAt: new Date(given.effectiveAt),
      conditions: [{ open: 1, close: 1, operator: "startsWith", values: ["DU"], logic: null }],
      actions: [{ sources: [act("Survey.ACTUAL_END")], target: act("RFI.PLAN_END"), offset: 14, overwrite: true }],
    });
    expect(rule.sentence).toBe("If DU ID starts with DU: RFI · Plan end = Survey · Actual end + 14 days");
    expect((await list())[0]).toMatchObject({
      creatorName: at.pm.name,
      updatedByName: at.pm.name,
      updatedAt: clock,
      flowName: "New site",
      regionNames: ["North"],
      nextRunAt: null,
    });
    const refs =
      await db.owner`select target_kind as kind, usage from config_ref where holder_kind = 'PLAN_RULE' and holder_id = ${id} order by 1, 2`;
    expect(refs.map(({ kind, usage }) => `${kind} ${usage}`)).toEqual([
      "ACTIVITY SOURCE",
      "ACTIVITY TARGET",
      "FLOW CONDITION",
      "REGION CONDITION",
    ]);
  });

  test("has a name of its own in the project, whatever its case [RUL-09]", async () => {
    await save("Plan RFI", [plain]);
    expect(await call("planAutoRule/save", typed("plan rfi", ["MOS.PLAN_END = RFI.PLAN_END"]))).toMatchObject({
      status: 422,
      code: "NAME_EXISTS",
    });
    expect((await call("planAutoRule/save", typed(" ", [plain]))).problems).toMatchObject([{ path: "name", code: "VALUE_MISSING" }]);
  });

  test("takes ten condition rows, no eleventh [RUL-10]", async () => {
    const one = { object: { k: "DU", f: "code" }, operator: "isNotEmpty", logic: "AND" };
    const rows = (count: number) => ({
      conditions: Array.from({ length: count }, (_, place) => ({ ...one, logic: place === count - 1 ? null : "AND" })),
    });
    expect(await faults([plain], rows(11))).toEqual(["conditions TOO_MANY"]);
    expect(await faults([plain], rows(10))).toBe(200);
  });

  test("tells what is wrong with parentheses, joints and values of its conditions at their rows [RUL-11] [RUL-12] [RUL-13] [RUL-14]", async () => {
    const code = (more: object) => ({ object: { k: "DU", f: "code" }, operator: "eq", values: ["A"], ...more });
    const asked = (...conditions: object[]) => faults([plain], { conditions });
    expect(await asked(code({ close: 1, logic: "AND" }), code({ open: 1, close: 2 }))).toContain(
      "conditions.0.close CONDITION_FIRST_CLOSE",
    );
    expect(await asked(code({ logic: "AND" }), code({ open: 1 }))).toContain("conditions.1.open CONDITION_LAST_OPEN");
    expect(await asked(code({ open: 1, logic: "AND" }), code({}))).toEqual(["conditions.1.close CONDITION_PARENTHESES"]);
    expect(await asked(code({}), code({}))).toEqual(["conditions.0.logic CONDITION_LOGIC"]);
    expect(await asked(code({ logic: "AND" }))).toEqual(["conditions.0.logic CONDITION_LOGIC"]);
    expect(await asked(code({ values: ["A<B"] }))).toEqual(["conditions.0.values SPECIAL_CHARACTERS"]);
    const day = { object: act("Survey.ACTUAL_END"), operator: "before" };
    for (const relative of ["today", "this week", "+3d", "{x}"])
      expect(await asked({ ...day, values: [relative] }), relative).toEqual(["conditions.0.values RELATIVE_VALUE"]);
    const told = await call("planAutoRule/save", typed("Rule", [plain], { conditions: [{ ...day, values: ["today"] }] }));
    expect(told.msg).toBe("The relative value cannot be selected");
    expect(await faults([plain], { duFilter: [{ field: "code", type: "preset", values: ["mine"] }] })).toContain(
      "duFilter.0.type RELATIVE_VALUE",
    );
    expect(await asked({ ...day, values: ["2026-10-14"] })).toBe(200);
  });

  test("fills no source, and no target twice [RUL-15] [RUL-16]", async () => {
    expect(await faults(["RFI.PLAN_END = RFI.PLAN_END + 1"])).toEqual(["actions.0.target RULE_SOURCE_IS_TARGET"]);
    expect(await faults([plain, "RFI.PLAN_END = Permit.ACTUAL_END"])).toEqual(["actions RULE_TARGET_REPEATED"]);
    expect(await faults([plain, "MOS.PLAN_END = Permit.ACTUAL_END"])).toBe(200);
  });

  test("from attribute to attribute names two attributes [RUL-17]", async () => {
    const type = { ruleType: "ATTR_TO_ATTR" };
    expect(await faults([{ sources: [{ k: "FIXED", value: "x" }], target: attr(at.batch.key) }], type)).toEqual([
      "actions RULE_ATTRIBUTES_FEW",
    ]);
    expect(await faults([{ sources: [attr(at.due.key)], target: attr(at.batch.key) }], type)).toBe(200);
  });

  test("over several activities names 2 to 20 of them [RUL-18]", async () => {
    const many = await makeMany(21);
    const over = (count: number, more: object = {}) => ({
      ruleType: "MULTI_ACT",
      flowId: many.flowId,
      actions: [
        {
          sources: many.ids.slice(0, count).map((a) => ({ k: "ACT", a, f: "ACTUAL_END" })),
          aggregate: "LATEST",
          target: { k: "ACT", a: many.ids[0], f: "PLAN_END" },
          ...more,
        },
      ],
    });
    expect(await faults([], over(1))).toEqual(["actions.0.sources RULE_ACTIVITIES_COUNT"]);
    expect(await faults([], over(2, { aggregate: null }))).toEqual(["actions.0.sources RULE_ACTIVITIES_COUNT"]);
    expect(await faults([], over(21))).toMatchObject([expect.stringMatching(/^actions\.0\.sources /)]);
    expect(await faults([], over(2))).toBe(200);
    expect(await faults([], { ...over(20), name: "Twenty" })).toBe(200);
  });

  test("fills not both actual dates, nor both plan dates of one activity, and actual ones never by itself [RUL-19] [RUL-20] [RUL-21]", async () => {
    expect(await faults(["RFI.ACTUAL_START = Survey.ACTUAL_END", "MOS.ACTUAL_END = Survey.ACTUAL_END"])).toEqual([
      "actions RULE_ACTUAL_PAIR",
    ]);
    expect(await faults(["RFI.PLAN_START = Survey.ACTUAL_END", "RFI.PLAN_END = Permit.ACTUAL_END"])).toEqual(["actions RULE_PLAN_PAIR"]);
    expect(await faults(["RFI.PLAN_START = Survey.ACTUAL_END", "MOS.PLAN_END = Permit.ACTUAL_END"])).toBe(200);
    const actual = ["RFI.ACTUAL_START = Survey.ACTUAL_END"];
    expect(await faults(actual, { name: "Auto", autoExecute: true })).toEqual(["autoExecute RULE_ACTUAL_AUTO"]);
    expect(await faults(actual, { name: "By hand" })).toBe(200);
  });

  test("of events waits for what its flow has, each event told at its row", async () => {
    const wait = (events: object[], flowId = at.other) => faults([plain], { ruleType: "EXT_EVENT", flowId, events });
    const ends = (of: "RFI" | "MOS") => ({ moment: "ACTUAL_END_SET", activityId: act(`${of}.ACTUAL_END`).a });
    const changed = (id: number) => ({ moment: "ATTRIBUTE_CHANGED", attributeId: id });
    expect(await wait([ends("RFI"), ends("MOS"), changed(at.count.id), changed(0x7fff_ffff)])).toEqual([
      "events.1 RULE_EVENT_FIELD",
      "events.3 RULE_EVENT_FIELD",
    ]);
    const typing = typed("Rule", [plain], { ruleType: "EXT_EVENT", flowId: at.other, events: [ends("MOS")] });
    expect(await call("planAutoRule/preview", { rule: typing })).toMatchObject({ status: 422, code: "RULE_EVENT_FIELD" });
    expect(await wait([])).toEqual(["events RULE_EVENTS"]);
    expect(await wait([{ moment: "PLAN_CHANGED" }])).toEqual(["events RULE_EVENTS"]);
    expect(await wait([ends("MOS")], at.flow.id)).toBe(200);
    expect(await wait([ends("RFI"), changed(at.count.id)])).toEqual(["name NAME_EXISTS"]);
  });

  test("adds 0 to 1095 whole days, to dates alone [RUL-22]", async () => {
    for (const offset of [-1, 1096, 1.5])
      expect(await faults([row("RFI.PLAN_END = Survey.ACTUAL_END", { offset })]), String(offset)).not.toBe(200);
    for (const offset of [0, 1095])
      expect(await faults([row("RFI.PLAN_END = Survey.ACTUAL_END", { offset })], { name: `Rule ${offset}` }), String(offset)).toBe(200);
    const text = { sources: [attr(at.batch.key)], target: attr(at.scenario.key), offset: 1 };
    expect(await faults([text], { ruleType: "ATTR_TO_ATTR" })).toEqual(["actions.0.offset RULE_OFFSET_DATES"]);
  });

  test("has a description of 2000 signs and ten rows at most [RUL-23] [RUL-24]", async () => {
    expect(await faults([plain], { description: "d".repeat(2001) })).toMatchObject([expect.stringMatching(/^description /)]);
    expect(await faults([plain], { description: "d".repeat(2000) })).toBe(200);
    const many = await makeMany(12);
    const rows = (count: number) =>
      many.ids
        .slice(1, count + 1)
        .map((a) => ({ sources: [{ k: "ACT", a: many.ids[0], f: "ACTUAL_END" }], target: { k: "ACT", a, f: "PLAN_END" } }));
    expect(await faults(rows(11), { flowId: many.flowId })).toEqual(["actions TOO_MANY"]);
    expect(await faults(rows(10), { flowId: many.flowId, name: "Ten" })).toBe(200);
  });

  test("takes the twelve frequencies and no other [RUL-08]", async () => {
    for (const frequency of [0, 0.25, 4.5, 5, 6, 36, 72])
      expect(await faults([plain], { autoExecute: true, frequency }), String(frequency)).toEqual(["frequency VALUE_UNKNOWN"]);
    const { id, rowVersion } = await save("Rule", [plain], { autoExecute: true });
    expect((await done(call("planAutoRule/detail", { id }))).frequency).toBe(24);
    let version = rowVersion;
    for (const frequency of [0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 8, 12, 24, 48]) {
      const saved = await done(
        call("planAutoRule/save", { ...typed("Rule", [plain], { autoExecute: true, frequency }), id, rowVersion: version }),
      );
      version = saved.rowVersion;
      expect((await done(call("planAutoRule/detail", { id }))).frequency).toBe(frequency);
    }
  });

  test("that would close a circle with rules in force is refused with the circle [RUL-25]", async () => {
    await enable("R1", ["RFI.PLAN_END = Survey.ACTUAL_END + 14"]);
    await enable("R2", ["MOS.PLAN_END = RFI.PLAN_END + 7"], { regionIds: [at.north] });
    const loop = await call("planAutoRule/save", typed("R3", ["RFI.PLAN_END = MOS.PLAN_END + 1"], { regionIds: [at.south] }));
    expect(loop).toMatchObject({
      status: 422,
      code: "RULE_LOOP",
      data: { path: expect.arrayContaining([`act.${act("RFI.PLAN_END").a}.PLAN_END`]) },
    });
    expect(loop.msg).toBe("Cyclic dependency, save failed: MOS · Plan end -> RFI · Plan end -> MOS · Plan end");
    // Start and end are fields of their own.
    expect(await call("planAutoRule/save", typed("R3", ["RFI.PLAN_START = MOS.PLAN_END + 1"]))).toMatchObject({ status: 200 });
  });

  test("that says what another says is refused, and told of before [RUL-26] [RUL-32]", async () => {
    const conditions = [{ object: attr(at.scenario.key), operator: "in", values: at.scenario.enumIds.map(String) }];
    const { id } = await save("First", [plain, "MOS.PLAN_END = RFI.PLAN_END"], { regionIds: [at.north], conditions });
    const twin = { conditions: [{ ...conditions[0], values: [...conditions[0]!.values].reverse() }] };
    const same = typed("Twin", ["MOS.PLAN_END = RFI.PLAN_END", plain], twin);
    expect(await call("planAutoRule/save", same)).toMatchObject({
      status: 422,
      code: "RULE_DUPLICATE",
      msg: "The same rule exists: First",
    });
    const check = (rule: object, more: object = {}) =>
      done(call("planAutoRule/checkRuleIsRepeatsByRuleType", { ruleType: "ACT_TO_ACT", rule, ...more }, at.td));
    expect(await check(same)).toEqual({ repeated: true, ruleId: id, ruleName: "First" });
    expect(await check(same, { excludeId: id })).toEqual({ repeated: false });
    expect(await check({ ...same, regionIds: [at.south] })).toEqual({ repeated: false });
    expect(await check({ ...same, conditions: [] })).toEqual({ repeated: false });
  });

  test("is changed with the version it was read in, and stays in force when it can", async () => {
    const rule = await enable("Rule", [plain]);
    const change = (rowVersion: number, more: object = {}) =>
      call("planAutoRule/save", { ...typed("Rule", [plain], more), id: rule.id, rowVersion });
    expect(await change(1)).toMatchObject({ status: 409, code: "STALE" });
    expect(await change(2, { expireDate: "2026-10-13" })).toMatchObject({
      code: "RULE_CANNOT_ENABLE",
      msg: "The rule cannot be enabled: it expired on 2026-10-13",
    });
    expect(await change(2, { description: "new" })).toMatchObject({ status: 200, data: { rowVersion: 3 } });
    expect((await list())[0]).toMatchObject({ status: "EFFECTIVE" });
  });

  test("that a recheck takes out of force meanwhile is not put back into force by a save", async () => {
    const rule = await enable("Rule", [plain]);
    const answer = await meanwhile(
      db,
      (sql) => sql`
        update plan_rule set status = 'INVALID', invalid_reason = 'EXPIRED', next_run_at = null, row_version = row_version + 1 where id = ${rule.id}`,
      () => call("planAutoRule/save", { ...typed("Rule", [plain], { description: "new" }), id: rule.id, rowVersion: rule.rowVersion }),
    );
    expect(answer).toMatchObject({ status: 409, code: "STALE" });
    expect((await list())[0]).toMatchObject({ status: "INVALID", invalidReason: "EXPIRED" });
  });
});

/** A flow of its own with many activities. */
async function makeMany(count: number): Promise<{ flowId: number; ids: number[] }> {
  const known = await db.owner<{ id: number; slot: number; name: string }[]>`
    insert into activity_library (project_id, slot, code, name)
    select ${at.id}, (select max(slot) from activity_library where project_id = ${at.id}) + n, 'M' || (select max(slot) from activity_library where project_id = ${at.id}) + n,
      'Many ' || (select max(slot) from activity_library where project_id = ${at.id}) + n from generate_series(1, ${count}) n returning id, slot, name`;
  return { flowId: await makeFlow(db.owner, at.id, at.pm.id, known), ids: known.map(({ id }) => id) };
}

describe("enabling", () => {
  test("is confirmed, and takes effect for those that can; disabling makes invalid [RUL-04] [RUL-05]", async () => {
    const { id } = await save("Rule", [plain]);
    for (const address of ["planAutoRule/enable", "planAutoRule/disable"])
      expect((await call(address, { ids: [id] })).problems, address).toMatchObject([{ path: "confirm" }]);
    expect(await done(call("planAutoRule/enable", { ids: [id], confirm: true }))).toEqual({ done: [id], refused: [] });
    expect((await list())[0]).toMatchObject({ status: "EFFECTIVE", invalidReason: null });
    expect(await done(call("planAutoRule/disable", { ids: [id], confirm: true }))).toEqual({ done: [id], refused: [] });
    expect((await list())[0]).toMatchObject({ status: "INVALID", invalidReason: "DISABLED" });
  });

  test("is refused while what a rule names is gone or changed, and says what [RUL-06]", async () => {
    const own = await makeAttribute(db.owner, at.id, { name: "Own date", type: "DATE" });
    const { id } = await save("Rule", [{ sources: [attr(own.key)], target: act("RFI.PLAN_END") }], {
      ruleType: "ATTR_TO_ACT",
      regionIds: [at.south],
      duFilter: [{ field: "region", type: "in", values: [String(at.north)] }],
      expireDate: "2026-10-14",
    });
    const enabled = (now = clock) => call("planAutoRule/enable", { ids: [id], confirm: true }, at.pm, now);
    const breaks: [string, string, string][] = [
      [
        `update activity_flow set status = 'draft' where id = ${at.flow.id}`,
        `update activity_flow set status = 'released' where id = ${at.flow.id}`,
        "the flow New site is not released",
      ],
      [
        `update delivery_region set status = 'INVALID' where id = ${at.south}`,
        `update delivery_region set status = 'ACTIVE' where id = ${at.south}`,
        "the region South is no longer valid",
      ],
      [
        `update delivery_region set status = 'INVALID' where id = ${at.north}`,
        `update delivery_region set status = 'ACTIVE' where id = ${at.north}`,
        "the region North is no longer valid",
      ],
      [
        `update activity_library set disabled_at = now() where id = ${act("RFI.PLAN_END").a}`,
        `update activity_library set disabled_at = null where id = ${act("RFI.PLAN_END").a}`,
        "the activity RFI is disabled or no longer in the flow",
      ],
      [
        `update flow_activity set is_milestone = true where activity_id = ${act("RFI.PLAN_END").a}; update activity_library set disabled_at = now() where id = ${act("RFI.PLAN_END").a}`,
        `update flow_activity set is_milestone = false; update activity_library set disabled_at = null`,
        "the milestone RFI is disabled or no longer in the flow",
      ],
      [
        `update attribute set in_rollout_plan = false where id = ${own.id}`,
        `update attribute set in_rollout_plan = true where id = ${own.id}`,
        "the attribute Own date is not shown in the roll-out plan",
      ],
      [
        `update attribute set type = 'TEXT' where id = ${own.id}`,
        `update attribute set type = 'DATE' where id = ${own.id}`,
        "the attribute Own date has another type now",
      ],
      [
        `update attribute set deleted_at = now() where id = ${own.id}`,
        `update attribute set deleted_at = null where id = ${own.id}`,
        "the attribute Own date is gone",
      ],
    ];
    for (const [broken, mended, reason] of breaks) {
      await db.owner.unsafe(broken);
      expect(await enabled(), reason).toMatchObject({
        status: 422,
        code: "RULE_CANNOT_ENABLE",
        msg: `The rule cannot be enabled: ${reason}`,
      });
      await db.owner.unsafe(mended);
    }
    const day = 86_400_000;
    expect(await enabled(new Date(clock.getTime() + day))).toMatchObject({ msg: "The rule cannot be enabled: it expired on 2026-10-14" });
    expect(await enabled()).toMatchObject({ status: 200 });
  });

  test("keeps to the number of rules that may be in force", async () => {
    await setLimit(db.owner, at.id, "rule.validMax", 1);
    const [one, two] = [await save("One", [plain]), await save("Two", ["MOS.PLAN_END = RFI.PLAN_END"])];
    expect(await done(call("planAutoRule/enable", { ids: [one.id], confirm: true }))).toMatchObject({ done: [one.id] });
    expect(await call("planAutoRule/enable", { ids: [two.id], confirm: true })).toMatchObject({
      code: "RULE_CANNOT_ENABLE",
      msg: "The rule cannot be enabled: at most 1 rules are in force",
    });
    await setLimit(db.owner, at.id, "rule.validMax", null);
  });

  test("ends when something a rule names changes, and its makers are told once", async () => {
    const own = await makeAttribute(db.owner, at.id, { name: "Changing", type: "DATE" });
    const rule = await enable("Rule", [{ sources: [attr(own.key)], target: act("RFI.PLAN_END") }], { ruleType: "ATTR_TO_ACT" });
    await db.owner`update attribute set in_rollout_plan = false where id = ${own.id}`;
    const [task] = await db.owner<{ id: string }[]>`
      insert into task (id, project_id, kind, direction, title, params, status, attempt_limit, origin_key, locale, created_by, created_at)
      values (gen_random_uuid(), ${at.id}, 'planRules.recheck', 'process', 'x', ${db.owner.json({ holderIds: [rule.id], targetKind: "ATTRIBUTE", targetIds: [own.id] })}, 'queued', 3, gen_random_uuid(), 'en', ${at.pm.id}, now())
      returning id`;
    expect(await imports.run(task!.id)).toMatchObject({ status: "succeeded" });
    expect((await list())[0]).toMatchObject({ status: "INVALID", invalidReason: "ATTRIBUTE_NOT_DISPLAYED" });
    const mails = await db.owner`select to_user_id as to from mail_outbox where project_id = ${at.id} and kind = 'planRule.invalid'`;
    expect(mails.map(({ to }) => to)).toEqual([at.pm.id]);
  });

  test("ends when a region is taken out of use that only a filter of the rule names", async () => {
    const id = await makeRegion(db.owner, at.id, "Closed soon");
    await enable("Rule", [plain], { duFilter: [{ field: "region", type: "in", values: [String(id)] }] });
    await done(call("deliveryRegion/setStatus", { id, status: "INVALID", confirm: true, rowVersion: 1 }));
    const [task] = await db.owner<{ id: string }[]>`
      select id from task where project_id = ${at.id} and kind = 'planRules.recheck' and status = 'queued'`;
    expect(await imports.run(task!.id)).toMatchObject({ status: "succeeded" });
    expect((await list())[0]).toMatchObject({ status: "INVALID", invalidReason: "REGION_INVALID" });
  });
});

test("the regions of filters and the choices that are filled in are named in the index, by copies and by rules stored before too", async () => {
  const [rooftop] = at.scenario.enumIds;
  const graded = await makeAttribute(db.owner, at.id, { name: "Grade", type: "LOOKUP_ENUM" });
  const [grade] = await db.owner<{ listId: number; id: number }[]>`
    with list as (insert into lookup_list (project_id, code, updated_at) values (${at.id}, 'Grades', now()) returning id)
    insert into lookup_value (list_id, value) select id, 'Gold' from list returning list_id as "listId", id`;
  await db.owner`update attribute set lookup_list_id = ${grade!.listId} where id = ${graded.id}`;
  const fixed = (value: number | string, target: object) => ({ sources: [{ k: "FIXED", value }], target });
  const { id } = await save(
    "Filled",
    [fixed(rooftop!, attr(at.scenario.key)), fixed(String(grade!.id), attr(graded.key)), fixed(String(rooftop), attr(at.batch.key))],
    {
      ruleType: "ACT_TO_ATTR",
      duFilter: [
        { field: "region", type: "in", values: [String(at.north), at.south] },
        { field: "code", type: "eq", values: ["7"] },
      ],
    },
  );
  const refs = async (holder: number) =>
    (
      await db.owner`select target_kind as kind, target_id as id, usage from config_ref where holder_kind = 'PLAN_RULE' and holder_id = ${holder}`
    )
      .map(({ kind, id: target, usage }) => `${kind} ${target} ${usage}`)
      .sort();
  const named = [
    ...[at.scenario.id, graded.id, at.batch.id].map((target) => `ATTRIBUTE ${target} TARGET`),
    `ENUM_VALUE ${rooftop} SOURCE`,
    `FLOW ${at.flow.id} CONDITION`,
    `LOOKUP_VALUE ${grade!.id} SOURCE`,
    ...[at.north, at.south].map((target) => `REGION ${target} CONDITION`),
  ].sort();
  expect(await refs(id)).toEqual(named);
  const copy = await done(call("planAutoRule/copy", { id }));
  expect(await refs(copy.id)).toEqual(named);
  await db.owner`delete from config_ref where holder_kind = 'PLAN_RULE' and holder_id = ${id} and target_kind in ('REGION', 'ENUM_VALUE', 'LOOKUP_VALUE')`;
  expect(await refs(id)).toHaveLength(named.length - 4);
  await db.owner.unsafe(await readFile("db/migrations/0460_index_filters_and_fixed_values_of_rules.sql", "utf8"));
  expect(await refs(id)).toEqual(named);
});

test("dates that rules can use are those of activities, and attributes that are dates [RUL-33]", async () => {
  const find = async (input: object) =>
    (await done(call("rollout/findAttrUsingDate", input, at.td))).fields.map(({ title }: { title: string }) => title);
  expect(await find({})).toContain("Due");
  expect(await find({})).not.toContain("Batch");
  const source = await find({ flowId: at.other, usage: "SOURCE" });
  expect(source).toContain("Survey · Baseline end");
  expect(source).not.toContain("MOS · Plan end");
  const target = await find({ flowId: at.other, usage: "TARGET" });
  expect(target).toContain("Survey · Plan end");
  expect(target).not.toContain("Survey · Baseline end");
});

test("rules are copied, sorted, filtered and deleted; what ran stays", async () => {
  const [one, two] = [await enable("One", [plain]), await save("Two", ["MOS.PLAN_END = RFI.PLAN_END"], { regionIds: [at.north] })];
  const copy = await done(call("planAutoRule/copy", { id: one.id }));
  expect(copy.name).toBe("One (2)");
  await done(
    call("planAutoRule/saveSort", {
      items: [
        { id: two.id, sortNo: 1, was: 2 },
        { id: one.id, sortNo: 5, was: 1 },
      ],
    }),
  );
  expect((await list()).map(({ name, sortNo }: { name: string; sortNo: number }) => `${sortNo} ${name}`)).toEqual([
    "1 Two",
    "1 One (2)",
    "5 One",
  ]);
  expect(await list({ field: "target", type: "like", values: ["mos"] })).toMatchObject([{ name: "Two" }]);
  expect(await list({ field: "status", type: "eq", values: ["EFFECTIVE"] })).toMatchObject([{ name: "One" }]);
  expect(await list({ field: "region", type: "eq", values: [at.south] })).toHaveLength(2);
  await done(call("planAutoRule/delete", { ids: [one.id] }));
  expect(await list({ field: "name", type: "like", values: ["one"] })).toMatchObject([{ name: "One (2)" }]);
  await save("One", [plain], { description: "again", actions: [row("RFI.PLAN_START = Survey.ACTUAL_END")] });
});

test("of two orders made upon the same one the second is refused, and taken once it is made upon the present one", async () => {
  const [one, two] = [await save("One", [plain]), await save("Two", ["MOS.PLAN_END = RFI.PLAN_END"])];
  const sort = (...places: [sortNo: number, was: number][]) =>
    call("planAutoRule/saveSort", {
      items: [one, two].map(({ id }, place) => ({ id, sortNo: places[place]![0], was: places[place]![1] })),
    });
  const places = async () => (await list()).map(({ name, sortNo }: { name: string; sortNo: number }) => `${sortNo} ${name}`);
  const audits = async () => (await db.owner`select 1 from audit_log where object = 'plan_rule order' and project_id = ${at.id}`).length;
  expect((await call("planAutoRule/saveSort", { items: [{ id: one.id, sortNo: 2 }] })).problems).toMatchObject([
    { path: "items.0.was", code: "VALUE_MISSING" },
  ]);
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
