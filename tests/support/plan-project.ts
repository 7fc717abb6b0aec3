import { beforeAll } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { callAs } from "./call.ts";
import { clock, type TestDatabase } from "./database.ts";
import { makeMember, makeProject } from "./factories.ts";
import { type MadeActivity, makeActivities, makeFlow, makeOwnerSet } from "./plan-factories.ts";

/** A cell as `rolloutPlan/save` takes it; `base` is empty unless given. */
export type Cell = { duId: number; activityId?: number; field: string; value: unknown; base?: unknown };

/** A project with one flow of five activities, its PM, a viewer, and the PM of another project. */
export type PlanProject = {
  id: number;
  number: string;
  pm: CtxUser;
  viewer: CtxUser;
  stranger: CtxUser;
  activities: MadeActivity[];
  flow: { id: number; activities: MadeActivity[] };
  /** Owner set of the PM alone. */
  ownSet: number;
};

/** Makes the project before the suite's tests. Its members are there from then on. */
export function usePlanProject(db: TestDatabase): PlanProject {
  const made = {} as PlanProject;
  beforeAll(async () => {
    const project = await makeProject(db.owner);
    const other = await makeProject(db.owner);
    const pm = await makeMember(db.owner, project.id, "PM");
    const activities = await makeActivities(db.owner, project.id, ["Survey", "Design", "RFI", "MOS:mos", "Install"]);
    Object.assign(made, project, {
      pm,
      viewer: await makeMember(db.owner, project.id, "COMMON_VIEW"),
      stranger: await makeMember(db.owner, other.id, "PM"),
      activities,
      flow: { id: await makeFlow(db.owner, project.id, pm.id, activities), activities },
      ownSet: await makeOwnerSet(db.owner, project.id, [pm.id]),
    });
  });
  return made;
}

/** Calls of a suite on its project. */
export function planCalls(db: TestDatabase, project: PlanProject) {
  const call = (user: CtxUser, address: string, input: unknown = {}, now = clock) =>
    callAs(user, address, input, { project: project.number, now });
  return {
    call,
    /** Saves cells as the grid does. */
    save: (user: CtxUser, edits: Cell[], more: Record<string, unknown> = {}, now = clock) =>
      call(user, "rolloutPlan/save", { edits: edits.map((edit) => ({ base: null, ...edit })), ...more }, now),
    /** The plan row of a DU as stored. */
    plan: async (duId: number) => (await db.owner`select * from du_plan where du_id = ${duId}`)[0]!,
    /** Rows of the audit log so far. */
    audits: async () => Number((await db.owner`select count(*) from audit_log`)[0]!.count),
    survey: () => project.activities[0]!.id,
    install: () => project.activities[4]!.id,
  };
}

/** A moment minutes after the tests' own. */
export const later = (minutes: number) => new Date(clock.getTime() + minutes * 60_000);
