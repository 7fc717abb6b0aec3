import type { Sql } from "#db/client.ts";
import type { KeyMode } from "#lib/du-tabs/limits.ts";
import { makeAttribute } from "../../support/plan-factories.ts";

/** A tab of a project, without rows. */
export async function makeTab(sql: Sql, projectId: number, name: string, keyMode: KeyMode = "SN"): Promise<number> {
  const [tab] = await sql<{ id: number }[]>`
    insert into du_tab (project_id, name, key_mode, created_at, updated_at) values (${projectId}, ${name}, ${keyMode}, now(), now()) returning id`;
  return tab!.id;
}

/** An attribute of a tab; of level TAB unless its values are kept with the DU. */
export async function makeTabAttribute(
  sql: Sql,
  projectId: number,
  tabId: number,
  given: Parameters<typeof makeAttribute>[2] & { required?: boolean; ofDu?: boolean } = {},
): Promise<{ id: number; key: string; enumIds: number[] }> {
  const { required = false, ofDu = false, ...attribute } = given;
  const made = await makeAttribute(sql, projectId, attribute);
  await sql`
    update attribute set level = ${ofDu ? "DU" : "TAB"}, du_tab_id = ${tabId}, in_rollout_plan = ${ofDu}, required = ${required} where id = ${made.id}`;
  return made;
}
