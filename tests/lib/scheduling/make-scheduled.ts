import { expect } from "vitest";
import type { Sql } from "#db/client.ts";
import type { Answer } from "#lib/core/error.ts";
import { type MadeActivity, makeActivities } from "../../support/plan-factories.ts";

/** The data of a call that must succeed. */
// biome-ignore lint/suspicious/noExplicitAny: tests read the data of many calls.
export async function done<T = any>(answer: Promise<Answer<T>>): Promise<T> {
  const given = await answer;
  expect(given, given.msg).toMatchObject({ status: 200 });
  return given.data as T;
}

/** A released flow of a project, its activities by letter. */
export type ScheduledFlow = { id: number; activities: MadeActivity[]; of: (letter: string) => MadeActivity };

/**
 * A released flow drawn as lines "B build 3 | A FS 0"; anchors carry a star: "A* arrival 1". The first flow of a project makes its activities.
 * @param known activities of the project's library, when there are some already
 */
export async function makeScheduledFlow(
  sql: Sql,
  projectId: number,
  ownerId: number,
  text: string,
  known?: MadeActivity[],
): Promise<ScheduledFlow> {
  const rows = text
    .trim()
    .split("\n")
    .map((line) => {
      const [head, before = ""] = line.trim().split("|");
      const words = head!.trim().split(" ");
      return { letter: words[0]![0]!, anchor: words[0]!.endsWith("*"), name: words[1]!, leadTime: Number(words[2]), before: before.trim() };
    });
  const library =
    known ??
    (await makeActivities(
      sql,
      projectId,
      rows.map(({ name }) => name),
    ));
  const activities = rows.map(({ name }) => library.find((activity) => activity.name === name.split(":")[0])!);
  const [flow] = await sql<{ id: number }[]>`
    insert into activity_flow (project_id, name, status, version, owner_id, created_by, created_at, updated_by, updated_at)
    values (${projectId}, ${`Flow ${Math.random()}`}, 'released', 1, ${ownerId}, ${ownerId}, now(), ${ownerId}, now()) returning id`;
  const nodes = new Map<string, number>();
  for (const [at, { letter, anchor, name, leadTime }] of rows.entries()) {
    const [node] = await sql<{ id: number }[]>`
      insert into flow_activity (flow_id, activity_id, name, seq, lead_time_days, is_anchor)
      values (${flow!.id}, ${activities[at]!.id}, ${name}, ${at + 1}, ${leadTime}, ${anchor}) returning id`;
    nodes.set(letter, node!.id);
  }
  for (const { letter, before } of rows)
    for (const part of before === "" ? [] : before.split(",")) {
      const [pre, type, offset] = part.trim().split(" ");
      await sql`
        insert into flow_relation (flow_id, pre_node_id, node_id, type, offset_days)
        values (${flow!.id}, ${nodes.get(pre!)!}, ${nodes.get(letter)!}, ${type!}, ${Number(offset)})`;
    }
  return { id: flow!.id, activities, of: (letter) => activities[rows.findIndex((row) => row.letter === letter)]! };
}

/** Plan dates of a DU by activity name: "Build": "2026-10-15 2026-10-19". */
export async function readPlan(sql: Sql, duId: number): Promise<Record<string, string>> {
  const rows = await sql<{ name: string; start: string | null; end: string | null }[]>`
    select a.name, v.plan_start as start, v.plan_end as "end" from du_activity v join activity_library a on a.id = v.activity_id
    where v.du_id = ${duId} order by v.slot`;
  return Object.fromEntries(rows.map(({ name, start, end }) => [name, `${start ?? "-"} ${end ?? "-"}`]));
}

/**
 * DUs of a flow with the given plan days, all applicable, made by one statement.
 * @param days starts and ends by slot
 */
export async function makeManyDus(sql: Sql, projectId: number, flowId: number, days: readonly number[], count: number): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    with s as (insert into customer_site (project_id, code, name) select ${projectId}, 'S' || n, 'Site' from generate_series(1, ${count}) n returning id, code),
      d as (insert into du (project_id, code, name, site_id) select ${projectId}, 'D' || code, 'Unit', id from s returning id),
      f as (insert into du_flow (project_id, du_id, flow_id, flow_version, source, bound_at) select ${projectId}, id, ${flowId}, 1, 'manual', now() from d)
    insert into du_plan (du_id, project_id, plan_start, plan_end, state, applicable_count)
    select id, ${projectId}, ${[...days]}, ${[...days]}, array_fill(1, array[${days.length}::int]), ${days.length} from d returning du_id as id`;
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}
