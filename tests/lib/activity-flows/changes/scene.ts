import type { Sql } from "#db/client.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import { callAs } from "../../../support/call.ts";
import { type grantRole, makeMember, makeProject } from "../../../support/factories.ts";
import { type MadeActivity, type MadeDu, makeActivities, makeDus, makeFlow } from "../../../support/plan-factories.ts";

/** A project with an old flow of survey, design and install in slots 1 to 3, a new one whose survey is slot 7, and people for every part. */
export type Scene = {
  id: number;
  number: string;
  /** May submit and bind. */
  pm: CtxUser;
  tl: CtxUser;
  pd: CtxUser;
  dpd: CtxUser;
  activities: MadeActivity[];
  old: { id: number; activities: MadeActivity[] };
  next: { id: number; activities: MadeActivity[] };
};

export async function makeScene(sql: Sql): Promise<Scene> {
  const { id, number } = await makeProject(sql);
  const people = await Promise.all((["PM", "TL", "PD", "DPD"] as const).map((role) => makeMember(sql, id, role)));
  const [pm, tl, pd, dpd] = people as [CtxUser, CtxUser, CtxUser, CtxUser];
  const names = ["Survey", "Design", "Install", "Power", "Handover", "Accept", "New survey", "Swap"];
  const activities = [...(await makeActivities(sql, id, names))];
  const pick = (...slots: number[]) => slots.map((slot) => activities[slot - 1]!);
  const old = { id: await makeFlow(sql, id, pm.id, pick(1, 2, 3), "New build"), activities: pick(1, 2, 3) };
  const next = { id: await makeFlow(sql, id, pm.id, pick(7, 8, 3), "Swap flow"), activities: pick(7, 8, 3) };
  return { id, number, pm, tl, pd, dpd, activities, old, next };
}

/** DUs of the old flow with the plan the tests of the area speak of. */
export const makeOldDus = (sql: Sql, scene: Scene, dus: readonly MadeDu[]) => makeDus(sql, scene.id, dus, scene.old);

/** Gives somebody the role of another until the end of 2026. */
export async function delegate(sql: Sql, scene: Scene, from: CtxUser, role: "PD" | "DPD", to: CtxUser): Promise<void> {
  await sql`
    insert into role_delegation (project_id, role, delegator_id, delegate_id, valid_from, valid_to)
    values (${scene.id}, ${role}, ${from.id}, ${to.id}, '2026-01-01', '2026-12-31')`;
}

/** A member who holds a role in the scene's project. */
export async function join(sql: Sql, scene: Scene, role: Parameters<typeof grantRole>[3]): Promise<CtxUser> {
  return makeMember(sql, scene.id, role);
}

/** Calls of the area as a person of the scene. */
export const calls = (scene: Scene) => ({
  check: (user: CtxUser, input: object) => callAs(user, "duChange/check", input, { project: scene.number }),
  submit: (user: CtxUser, input: object) =>
    callAs(user, "duChange/submit", { reason: "Scope changed", ...input }, { project: scene.number }),
  approve: (user: CtxUser, ids: number[], comment?: string) =>
    callAs(user, "duChange/approve", { ids, ...(comment && { comment }) }, { project: scene.number }),
  reject: (user: CtxUser, ids: number[], comment = "Not now") =>
    callAs(user, "duChange/reject", { ids, comment }, { project: scene.number }),
  withdraw: (user: CtxUser, ids: number[]) => callAs(user, "duChange/withdraw", { ids }, { project: scene.number }),
  transfer: (user: CtxUser, changeId: number, toAccount: string) =>
    callAs(user, "duChange/transferApprove", { changeId, toAccount }, { project: scene.number }),
  find: (user: CtxUser, id: number) => callAs(user, `duChange/find/${id}`, {}, { project: scene.number }),
  list: (user: CtxUser, filters: object[] = []) =>
    callAs(user, `duChange/list/1/20/default/${encodeURIComponent(JSON.stringify(filters))}`, {}, { project: scene.number }),
  saveMapping: (user: CtxUser, input: object) => callAs(user, "retentionMapping/save", input, { project: scene.number }),
});

/** A change of DUs to the scene's new flow. */
export const toNext = (scene: Scene, ...duIds: number[]) => ({
  kind: "change",
  items: duIds.map((duId) => ({ duId, newFlowId: scene.next.id })),
});

const everything = { plan: true, actual: true, owner: true, baseline: true, deliverables: true, attributes: true };
const nothing = { plan: false, actual: false, owner: false, baseline: false, deliverables: false, attributes: false };

/** A pair of slots that keeps the named kinds. */
export const pair = (scene: Scene, from: number, to: number, ...kinds: (keyof typeof everything)[]) => ({
  fromActivityId: scene.activities[from - 1]!.id,
  toActivityId: scene.activities[to - 1]!.id,
  ...nothing,
  ...Object.fromEntries(kinds.map((kind) => [kind, true])),
});
