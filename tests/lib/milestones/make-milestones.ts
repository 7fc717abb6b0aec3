import { beforeEach } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { callAs } from "../../support/call.ts";
import { clock, type TestDatabase } from "../../support/database.ts";
import { makeMember, makeProject } from "../../support/factories.ts";
import { type MadeActivity, makeActivities, makeFlow } from "../../support/plan-factories.ts";
import { done } from "../activity-flows/make-flow.ts";

/** A project with two flows of the same three activities, renewed for every test. */
export type MilestoneProject = {
  id: number;
  number: string;
  pm: CtxUser;
  activities: MadeActivity[];
  flow: { id: number; activities: MadeActivity[] };
  other: { id: number; activities: MadeActivity[] };
};

/** A milestone as a call takes it. */
export const milestone = (number: string, more: object = {}) => ({
  number,
  nameZh: `里程碑 ${number}`,
  nameEn: `Milestone ${number}`,
  flag: "normal",
  color: "c1",
  enabled: true,
  ...more,
});

/** What the suites of milestones do. */
export function useMilestones(db: TestDatabase) {
  const project = {} as MilestoneProject;
  beforeEach(async () => {
    const made = await makeProject(db.owner);
    const pm = await makeMember(db.owner, made.id, "PM");
    const activities = await makeActivities(db.owner, made.id, ["Survey", "Installation", "Acceptance"]);
    Object.assign(project, made, {
      pm,
      activities,
      flow: { id: await makeFlow(db.owner, made.id, pm.id, activities, "New build"), activities },
      other: { id: await makeFlow(db.owner, made.id, pm.id, activities, "Swap"), activities },
    });
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests read the data of many calls.
  const call = (address: string, input: object = {}, user = project.pm, now = clock): Promise<any> =>
    callAs(user, address, input, { project: project.number, now });
  return {
    project,
    call,
    save: async (number: string, more: object = {}, infos: object[] = []): Promise<number> =>
      (await done(call("milestoneConfig/save", { milestone: milestone(number, more), infos }))).id,
    /** Maps a milestone to an activity of the first flow, by slot. */
    map: (milestoneId: number, slot: number, flowId = project.flow.id) =>
      done(
        call("milestoneConfig/mapping/save", { rows: [{ milestoneId, flowId, activityId: project.activities[slot - 1]!.id, base: null }] }),
      ),
    /** A temporary milestone, released unless told otherwise. */
    temporary: async (name: string, released = true): Promise<number> => {
      const { id } = await done(call("tempMilestone/save", { name, productCode: "P-1", product: "Radio", deliverable: "Report" }));
      if (released) await done(call("tempMilestone/release", { ids: [id] }));
      return id;
    },
  };
}
