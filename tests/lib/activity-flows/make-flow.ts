import { expect } from "vitest";
import type { Sql } from "#db/client.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import type { Answer } from "#lib/core/error.ts";
import { callAs } from "../../support/call.ts";

/** A call that must succeed; gives its data. */
// biome-ignore lint/suspicious/noExplicitAny: tests read the data of many calls.
export async function done<T = any>(answer: Promise<Answer<T>>): Promise<T> {
  const given = await answer;
  expect(given, given.msg).toMatchObject({ status: 200 });
  return given.data as T;
}

/** Nodes of a graph request from a text: "A*:5 B C:0" (a star is an anchor, the number a lead time; keys are the names). */
export function nodes(text: string): { key: string; name: string; leadTimeDays: number; isAnchor: boolean }[] {
  return text.split(" ").map((word) => {
    const [name = "", days] = word.split(":");
    return {
      key: name.replace("*", ""),
      name: name.replace("*", ""),
      leadTimeDays: days === undefined ? 1 : Number(days),
      isAnchor: name.endsWith("*"),
    };
  });
}

/** Relations of a graph request from a text: "A>B A>C:SS+2". */
export function relations(text: string): { pre: string; node: string; type: string; offset: number }[] {
  return text
    .split(" ")
    .filter(Boolean)
    .map((word) => {
      const [, pre = "", node = "", type, offset] = /^(\w+)>(\w+)(?::([A-Z]{2})([+-]\d+)?)?$/.exec(word) ?? [];
      return { pre, node, type: type ?? "FS", offset: Number(offset ?? 0) };
    });
}

/** A draft with a graph, made through the calls. */
export async function makeDraft(
  user: CtxUser,
  project: string,
  name: string,
  nodeText: string,
  relationText = "",
): Promise<{ id: number; rowVersion: number; ids: Map<string, number>; activityIds: Map<string, number> }> {
  const { id } = await done(callAs(user, "flow/save", { name }, { project }));
  const input = { flowId: id, rowVersion: 1, nodes: nodes(nodeText), relations: relations(relationText) };
  const saved = await done(callAs(user, "flow/graph/save", input, { project }));
  return {
    id,
    rowVersion: saved.rowVersion,
    ids: new Map(saved.nodes.map((node: { key: string; id: number }) => [node.key, node.id])),
    activityIds: new Map(saved.nodes.map((node: { key: string; activityId: number }) => [node.key, node.activityId])),
  };
}

/** A released flow, made through the calls. */
export async function makeFlow(user: CtxUser, project: string, name: string, nodeText: string, relationText = "") {
  const draft = await makeDraft(user, project, name, nodeText, relationText);
  await done(callAs(user, "flow/release", { id: draft.id, rowVersion: draft.rowVersion }, { project }));
  return { ...draft, rowVersion: draft.rowVersion + 1 };
}

let count = 0;

/** DUs with a site and an empty plan row each. */
export async function makeDus(sql: Sql, projectId: number, size: number, given: { regionId?: number } = {}): Promise<number[]> {
  const prefix = `D${++count}`;
  const [site] = await sql<{ id: number }[]>`
    insert into customer_site (project_id, code, name) values (${projectId}, ${`S-${prefix}`}, ${`Site ${prefix}`}) returning id`;
  const dus = await sql<{ id: number }[]>`
    insert into du (project_id, code, name, site_id, region_id)
    select ${projectId}, ${prefix} || '-' || n, 'DU ' || n, ${site!.id}, ${given.regionId ?? null} from generate_series(1, ${size}) n order by n returning id`;
  // With the statistics of a table that was small, the database would look through all DUs for each of many.
  const many = size >= 1_000;
  if (many) await sql`analyze du`;
  await sql`insert into du_plan (du_id, project_id) select id, project_id from du where id = any(${dus.map((du) => du.id)}::bigint[])`;
  if (many) await sql`analyze du_plan`;
  return dus.map((du) => du.id);
}

/** A filter template of the project that names an activity. */
export async function nameActivity(sql: Sql, projectId: number, ownerId: number, activityId: number, name: string): Promise<void> {
  const [template] = await sql<{ id: number }[]>`
    insert into template (project_id, kind, object_type, grid_key, name, is_public, owner_id, body, updated_at)
    values (${projectId}, 'filter', 'project', 'plan', ${name}, true, ${ownerId}, ${sql.json({ filters: [{ key: `${activityId}:planEnd` }], sort: [] })}, now())
    returning id`;
  await sql`
    insert into config_ref (project_id, holder_kind, holder_id, target_kind, target_id, usage)
    select t.project_id, 'TEMPLATE', t.id, r.target_kind, r.target_id, r.usage from template t, template_refs(t.kind, t.body) r where t.id = ${template!.id}`;
}
