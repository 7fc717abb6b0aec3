import { beforeAll } from "vitest";
import { isoDay } from "#lib/core/clock.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import { callAs } from "../../support/call.ts";
import { clock, type TestDatabase } from "../../support/database.ts";
import { makeMember, makeProject, makeRegion } from "../../support/factories.ts";
import {
  type MadeActivity,
  type MadeDu,
  makeActivities,
  makeAttribute,
  makeDus,
  makeFlow,
  makeOwnerSet,
} from "../../support/plan-factories.ts";
import { expectSameWhenTakenUp } from "../../support/take-up.ts";
import { done } from "../activity-flows/make-flow.ts";
import { importsOf } from "../imports/support.ts";

/** Names of the activities of the project, by their slots from 1. */
const names = ["Survey", "Permit", "RFI", "MOS:mos", "Civil", "Power"] as const;
export type ActivityName = "Survey" | "Permit" | "RFI" | "MOS" | "Civil" | "Power";
type Field = "PLAN_START" | "PLAN_END" | "ACTUAL_START" | "ACTUAL_END";

/** A project with one flow of six activities, two regions and attributes of each kind; made before each suite. */
export function usePlanRules(db: TestDatabase) {
  const at = {} as {
    id: number;
    number: string;
    pm: CtxUser;
    td: CtxUser;
    north: number;
    south: number;
    flow: { id: number; activities: readonly MadeActivity[] };
    other: number;
    ownSet: number;
    scenario: { id: number; key: string; enumIds: number[] };
    batch: { id: number; key: string };
    due: { id: number; key: string };
    count: { id: number; key: string };
  };
  beforeAll(async () => {
    const { id, number } = await makeProject(db.owner);
    const pm = await makeMember(db.owner, id, "PM");
    const activities = await makeActivities(db.owner, id, names);
    Object.assign(at, {
      id,
      number,
      pm,
      td: await makeMember(db.owner, id, "TD"),
      north: await makeRegion(db.owner, id, "North"),
      south: await makeRegion(db.owner, id, "South"),
      flow: { id: await makeFlow(db.owner, id, pm.id, activities, "New site"), activities },
      other: await makeFlow(db.owner, id, pm.id, activities.slice(0, 3), "Swap"),
      ownSet: await makeOwnerSet(db.owner, id, [pm.id]),
      scenario: await makeAttribute(db.owner, id, { name: "Site scenario", type: "ENUM", enums: ["Rooftop", "Greenfield"] }),
      batch: await makeAttribute(db.owner, id, { name: "Batch" }),
      due: await makeAttribute(db.owner, id, { name: "Due", type: "DATE" }),
      count: await makeAttribute(db.owner, id, { name: "Count", type: "NUMBER" }),
    });
  });
  const call = (address: string, input: object = {}, user = at.pm, now = clock) =>
    callAs(user, address, input, { project: at.number, now });
  const imports = importsOf(db, () => ({ project: at, user: at.pm }));
  const slot = (name: ActivityName) => 1 + names.findIndex((given) => given.split(":")[0] === name);
  const act = (text: string) => {
    const [name, f] = text.split(".") as [ActivityName, Field];
    return { k: "ACT" as const, a: at.flow.activities[slot(name) - 1]!.id, f };
  };
  /** A row of a rule from a text: `RFI.PLAN_END = Survey.ACTUAL_END + 14`. */
  const row = (text: string, more: object = {}) => {
    const [target = "", source = ""] = text.split(" = ");
    const [from = "", offset = "0"] = source.split(" + ");
    return { sources: [act(from)], target: act(target), offset: Number(offset), ...more };
  };
  const typed = (name: string, actions: readonly (string | object)[], more: object = {}) => ({
    name,
    ruleType: "ACT_TO_ACT",
    flowId: at.flow.id,
    actions: actions.map((action) => (typeof action === "string" ? row(action) : action)),
    ...more,
  });
  const save = async (name: string, actions: readonly (string | object)[], more: object = {}) =>
    (await done(call("planAutoRule/save", typed(name, actions, more)))) as { id: number; rowVersion: number; warnings: { name: string }[] };
  return {
    at,
    call,
    imports,
    slot,
    act,
    row,
    typed,
    save,
    /** Stores a rule and puts it into force. */
    enable: async (name: string, actions: readonly (string | object)[], more: object = {}) => {
      const made = await save(name, actions, more);
      await done(call("planAutoRule/enable", { ids: [made.id], confirm: true }));
      return { ...made, rowVersion: made.rowVersion + 1 };
    },
    /** A DU of the flow, with the dates of activities: `{ Survey: { actual_end: "2025-03-03" } }`. */
    makeDu: async (plan: Partial<Record<ActivityName, NonNullable<MadeDu["plan"]>[number]>> = {}, more: Omit<MadeDu, "plan"> = {}) => {
      const slots = Object.fromEntries(Object.entries(plan).map(([name, dates]) => [slot(name as ActivityName), dates]));
      const [id] = await makeDus(db.owner, at.id, [{ ...more, plan: slots }], at.flow);
      return id!;
    },
    /** Runs rules and gives the run as its list shows it. */
    run: async (ruleIds: number[], more: object = {}) => {
      const { taskId, runId } = await done(call("planAutoRule/run", { ruleIds, ...more }));
      const task = await imports.run(taskId);
      await expectSameWhenTakenUp(db, taskId, imports.run);
      return { task, ...(await lookAt(runId)) };
    },
    preview: async (input: object) => {
      const { taskId, runId } = await done(call("planAutoRule/preview", input));
      const task = await imports.run(taskId);
      await expectSameWhenTakenUp(db, taskId, imports.run);
      return { task, ...(await lookAt(runId)) };
    },
    revert: async (runId: number, more: object = {}) => {
      const { taskId, runId: id } = await done(call("planAutoRule/run/revert", { runId, ...more }));
      await imports.run(taskId);
      await expectSameWhenTakenUp(db, taskId, imports.run);
      return lookAt(id);
    },
    lookAt,
    /** The day a cell of the plan holds, null for none. */
    day: async (du: number, text: string) => {
      const [name, field] = text.split(".") as [ActivityName, Field];
      const [plan] = await db.owner`select * from du_plan where du_id = ${du}`;
      return isoDay((plan![field.toLowerCase()] as number[] | null)?.[slot(name) - 1] ?? 0);
    },
    /** Takes all rules, runs and DUs of the project away. */
    clear: async () => {
      await db.owner`delete from org_target where project_id = ${at.id}`;
      await db.owner`delete from rule_run where project_id = ${at.id}`;
      await db.owner`delete from plan_rule where project_id = ${at.id}`;
      await db.owner`update du set deleted_at = now() where project_id = ${at.id} and deleted_at is null`;
    },
  };

  async function lookAt(runId: number) {
    const filters = (list: object[]) => encodeURIComponent(JSON.stringify(list));
    const only = filters([{ field: "runId", type: "eq", values: [runId] }]);
    const [run] = (await done(call(`planAutoRule/run/list/1/20/default/${only}`))).records;
    const { records } = await done(call(`planAutoRule/run/changes/list/1/200/default/${only}`));
    const cells = records.map(
      (cell: { duId: number; field: string; old: unknown; now: unknown; outcome: string }) =>
        `${cell.duId} ${cell.field} ${cell.old ?? "-"} ${cell.now ?? "-"} ${cell.outcome}`,
    );
    return { run, cells: cells as string[] };
  }
}
