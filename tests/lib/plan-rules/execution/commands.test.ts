import { beforeEach, describe, expect, test } from "vitest";
import { useDatabase } from "../../../support/database.ts";
import { done } from "../../activity-flows/make-flow.ts";
import { useFiles } from "../../imports/support.ts";
import { usePlanRules } from "../make-plan-rules.ts";

const db = useDatabase();
useFiles();
const { at, call, clear, day, enable, imports, makeDu, preview, revert, row, run, save, slot, typed, act } = usePlanRules(db);
beforeEach(clear);

const frozen = 1 | (1 << 4);
const surveyed = (actual_end: string, more: object = {}) => ({ Survey: { actual_end }, ...more });
/** Rooftop or batch B2, and surveyed. */
const conditions = () => [
  { open: 1, object: { k: "ATTR", key: at.scenario.key }, operator: "in", values: [String(at.scenario.enumIds[0])], logic: "OR" },
  { object: { k: "ATTR", key: at.batch.key }, operator: "eq", values: [" b2 "], close: 1, logic: "AND" },
  { object: act("Survey.ACTUAL_END"), operator: "isNotEmpty" },
];
const ext = (scenario: 0 | 1, batch: string) => ({
  ext: { [at.scenario.key]: String(at.scenario.enumIds[scenario]), [at.batch.key]: batch },
});

describe("a run [RUL-03]", () => {
  test("fills what the conditions hold for, leaves what is right, and says why it left the rest", async () => {
    const rule = await enable("RFI", ["RFI.PLAN_END = Survey.ACTUAL_END + 14"], { conditions: conditions() });
    const one = await makeDu(surveyed("2025-03-03"), ext(0, "B1"));
    const two = await makeDu(surveyed("2025-03-05", { RFI: { plan_end: "2025-03-19" } }), ext(1, "B2"));
    const three = await makeDu(surveyed("2025-03-03"), ext(1, "B1"));
    const four = await makeDu({}, ext(0, "B1"));
    const five = await makeDu(surveyed("2025-03-10", { RFI: { plan_end: "2025-03-20", state: frozen } }), ext(0, "B1"));
    const { run: told, cells, task } = await run([rule.id]);
    expect(task).toMatchObject({ status: "succeeded" });
    expect(cells).toEqual([`${one} RFI · Plan end - 2025-03-17 CHANGED`, `${five} RFI · Plan end 2025-03-20 2025-03-24 FROZEN`]);
    expect(told).toMatchObject({ mode: "MANUAL", status: "DONE", startedByName: at.pm.name, scopeCount: 5, matchedCount: 3 });
    expect(told).toMatchObject({ changedCount: 1, unchangedCount: 1, skippedCount: 1, skipped: { FROZEN: 1 } });
    expect(await Promise.all([one, two, three, four, five].map((du) => day(du, "RFI.PLAN_END")))).toEqual([
      "2025-03-17",
      "2025-03-19",
      null,
      null,
      "2025-03-20",
    ]);
    const [batch] =
      await db.owner`select source, actor_id, origin, du_count from plan_batch where project_id = ${at.id} order by id desc limit 1`;
    expect(batch).toMatchObject({ source: "rule", actor_id: null, origin: { kind: "rule_run", id: told.id }, du_count: 1 });
    // Again without a change: nothing to write.
    const again = await run([rule.id]);
    expect(again.run).toMatchObject({ changedCount: 0, unchangedCount: 2, skippedCount: 1 });
    const [batches] = await db.owner`select count(*)::int as n from plan_batch where project_id = ${at.id} and source = 'rule'`;
    expect(batches).toEqual({ n: 1 });
  });

  test("of two rules for one cell the one with the smaller place wins, also when only the other runs", async () => {
    const auto = { autoExecute: true };
    const north = await enable("North", ["RFI.PLAN_END = Survey.ACTUAL_END + 14"], { regionIds: [at.north], sortNo: 1, ...auto });
    const all = await save("All", ["RFI.PLAN_END = Permit.ACTUAL_END + 7"], { sortNo: 2 });
    expect(all.warnings).toMatchObject([{ ruleId: north.id, name: "North", field: "RFI · Plan end" }]);
    await done(call("planAutoRule/enable", { ids: [all.id], confirm: true }));
    const plan = { Survey: { actual_end: "2025-03-03" }, Permit: { actual_end: "2025-03-20" } };
    const [n, s] = [await makeDu(plan, { regionId: at.north }), await makeDu(plan, { regionId: at.south })];
    const second = await run([all.id]);
    expect(second.run).toMatchObject({ matchedCount: 2, changedCount: 1, rules: [{ superseded: 1 }] });
    expect([await day(n, "RFI.PLAN_END"), await day(s, "RFI.PLAN_END")]).toEqual([null, "2025-03-27"]);
    await run([north.id, all.id]);
    expect([await day(n, "RFI.PLAN_END"), await day(s, "RFI.PLAN_END")]).toEqual(["2025-03-17", "2025-03-27"]);
  });

  test("over several activities takes the latest or the earliest, and waits for all or not", async () => {
    const over = (more: object) => ({
      sources: ["Civil", "Power", "Permit"].map((name) => act(`${name}.ACTUAL_END`)),
      target: act("MOS.PLAN_END"),
      offset: 3,
      ...more,
    });
    const type = { ruleType: "MULTI_ACT" };
    const all = await enable("All", [over({ aggregate: "LATEST" })], type);
    const full = { Civil: { actual_end: "2025-03-03" }, Power: { actual_end: "2025-03-07" }, Permit: { actual_end: "2025-03-05" } };
    const { Power: _power, ...part } = full;
    const [one, two] = [await makeDu(full), await makeDu(part)];
    expect((await run([all.id])).run).toMatchObject({ changedCount: 1, rules: [{ sourceEmpty: 1 }] });
    expect([await day(one, "MOS.PLAN_END"), await day(two, "MOS.PLAN_END")]).toEqual(["2025-03-10", null]);
    await done(call("planAutoRule/disable", { ids: [all.id], confirm: true }));
    const some = await enable("Some", [over({ aggregate: "LATEST", blanks: "IGNORE", offset: 3 })], {
      ...type,
      description: "other",
    }).catch(() => null);
    // The same but for its blanks: what it says is the same.
    expect(some).toBeNull();
    await done(call("planAutoRule/delete", { ids: [all.id] }));
    const ignoring = await enable("Some", [over({ aggregate: "LATEST", blanks: "IGNORE" })], type);
    await run([ignoring.id]);
    expect(await day(two, "MOS.PLAN_END")).toBe("2025-03-08");
    const first = await enable("First", [over({ aggregate: "EARLIEST", offset: 0 })], { ...type, sortNo: 1 });
    await run([first.id]);
    expect(await day(one, "MOS.PLAN_END")).toBe("2025-03-03");
  });

  test("carries a chain through in one run, whatever the places of its rules", async () => {
    const one = await enable("Second", ["MOS.PLAN_END = RFI.PLAN_END + 7"], { sortNo: 1 });
    const two = await enable("First", ["RFI.PLAN_END = Survey.ACTUAL_END + 14"], { sortNo: 9 });
    const du = await makeDu(surveyed("2025-03-03"));
    await run([one.id, two.id]);
    expect([await day(du, "RFI.PLAN_END"), await day(du, "MOS.PLAN_END")]).toEqual(["2025-03-17", "2025-03-24"]);
  });

  test("judges the order of two dates after both are filled", async () => {
    const start = await enable("Start", ["RFI.PLAN_START = Survey.ACTUAL_END"], {});
    const du = await makeDu({
      Survey: { actual_end: "2025-03-20" },
      Permit: { actual_end: "2025-03-25" },
      RFI: { plan_start: "2025-03-01", plan_end: "2025-03-05" },
    });
    expect((await run([start.id])).cells).toEqual([`${du} RFI · Plan start 2025-03-01 2025-03-20 PLAN_ORDER`]);
    const end = await enable("End", ["RFI.PLAN_END = Permit.ACTUAL_END"], {});
    expect((await run([start.id, end.id])).run).toMatchObject({ changedCount: 2, skippedCount: 0 });
    expect([await day(du, "RFI.PLAN_START"), await day(du, "RFI.PLAN_END")]).toEqual(["2025-03-20", "2025-03-25"]);
  });

  test("fills attributes in their own form, and reads them", async () => {
    const attr = (key: string) => ({ k: "ATTR", key });
    const out = await enable(
      "Out",
      [
        { sources: [act("Survey.ACTUAL_END")], target: attr(at.due.key), offset: 2 },
        { sources: [{ k: "FIXED", value: "ready" }], target: attr(at.batch.key), overwrite: false },
      ],
      { ruleType: "ACT_TO_ATTR" },
    );
    const [one, two] = [await makeDu(surveyed("2025-03-03")), await makeDu(surveyed("2025-03-04"), { ext: { [at.batch.key]: "B1" } })];
    const first = await run([out.id]);
    expect(first.cells).toEqual([`${one} Due - 2025-03-05 CHANGED`, `${one} Batch - ready CHANGED`, `${two} Due - 2025-03-06 CHANGED`]);
    const stored = await db.owner`select ext from du where id = any(${[one, two]}::bigint[]) order by id`;
    expect(stored.map(({ ext: values }) => values)).toEqual([
      { [at.due.key]: "2025-03-05", [at.batch.key]: "ready" },
      { [at.due.key]: "2025-03-06", [at.batch.key]: "B1" },
    ]);
    const back = await enable("Back", [{ sources: [attr(at.due.key)], target: act("RFI.PLAN_START"), offset: 1 }], {
      ruleType: "ATTR_TO_ACT",
    });
    await run([back.id]);
    expect(await day(one, "RFI.PLAN_START")).toBe("2025-03-06");
    // The first day of the calendar is a day of an attribute, but none that a plan can hold.
    await db.owner`update du set ext = ext || ${db.owner.json({ [at.due.key]: "2000-01-01" })} where id = ${two}`;
    await run([back.id]);
    expect(await day(two, "RFI.PLAN_START")).toBe("2000-01-02");
    const same = await enable("Same", [{ sources: [attr(at.due.key)], target: act("MOS.PLAN_START") }], { ruleType: "ATTR_TO_ACT" });
    expect((await run([same.id])).cells).toContain(`${two} MOS · Plan start - - DATE_OUT_OF_RANGE`);
    const label = await enable("Label", [{ sources: [attr(at.batch.key)], target: attr(at.scenario.key) }], { ruleType: "ATTR_TO_ATTR" });
    expect((await run([label.id])).run).toMatchObject({ changedCount: 0, skipped: { ENUM_MISMATCH: 2 } });
    await db.owner`update du set ext = ext || ${db.owner.json({ [at.batch.key]: " rooftop " })} where id = ${one}`;
    expect((await run([label.id])).cells).toContain(`${one} Site scenario - Rooftop CHANGED`);
  });

  test("computes a DU anew that somebody changed while it read", async () => {
    const rule = await enable("RFI", ["RFI.PLAN_END = Survey.ACTUAL_END + 14"]);
    const [one, two] = [await makeDu(surveyed("2025-03-03")), await makeDu(surveyed("2025-03-03"))];
    // Another session holds the second DU with a change of the survey: the run reads the old one and waits for its lock.
    const holder = await db.owner.reserve();
    await holder`begin`;
    await holder`select 1 from du where id = ${two} for no key update`;
    await holder`update du_plan set actual_end = '{9200}', row_version = row_version + 1 where du_id = ${two}`;
    const running = run([rule.id]);
    for (let turn = 0, waiting = 0; waiting === 0 && turn < 300; turn++) {
      const rows =
        await db.owner`select 1 from pg_stat_activity where datname = ${db.name} and wait_event_type = 'Lock' and query like '%from du %'`;
      waiting = rows.length;
      if (waiting === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await holder`commit`;
    holder.release();
    expect((await running).run).toMatchObject({ status: "DONE", changedCount: 2, scopeCount: 2, matchedCount: 2 });
    expect([await day(one, "RFI.PLAN_END"), await day(two, "RFI.PLAN_END")]).toEqual(["2025-03-17", "2025-03-24"]);
  });

  test("is refused without rules, for more than ten, for rules out of force, and while they run", async () => {
    const problems = async (ruleIds: number[]) => (await call("planAutoRule/run", { ruleIds })).problems?.map(({ code }) => code);
    expect(await problems([])).toEqual(["NO_SELECTION"]);
    expect(await problems(Array.from({ length: 11 }, (_, id) => id + 1))).toEqual(["TOO_MANY_RULES"]);
    const [on, off] = [
      await enable("On", ["RFI.PLAN_END = Survey.ACTUAL_END"]),
      await save("Off", ["RFI.PLAN_END = Survey.ACTUAL_END + 1"]),
    ];
    const invalid = await call("planAutoRule/run", { ruleIds: [on.id, off.id] });
    expect(invalid).toMatchObject({ status: 422, code: "RULES_INVALID", msg: "Checked rules invalid, reselect: Off" });
    const { taskId } = await done(call("planAutoRule/run", { ruleIds: [on.id] }));
    const busy = { status: 422, code: "RULE_EXECUTING", msg: "Rules are executing, please wait: On" };
    expect(await call("planAutoRule/run", { ruleIds: [on.id] })).toMatchObject(busy);
    expect(await call("planAutoRule/disable", { ids: [on.id], confirm: true })).toMatchObject(busy);
    expect(await call("planAutoRule/delete", { ids: [on.id] })).toMatchObject(busy);
    expect(
      await call("planAutoRule/save", { ...typed("On", ["RFI.PLAN_END = Survey.ACTUAL_END"]), id: on.id, rowVersion: 2 }),
    ).toMatchObject(busy);
    expect(await call("planAutoRule/saveSort", { items: [{ id: on.id, sortNo: 5, was: 1 }] })).toMatchObject(busy);
    expect(await imports.run(taskId)).toMatchObject({ status: "succeeded", message_args: {} });
    expect(await call("planAutoRule/disable", { ids: [on.id], confirm: true })).toMatchObject({ status: 200 });
  }, 30_000);

  test("[RUL-27] [RUL-28] [RUL-29] [RUL-30] ten rules at once are run", async () => {
    const ids: number[] = [];
    for (let offset = 0; offset < 10; offset++) ids.push((await enable(`R${offset}`, [`RFI.PLAN_END = Survey.ACTUAL_END + ${offset}`])).id);
    const du = await makeDu(surveyed("2025-03-03"));
    expect((await run(ids)).run).toMatchObject({ changedCount: 1, status: "DONE" });
    expect(await day(du, "RFI.PLAN_END")).toBe("2025-03-03");
  });
});

describe("a preview", () => {
  test("writes nothing but its result, and the run after it says where it did something else", async () => {
    const rule = await enable("RFI", ["RFI.PLAN_END = Survey.ACTUAL_END + 14"]);
    const [one, two] = [await makeDu(surveyed("2025-03-03")), await makeDu(surveyed("2025-03-04"))];
    const seen = await preview({ ruleIds: [rule.id] });
    expect(seen.run).toMatchObject({ mode: "PREVIEW", changedCount: 2 });
    expect(await day(one, "RFI.PLAN_END")).toBeNull();
    await db.owner`update du_plan set actual_end = '{9200}' where du_id = ${two}`;
    const { task } = await run([rule.id], { previewRunId: seen.run.id });
    // One cell of the preview is missing, another is there instead.
    expect(task.result).toMatchObject({ changed: 2, differs: 2 });
  });

  test("of a rule that is being typed needs no stored one, and refuses a circle", async () => {
    await makeDu(surveyed("2025-03-03"));
    const { cells } = await preview({ rule: typed("Typed", ["RFI.PLAN_END = Survey.ACTUAL_END + 1"]) });
    expect(cells).toHaveLength(1);
    await enable("Back", ["Survey.PLAN_END = RFI.PLAN_END"]);
    const circle = await call("planAutoRule/preview", { rule: typed("Circle", ["RFI.PLAN_END = Survey.PLAN_END"]) });
    expect(circle).toMatchObject({
      code: "RULE_LOOP",
      msg: "Cyclic dependency, save failed: Survey · Plan end -> RFI · Plan end -> Survey · Plan end",
    });
  });

  test("counts the DUs that conditions hold for while they are typed", async () => {
    await makeDu(surveyed("2025-03-03"), ext(0, "B1"));
    await makeDu({}, ext(0, "B1"));
    const asked = { flowId: at.flow.id, conditions: conditions() };
    expect(await done(call("planAutoRule/count", asked))).toEqual({ scope: 2, matched: 1 });
    expect(await done(call("planAutoRule/count", { ...asked, regionIds: [at.north] }))).toEqual({ scope: 0, matched: 0 });
  });
});

describe("taking a run back", () => {
  test("puts back what is still as the run left it, for one rule or all, once and within seven days", async () => {
    const one = await enable("RFI", ["RFI.PLAN_END = Survey.ACTUAL_END + 14"]);
    const two = await enable("MOS", ["MOS.PLAN_END = Survey.ACTUAL_END + 20"]);
    const [a, b] = [await makeDu(surveyed("2025-03-03", { RFI: { plan_end: "2025-04-01" } })), await makeDu(surveyed("2025-03-04"))];
    const { run: origin } = await run([one.id, two.id]);
    expect(origin.changedCount).toBe(4);
    await db.owner`update du_plan set plan_end[${slot("RFI")}] = 9300, row_version = row_version + 1 where du_id = ${b}`;
    const back = await revert(origin.id, { ruleIds: [one.id] });
    expect(back.run).toMatchObject({ mode: "REVERT", changedCount: 1, skipped: { CHANGED_SINCE: 1 }, revertsRunId: origin.id });
    expect([await day(a, "RFI.PLAN_END"), await day(a, "MOS.PLAN_END")]).toEqual(["2025-04-01", "2025-03-23"]);
    const again = await call("planAutoRule/run/revert", { runId: origin.id, ruleIds: [one.id] });
    expect(again).toMatchObject({ code: "ALREADY_REVERTED", msg: "Already taken back: RFI" });
    const rest = await revert(origin.id);
    expect(rest.run).toMatchObject({ changedCount: 2 });
    expect([await day(a, "MOS.PLAN_END"), await day(b, "MOS.PLAN_END")]).toEqual([null, null]);
    const later = await run([one.id]);
    await db.owner`update rule_run set finished_at = finished_at - interval '8 days' where id = ${later.run.id}`;
    expect(await call("planAutoRule/run/revert", { runId: later.run.id })).toMatchObject({ code: "REVERT_TOO_OLD" });
  });

  test("puts attributes back, and clears those that were blank", async () => {
    const rule = await enable(
      "Out",
      [
        { sources: [act("Survey.ACTUAL_END")], target: { k: "ATTR", key: at.due.key } },
        { sources: [{ k: "FIXED", value: "ready" }], target: { k: "ATTR", key: at.batch.key } },
      ],
      { ruleType: "ACT_TO_ATTR" },
    );
    const du = await makeDu(surveyed("2025-03-03"), { ext: { [at.batch.key]: "B1" } });
    const { run: origin } = await run([rule.id]);
    expect(origin.changedCount).toBe(2);
    expect((await revert(origin.id)).run).toMatchObject({ changedCount: 2 });
    const [stored] = await db.owner`select ext from du where id = ${du}`;
    expect(stored!.ext).toEqual({ [at.batch.key]: "B1" });
  });
});

test("rules are looked at with rule.view, run with rule.run alone [RUL-31]", async () => {
  const rule = await enable("RFI", ["RFI.PLAN_END = Survey.ACTUAL_END + 14"]);
  for (const [address, input] of [
    ["planAutoRule/save", typed("New", ["RFI.PLAN_END = Survey.ACTUAL_END"])],
    ["planAutoRule/enable", { ids: [rule.id], confirm: true }],
    ["planAutoRule/disable", { ids: [rule.id], confirm: true }],
    ["planAutoRule/delete", { ids: [rule.id] }],
    ["planAutoRule/run", { ruleIds: [rule.id] }],
  ] as const)
    expect(await call(address, input, at.td), address).toMatchObject({ status: 403 });
  expect(await call("planAutoRule/detail", { id: rule.id }, at.td)).toMatchObject({ status: 200, data: { name: "RFI" } });
  expect((await done(call("planAutoRule/list/1/20/default/%5B%5D", {}, at.td))).records).toMatchObject([
    { id: rule.id, targets: ["RFI · Plan end"] },
  ]);
  expect(row("RFI.PLAN_END = Survey.ACTUAL_END").offset).toBe(0);
});
