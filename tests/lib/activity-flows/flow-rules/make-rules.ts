import { beforeAll } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { callAs } from "../../../support/call.ts";
import { clock, type TestDatabase } from "../../../support/database.ts";
import { makeMember, makeProject, makeRegion } from "../../../support/factories.ts";
import { makeAttribute } from "../../../support/plan-factories.ts";
import { done, makeDus, makeFlow } from "../make-flow.ts";

/** A condition row as a call takes it; the last of a rule has no joint. */
export type Row = { object: object; operator: string; values?: (string | number)[]; open?: number; close?: number; logic?: string | null };

/** A project with two regions, two flows and an attribute with choices, made before each suite. */
export function useRuleProject(db: TestDatabase) {
  const at = {} as {
    id: number;
    number: string;
    pm: CtxUser;
    pcm: CtxUser;
    td: CtxUser;
    north: number;
    south: number;
    rooftop: Awaited<ReturnType<typeof makeFlow>>;
    standard: Awaited<ReturnType<typeof makeFlow>>;
    scenario: { id: number; key: string; enumIds: number[] };
  };
  beforeAll(async () => {
    const { id, number } = await makeProject(db.owner);
    const pm = await makeMember(db.owner, id, "PM");
    Object.assign(at, {
      id,
      number,
      pm,
      pcm: await makeMember(db.owner, id, "PCM"),
      td: await makeMember(db.owner, id, "TD"),
      north: await makeRegion(db.owner, id, "North"),
      south: await makeRegion(db.owner, id, "South"),
      rooftop: await makeFlow(pm, number, "R", "Survey* Roof", "Survey>Roof"),
      standard: await makeFlow(pm, number, "S", "Survey* Tower", "Survey>Tower"),
      scenario: await makeAttribute(db.owner, id, { name: "Site scenario", type: "ENUM", enums: ["Rooftop", "Greenfield"] }),
    });
  });
  const call = (address: string, input: object = {}, user = at.pm, now = clock) =>
    callAs(user, address, input, { project: at.number, now });
  const isRooftop = (): Row => ({ object: { k: "ATTR", key: at.scenario.key }, operator: "in", values: [String(at.scenario.enumIds[0])] });
  return {
    at,
    call,
    isRooftop,
    /** Stores a rule; it is not in force. */
    make: (name: string, more: object = {}) =>
      done(call("duFlowRule/save", { name, flowId: at.standard.id, conditions: [], ...more })) as Promise<{
        id: number;
        priority: number;
        rowVersion: number;
      }>,
    /** Stores a rule and puts it into force. */
    enable: async (name: string, more: object = {}) => {
      const made = await done(call("duFlowRule/save", { name, flowId: at.standard.id, conditions: [], ...more }));
      await done(call("duFlowRule/enable", { ids: [made.id] }));
      return { ...made, rowVersion: made.rowVersion + 1 } as { id: number; priority: number; rowVersion: number };
    },
    list: async () => (await done(call("duFlowRule/list"))).rules,
    /** A DU without flow: its region, and whether it stands on a roof. */
    makeDu: async (regionId: number | null, rooftop = false) => {
      const [du] = (await makeDus(db.owner, at.id, 1, regionId === null ? {} : { regionId })) as [number];
      if (rooftop)
        await db.owner`update du set ext = ${db.owner.json({ [at.scenario.key]: String(at.scenario.enumIds[0]) })} where id = ${du}`;
      return du;
    },
    /** Takes all rules and DUs of the project away. */
    clear: async () => {
      await db.owner`delete from du_flow_rule where project_id = ${at.id}`;
      await db.owner`update du set deleted_at = now() where project_id = ${at.id} and deleted_at is null`;
      await db.owner`delete from du_flow_unmatched where project_id = ${at.id}`;
    },
    flowOf: async (duId: number) => {
      const [row] = await db.owner<{ flow: string; source: string; by: number | null; rule: number | null }[]>`
        select f.name as flow, b.source, b.bound_by as by, b.rule_id as rule from du_flow b join activity_flow f on f.id = b.flow_id
        where b.du_id = ${duId} and b.unbound_at is null`;
      return row ?? null;
    },
  };
}
