import { beforeAll, expect } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import type { Answer } from "#lib/core/error.ts";
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

/** The data of a call that has to pass. */
export async function done<T>(answer: Promise<Answer<T>>): Promise<T> {
  const given = await answer;
  expect(given.status, JSON.stringify(given)).toBe(200);
  return given.data as T;
}

/** Problems of a refused call, one text each. */
export const problemsOf = (answer: Answer) => (answer.problems ?? []).map(({ path, code }) => `${path} ${code}`);

/** A project with two regions, a flow of three activities and a second one, an attribute with choices and one with text; made before the suite. */
export function useOwnerProject(db: TestDatabase) {
  const at = {} as {
    id: number;
    number: string;
    pm: CtxUser;
    viewer: CtxUser;
    people: Record<"li" | "sun" | "wang" | "zhao", CtxUser>;
    north: number;
    west: number;
    activities: MadeActivity[];
    flow: { id: number; activities: MadeActivity[] };
    other: { id: number; activities: MadeActivity[] };
    scenario: { id: number; key: string; enumIds: number[] };
    lead: { id: number; key: string };
  };
  beforeAll(async () => {
    const { id, number } = await makeProject(db.owner);
    const pm = await makeMember(db.owner, id, "PM");
    const activities = await makeActivities(db.owner, id, ["Survey", "Design", "Install"]);
    Object.assign(at, {
      id,
      number,
      pm,
      viewer: await makeMember(db.owner, id, "TD"),
      people: {
        li: await makeMember(db.owner, id, "TL"),
        sun: await makeMember(db.owner, id, "TL"),
        wang: await makeMember(db.owner, id, "TL"),
        zhao: await makeMember(db.owner, id, "TL"),
      },
      north: await makeRegion(db.owner, id, "North"),
      west: await makeRegion(db.owner, id, "West"),
      activities,
      flow: { id: await makeFlow(db.owner, id, pm.id, activities, "New site"), activities },
      other: { id: await makeFlow(db.owner, id, pm.id, activities, "Swap"), activities },
      scenario: await makeAttribute(db.owner, id, { name: "Site scenario", type: "ENUM", enums: ["Rooftop", "Greenfield"] }),
      lead: await makeAttribute(db.owner, id, { name: "Team lead", type: "TEXT" }),
    });
  });
  const call = (address: string, input: object = {}, user = at.pm, now = clock) =>
    callAs(user, address, input, { project: at.number, now });
  const rule = (name: string, more: object = {}) => ({
    name,
    flowIds: [at.flow.id],
    ownerFields: ["PLAN_OWNER"],
    fillMode: "REGION_OWNER",
    ...more,
  });
  return {
    at,
    call,
    rule,
    /** Stores a rule; it is not in force. */
    make: (name: string, more: object = {}) =>
      done(call("ownerRule/save", rule(name, more))) as Promise<{ id: number; sortNo: number; rowVersion: number }>,
    /** Stores a rule and puts it into force. */
    enable: async (name: string, more: object = {}) => {
      const made = await done(call("ownerRule/save", rule(name, more)));
      await done(call("ownerRule/enable", { ids: [made.id], confirm: true }));
      return made.id as number;
    },
    list: async (filters: object[] = []) =>
      (await done(call(`ownerRule/list/1/200/default/${encodeURIComponent(JSON.stringify(filters))}`))).records,
    isRooftop: () => ({ object: { k: "ATTR", key: at.scenario.key }, operator: "IN", values: [String(at.scenario.enumIds[0])] }),
    /** DUs of the first flow, or of none. */
    makeDus: (dus: readonly MadeDu[], flow: typeof at.flow | null = at.flow) => makeDus(db.owner, at.id, dus, flow ?? undefined),
    /** Id of the set of these people, in this order. */
    setOf: async (...users: CtxUser[]) => {
      const ids = users.map(({ id }) => id);
      const [held] = await db.owner<{ id: number }[]>`select id from owner_set where project_id = ${at.id} and user_ids = ${ids}::bigint[]`;
      return held?.id ?? makeOwnerSet(db.owner, at.id, ids);
    },
    clear: async () => {
      await db.owner`delete from owner_rule where project_id = ${at.id}`;
      await db.owner`update du set deleted_at = now() where project_id = ${at.id} and deleted_at is null`;
    },
  };
}
