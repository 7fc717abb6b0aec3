import { beforeEach, describe, expect, it } from "vitest";
import { dayNumber } from "#lib/core/clock.ts";
import { type WriteOptions, writePlanRows } from "#lib/rollout-plan/plan-rows/commands.ts";
import { setCell } from "#lib/rollout-plan/plan-rows/logic.ts";
import { readPlanRows } from "#lib/rollout-plan/plan-rows/queries.ts";
import { useDatabase } from "../../../support/database.ts";
import { inProject } from "../../../support/plan-ctx.ts";
import { makeDus } from "../../../support/plan-factories.ts";
import { planCalls, usePlanProject } from "../../../support/plan-project.ts";

const db = useDatabase();
const project = usePlanProject(db);
const { call, save, plan, install } = planCalls(db, project);

const rfi = () => project.activities[2]!.id;
/** Installation planned to end more than 14 days after the RFI was done. */
const given = (more: object = {}) => ({
  anchorActivityId: rfi(),
  fieldA: "actualEnd",
  alertActivityId: install(),
  fieldB: "planEnd",
  operator: "GT",
  days: 14,
  level: "DEFAULT",
  message: "{du}: {b} ends {days} days after {a}",
  ...more,
});
const store = (more: object = {}) => call(project.pm, "warningConfig/save", given(more));
const list = async () => (await call(project.pm, "warningConfig/list")).data.records;
const dus = (count: number, end?: string) =>
  makeDus(
    db.owner,
    project.id,
    Array.from({ length: count }, () => ({ plan: { 3: { actual_end: "2026-10-01" }, 5: { ...(end && { plan_end: end }) } } })),
    project.flow,
  );
const enter = (duId: number, value: string, more: object = {}) =>
  save(project.pm, [{ duId, activityId: install(), field: "planEnd", value }], more as Record<string, unknown>);

beforeEach(async () => {
  await db.owner`delete from warning_config where project_id = ${project.id}`;
});

describe("warningConfig/save", () => {
  it("keeps anchor and alert with their dates, operator, days, level and message [REM-11] [REM-12]", async () => {
    const { data } = await store({ flowId: project.flow.id });
    expect(data).toEqual({ id: expect.any(Number), rowVersion: 1 });
    expect(await list()).toMatchObject([
      { ...given({ flowId: project.flow.id }), id: data.id, anchorName: "RFI", alertName: "Install", status: "ENABLED", sortNo: 1 },
    ]);
    for (const level of ["ADVISORY", "MANDATORY"]) expect((await store({ level })).status).toBe(200);
    expect((await store({ level: "STRICT" })).problems).toMatchObject([{ path: "level" }]);
    const refs =
      await db.owner`select target_kind, usage from config_ref where holder_kind = 'WARNING' and holder_id = ${data.id} order by 1, 2`;
    expect(refs.map((ref) => `${ref.target_kind} ${ref.usage}`)).toEqual(["ACTIVITY CONDITION", "ACTIVITY TARGET", "FLOW CONDITION"]);
  });

  it("takes days from -999 to 999 [REM-15]", async () => {
    for (const days of [-999, 999]) expect((await store({ days })).status).toBe(200);
    for (const days of [-1000, 1000, 0.5]) expect((await store({ days })).problems).toMatchObject([{ path: "days" }]);
  });

  it("compares two dates, of one activity or two, and names what is wrong", async () => {
    const same = { anchorActivityId: install(), fieldA: "planEnd" };
    expect((await store(same)).problems).toMatchObject([
      { path: "fieldB", code: "SAME_FIELD", msg: "Date A and date B are the same date" },
    ]);
    expect((await store({ ...same, fieldA: "planStart" })).status).toBe(200);
    expect((await store({ alertActivityId: 999_999_999 })).problems).toMatchObject([{ path: "alertActivityId", code: "NOT_FOUND" }]);
    expect((await store({ message: " " })).problems).toMatchObject([{ path: "message" }]);
  });

  it("changes and deletes what was read, and refuses a stale one", async () => {
    const { id } = (await store()).data;
    expect((await store({ id, rowVersion: 1, days: 20, status: "DISABLED" })).data).toEqual({ id, rowVersion: 2 });
    expect((await store({ id, rowVersion: 1 })).code).toBe("STALE");
    expect(await list()).toMatchObject([{ id, days: 20, status: "DISABLED", matches: null }]);
    expect((await call(project.viewer, "warningConfig/delete", { ids: [id] })).status).toBe(403);
    expect((await call(project.pm, "warningConfig/delete", { ids: [id] })).data).toEqual({ deleted: 1 });
    expect((await call(project.pm, "warningConfig/delete", { ids: [id] })).code).toBe("NOT_FOUND");
  });
});

describe("levels", () => {
  it("DEFAULT is shown with its text and counted, and hinders nothing", async () => {
    await store();
    const [hit, close] = [(await dus(1))[0]!, (await dus(1, "2026-10-15"))[0]!];
    const before = (await list())[0].matches;
    expect((await enter(hit, "2026-10-20")).data).toMatchObject({ saved: 1 });
    expect((await list())[0].matches).toBe(before + 1);
    const [du] = await db.owner`select code from du where id = ${hit}`;
    const { data } = await call(project.pm, "warningConfig/evaluate", { duIds: [hit, close] });
    expect(data.warnings).toEqual([
      { duId: hit, activityId: install(), field: "planEnd", level: "DEFAULT", message: `${du!.code}: Install ends 19 days after RFI` },
    ]);
  });

  it("ADVISORY asks before the save and passes once confirmed; an old hit is no question", async () => {
    await store({ level: "ADVISORY" });
    const [duId] = await dus(1);
    const asked = await enter(duId!, "2026-10-20");
    expect(asked).toMatchObject({
      status: 422,
      code: "WARNING_CONFIRM",
      data: {
        questions: [{ code: "WARNING_CONFIRM", duId, activityId: install(), field: "planEnd", msg: expect.stringContaining("19 days") }],
      },
    });
    expect((await plan(duId!)).plan_end[4] ?? 0).toBe(0);
    // Another day is another question.
    const other = await enter(duId!, "2026-10-21", { confirmed: asked.data.confirm });
    expect(other.code).toBe("WARNING_CONFIRM");
    expect((await enter(duId!, "2026-10-20", { confirmed: asked.data.confirm })).data).toMatchObject({ saved: 1 });
    const later = await save(project.pm, [
      { duId: duId!, activityId: install(), field: "planEnd", value: "2026-10-25", base: "2026-10-20" },
    ]);
    expect(later.data).toMatchObject({ saved: 1 });
  });

  it("MANDATORY refuses the DU with its text, in the grid and in a batch; the others are saved", async () => {
    await store({ level: "MANDATORY" });
    const [far, near] = await dus(2);
    const answer = await save(project.pm, [
      { duId: far!, activityId: install(), field: "planEnd", value: "2026-10-16" },
      { duId: near!, activityId: install(), field: "planEnd", value: "2026-10-15" },
    ]);
    expect(answer.data).toMatchObject({
      saved: 1,
      rejected: [{ duId: far, code: "WARNING_MANDATORY", msg: expect.stringContaining("15 days after RFI") }],
    });
    const batch = await call(project.pm, "rolloutPlan/batch/setDate", {
      duIds: [far, near],
      activityIds: [install()],
      field: "planEnd",
      mode: "set",
      value: "2026-10-14",
    });
    expect(batch.data).toMatchObject({ changed: 2, rejected: [] });
    expect((await plan(far!)).plan_end[4]).toBe(dayNumber("2026-10-14"));
  });

  it("an import and a rule refuse what is mandatory, and tell what is advisory without asking", async () => {
    const enterAs = (duId: number, options: WriteOptions) =>
      inProject(project.pm, project.number, async (ctx, audited) => {
        const block = await readPlanRows(ctx, [duId], { lock: true });
        setCell(block, 0, 5, "planEnd", dayNumber("2026-10-20"));
        return { ...(await writePlanRows(ctx, block, options)), audited: audited.map(({ object }) => object) };
      });
    const sources: WriteOptions[] = [
      { source: "import", reason: "r" },
      { source: "rule", byPerson: false },
    ];
    for (const options of sources) {
      await db.owner`delete from warning_config where project_id = ${project.id}`;
      const [duId] = await dus(1);
      const { id } = (await store({ level: "MANDATORY" })).data;
      expect(await enterAs(duId!, options)).toMatchObject({ written: [], rejected: [{ code: "WARNING_MANDATORY" }] });
      await store({ id, rowVersion: 1, level: "ADVISORY" });
      const told = await enterAs(duId!, options);
      expect(told).toMatchObject({ written: [duId], rejected: [], questions: [{ code: "WARNING_CONFIRM", duId }] });
      expect(told.audited).toContain("plan warnings");
    }
  });

  it("a question of dependency rules and one of warnings come in one reply", async () => {
    await store({ level: "ADVISORY", anchorActivityId: project.activities[0]!.id, fieldA: "planStart", operator: "GE", days: 0 });
    await call(project.pm, "rollPlanDependency/save", {
      prerequisites: [{ activityId: rfi(), event: "COMPLETE" }],
      targets: [{ activityId: install(), event: "START" }],
    });
    const [duId] = await makeDus(
      db.owner,
      project.id,
      [
        {
          plan: {
            1: { plan_start: "2026-10-01" },
            3: { actual_end: "2026-10-02", plan_owner: project.ownSet },
            5: { actual_start: "2026-10-03" },
          },
        },
      ],
      project.flow,
    );
    const edits = [
      { duId: duId!, activityId: rfi(), field: "actualEnd", value: null, base: "2026-10-02" },
      { duId: duId!, activityId: install(), field: "planEnd", value: "2026-10-20" },
    ];
    const asked = await save(project.pm, edits, { reason: "wrong site" });
    expect(asked.data.questions.map(({ code }: { code: string }) => code)).toEqual(["DEP_CLEAR_CONFIRM", "WARNING_CONFIRM"]);
    expect((await save(project.pm, edits, { reason: "wrong site", confirmed: asked.data.confirm })).data.saved).toBe(2);
  });
});
