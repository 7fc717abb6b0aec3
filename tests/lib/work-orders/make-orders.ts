import { beforeAll } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import type { Answer } from "#lib/core/error.ts";
import { stateBits } from "#lib/rollout-plan/plan-rows/limits.ts";
import type { OrderDetail } from "#lib/work-orders/queries.ts";
import { callAs } from "../../support/call.ts";
import type { TestDatabase } from "../../support/database.ts";
import { makeMember, makeProject } from "../../support/factories.ts";
import { type MadeActivity, makeActivities, makeDus, makeFlow, makeOwnerSet } from "../../support/plan-factories.ts";

/** Bits of a slot: in flow and scheduled unless told otherwise. */
export function bits(given: Partial<Record<keyof typeof stateBits, number>> = {}): number {
  return Object.entries({ inFlow: 1, workOrder: 1, ...given }).reduce(
    (state, [bit, value]) => state | (value << stateBits[bit as keyof typeof stateBits].at),
    0,
  );
}

/** A project with a flow of survey, installation and others; PM, two leads, and a viewer. */
export type OrderProject = {
  id: number;
  number: string;
  pm: CtxUser;
  /** TL and plan owner of every activity. */
  worker: CtxUser;
  other: CtxUser;
  viewer: CtxUser;
  owners: number;
  activities: MadeActivity[];
  flow: { id: number; activities: MadeActivity[] };
};

/** Makes the project before the suite's tests. */
export function useOrderProject(db: TestDatabase): OrderProject {
  const made = {} as OrderProject;
  beforeAll(async () => {
    const project = await makeProject(db.owner);
    const pm = await makeMember(db.owner, project.id, "PM");
    const worker = await makeMember(db.owner, project.id, "TL");
    const activities = await makeActivities(db.owner, project.id, ["Survey", "Install", "Dismantle:material_dismantle", "MOS:mos"]);
    Object.assign(made, project, {
      pm,
      worker,
      other: await makeMember(db.owner, project.id, "TL"),
      viewer: await makeMember(db.owner, project.id, "COMMON_VIEW"),
      owners: await makeOwnerSet(db.owner, project.id, [worker.id]),
      activities,
      flow: { id: await makeFlow(db.owner, project.id, pm.id, activities), activities },
    });
  });
  return made;
}

type Slot = Record<string, number | string>;

/** What a suite does with the orders of its project. */
export function orderCalls(db: TestDatabase, project: OrderProject) {
  const call = (user: CtxUser, address: string, input: object = {}): Promise<Answer> =>
    callAs(user, address, input, { project: project.number });
  const data = async <T>(user: CtxUser, address: string, input: object = {}): Promise<T> => {
    const answer = await call(user, address, input);
    if (answer.status !== 200) throw new Error(`${address}: ${answer.status} ${answer.code} ${answer.msg}`);
    return answer.data as T;
  };
  const survey = () => project.activities[0]!;
  const install = () => project.activities[1]!;
  return {
    call,
    // biome-ignore lint/suspicious/noExplicitAny: tests read the data of many calls.
    data: data<any>,
    survey,
    install,
    /** Released DUs whose survey and installation are scheduled from tomorrow; `given` changes the survey. */
    dus: async (count: number, given: Slot = {}, released = true) => {
      const slot = { state: bits(), plan_start: "2026-10-15", plan_end: "2026-10-16", plan_owner: project.owners };
      const ids = await makeDus(
        db.owner,
        project.id,
        Array.from({ length: count }, () => ({ plan: { 1: { ...slot, ...given }, 2: slot, 3: slot, 4: { ...slot, state: 1 } } })),
        project.flow,
      );
      if (released) await db.owner`update du_plan set release_state = 1 where du_id = any(${ids}::bigint[])`;
      return ids;
    },
    /** Dispatches an activity of DUs and gives the ids of the orders, in the order of the DUs. */
    dispatch: async (duIds: number[], activity = survey(), more: object = {}): Promise<number[]> => {
      await data(project.pm, "workOrder/dispatch", { duIds, activityIds: [activity.id], ...more });
      const rows = await db.owner<{ id: number }[]>`
        select id from work_order where du_id = any(${duIds}::bigint[]) and slot = ${activity.slot} order by array_position(${duIds}::bigint[], du_id)`;
      return rows.map(({ id }) => id);
    },
    order: (id: number, user = project.pm): Promise<OrderDetail> => data(user, `workOrder/find/${id}`),
    place: (duId: number, activity = survey(), user = project.pm): Promise<OrderDetail> =>
      data(user, "workOrder/place", { duId, activityId: activity.id }),
    /** A group of bits as stored. */
    bit: async (duId: number, bit: keyof typeof stateBits, slot = 1): Promise<number> => {
      const [row] = await db.owner<{ state: number }[]>`select state[${slot}] as state from du_plan where du_id = ${duId}`;
      const { at, width } = stateBits[bit];
      return (row!.state >> at) & ((1 << width) - 1);
    },
    mails: async (userId: number): Promise<string[]> => {
      const rows = await db.owner<{ subject: string }[]>`
        select b.subject from mail_outbox m join mail_body b on b.id = m.body_id where m.to_user_id = ${userId} order by m.id`;
      return rows.map(({ subject }) => subject);
    },
    /** Titles of the notices of a person, without the values in them, with where they lead. */
    notices: async (userId: number): Promise<string[]> => {
      const rows = await db.owner<{ title: string; link: string }[]>`select title, link from notice where user_id = ${userId} order by id`;
      return rows.map(({ title, link }) => `${title} ${link}`);
    },
    /** Saves a cell of the survey as the grid does. */
    save: (user: CtxUser, duId: number, field: string, value: string | null, base: string | null = null, reason?: string) =>
      call(user, "rolloutPlan/save", { edits: [{ duId, activityId: survey().id, field, value, base }], ...(reason && { reason }) }),
  };
}
