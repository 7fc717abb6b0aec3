import { beforeEach, describe, expect, test } from "vitest";
import { useDatabase } from "../../../support/database.ts";
import { done } from "../../activity-flows/make-flow.ts";
import { useFiles } from "../../imports/support.ts";
import { usePlanRules } from "../make-plan-rules.ts";

const db = useDatabase();
useFiles();
const { act, at, call, clear, day, enable, makeDu, run, revert } = usePlanRules(db);
beforeEach(async () => {
  await clear();
  await db.owner`delete from dep_rule where project_id = ${at.id}`;
  await db.owner`delete from warning_config where project_id = ${at.id}`;
});

const event = (text: string, name: "START" | "COMPLETE") => ({ activityId: act(text).a, event: name });
const depend = (prerequisite: string, target: object) =>
  done(call("rollPlanDependency/save", { prerequisites: [event(prerequisite, "COMPLETE")], targets: [target] }));
const warn = (level: "ADVISORY" | "MANDATORY", days: number) =>
  db.owner`
    insert into warning_config (project_id, anchor_activity_id, field_a, alert_activity_id, field_b, operator, days, level, message, sort_no, created_by, created_at,
      updated_by, updated_at)
    values (${at.id}, ${act("Survey.ACTUAL_END").a}, 'actualEnd', ${act("RFI.PLAN_END").a}, 'planEnd', 'GT', ${days}, ${level}, '{du} {days}', ${days}, ${at.pm.id}, now(),
      ${at.pm.id}, now())`;
const owned = (dates: object) => ({ plan_owner: at.ownSet, ...dates });

describe("a run beside dependency rules and warnings", () => {
  test("leaves alone only the cells that would break them, says why, and lists what it only warns of", async () => {
    await depend("Permit.ACTUAL_END", event("MOS.ACTUAL_START", "START"));
    await warn("MANDATORY", 30);
    const starts = await enable("Starts", ["MOS.ACTUAL_START = Survey.ACTUAL_END", "MOS.PLAN_END = Survey.ACTUAL_END + 20"]);
    const ends = await enable("Ends", ["RFI.PLAN_END = Permit.PLAN_END"]);
    const survey = owned({ actual_end: "2026-03-03" });
    const plan = (permit: object) => ({ Survey: survey, Permit: owned(permit), MOS: owned({}) });
    const early = await makeDu(plan({ plan_end: "2026-03-20" }));
    const late = await makeDu(plan({ plan_end: "2026-05-20", actual_end: "2026-03-02" }));
    // What is late already is no new warning; an activity that does not apply is not waited for.
    const old = await makeDu({ ...plan({ plan_end: "2026-06-20", state: 3 }), RFI: { plan_end: "2026-05-20" } });
    const { run: told, cells } = await run([starts.id, ends.id]);
    expect(told).toMatchObject({ status: "DONE", changedCount: 7, skipped: { DEP_PREREQ_UNMET: 1, WARNING_MANDATORY: 1 } });
    expect([...cells].sort()).toEqual(
      [
        `${early} MOS · Actual start - 2026-03-03 DEP_PREREQ_UNMET`,
        `${early} MOS · Plan end - 2026-03-23 CHANGED`,
        `${early} RFI · Plan end - 2026-03-20 CHANGED`,
        `${late} MOS · Actual start - 2026-03-03 CHANGED`,
        `${late} MOS · Plan end - 2026-03-23 CHANGED`,
        `${late} RFI · Plan end - 2026-05-20 WARNING_MANDATORY`,
        `${old} MOS · Actual start - 2026-03-03 CHANGED`,
        `${old} MOS · Plan end - 2026-03-23 CHANGED`,
        `${old} RFI · Plan end 2026-05-20 2026-06-20 CHANGED`,
      ].sort(),
    );
    expect([await day(early, "MOS.ACTUAL_START"), await day(late, "RFI.PLAN_END")]).toEqual([null, null]);
    const warnings = () =>
      db.owner`select detail -> 'after' as after from audit_log where project_id = ${at.id} and object = 'plan warnings'`;
    expect(await warnings()).toEqual([]);
    // The prerequisite comes: the cell is filled by the next run. A warning that only advises is listed.
    await db.owner`delete from warning_config where project_id = ${at.id}`;
    await warn("ADVISORY", 31);
    const end = { duId: early, activityId: act("Permit.ACTUAL_END").a, field: "actualEnd", value: "2026-03-04", base: null };
    await done(call("rolloutPlan/save", { edits: [end] }));
    const next = await run([starts.id, ends.id]);
    expect([...next.cells].sort()).toEqual([
      `${early} MOS · Actual start - 2026-03-03 CHANGED`,
      `${late} RFI · Plan end - 2026-05-20 CHANGED`,
    ]);
    expect(await warnings()).toMatchObject([
      {
        after: {
          source: "rule",
          origin: { kind: "rule_run", id: next.run.id },
          count: 1,
          warnings: [{ code: "WARNING_CONFIRM", duId: late }],
        },
      },
    ]);
  });

  test("of what a run has filled, the attribute that waits is left alone and nothing else", async () => {
    await depend("Permit.ACTUAL_END", { attributeId: at.batch.id, event: "MAINTAIN" });
    const rule = await enable(
      "Out",
      [
        { sources: [act("Survey.ACTUAL_END")], target: { k: "ATTR", key: at.due.key } },
        { sources: [{ k: "FIXED", value: "ready" }], target: { k: "ATTR", key: at.batch.key } },
      ],
      { ruleType: "ACT_TO_ATTR" },
    );
    const du = await makeDu({ Survey: { actual_end: "2026-03-03" } });
    const { cells, run: told } = await run([rule.id]);
    expect(cells).toEqual([`${du} Due - 2026-03-03 CHANGED`, `${du} Batch - ready DEP_PREREQ_UNMET`]);
    expect((await revert(told.id)).run).toMatchObject({ changedCount: 1 });
  });
});

describe("a run beside people who save", () => {
  test("neither waits for them in a circle nor loses what they entered", { timeout: 60_000 }, async () => {
    const rule = await enable("RFI", ["RFI.PLAN_END = Survey.ACTUAL_END + 14"]);
    const dus: number[] = [];
    for (let count = 0; count < 12; count++)
      dus.push(await makeDu({ Survey: { plan_owner: at.ownSet, actual_end: "2026-03-03" }, Permit: {}, RFI: {} }));
    const dayOf = (turn: number) => `2026-04-${String(10 + turn).padStart(2, "0")}`;
    // Saves name the DUs from the last to the first, against the order of the run.
    const saves = async (permit: number) => {
      const answers: { status: number; code?: string }[] = [];
      for (let turn = 0; turn < 4; turn++) {
        const edits = [...dus].reverse().flatMap((duId, at) =>
          at % 3 === permit
            ? [
                {
                  duId,
                  activityId: act("Permit.PLAN_END").a,
                  field: "planEnd",
                  value: dayOf(turn),
                  base: turn === 0 ? null : dayOf(turn - 1),
                },
              ]
            : [],
        );
        answers.push(await call("rolloutPlan/save", { edits }));
      }
      return answers;
    };
    const moves = async () => {
      const answers: { status: number; code?: string }[] = [];
      for (let turn = 0; turn < 4; turn++) {
        const edits = [...dus].reverse().map((duId) => ({
          duId,
          activityId: act("Survey.ACTUAL_END").a,
          field: "actualEnd",
          value: `2026-03-0${4 + turn}`,
          base: `2026-03-0${3 + turn}`,
        }));
        answers.push(await call("rolloutPlan/save", { edits, reason: "measured again" }));
      }
      return answers;
    };
    const runs = async () => {
      const told: { status: string; changedCount: number }[] = [];
      for (let turn = 0; turn < 3; turn++) told.push((await run([rule.id])).run);
      return told;
    };
    const [told, moved, ...saved] = await Promise.all([runs(), moves(), saves(0), saves(1), saves(2)]);
    expect(told.map(({ status }) => status)).toEqual(["DONE", "DONE", "DONE"]);
    expect([...moved, ...saved.flat()].map(({ status, code }) => `${status} ${code ?? ""}`)).toEqual(Array(16).fill("200 "));
    for (const du of dus) {
      expect(await day(du, "Permit.PLAN_END")).toBe(dayOf(3));
      expect(await day(du, "Survey.ACTUAL_END")).toBe("2026-03-07");
      // What a run wrote it wrote by a survey that was there.
      expect(["2026-03-17", "2026-03-18", "2026-03-19", "2026-03-20", "2026-03-21"]).toContain(await day(du, "RFI.PLAN_END"));
    }
    expect((await run([rule.id])).run).toMatchObject({ status: "DONE" });
    for (const du of dus) expect(await day(du, "RFI.PLAN_END")).toBe("2026-03-21");
  });
});
