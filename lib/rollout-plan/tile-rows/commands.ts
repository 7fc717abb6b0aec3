import "server-only";
import type { Sql } from "#db/client.ts";
import { readFlowOrders } from "#lib/rollout-plan/columns/queries.ts";
import { preparedAtOnce } from "./limits.ts";
import { encodeRows, type PlanArrays } from "./logic.ts";
import { arraysSql } from "./queries.ts";

type Unprepared = PlanArrays & { flowId: number; flowVersion: number };

/**
 * Prepares the texts of the plan rows of a project that changed since they were last prepared: a tile that nobody has asked for yet is then read about as fast as
 * one row of text. Whoever reads one sees by its revision whether it still holds, so nothing depends on this having run.
 * @returns number of rows prepared
 */
export async function prepareTexts(sql: Sql, projectId: number): Promise<number> {
  const orders = await readFlowOrders({ sql, project: { id: projectId } });
  let prepared = 0;
  for (let after = 0; ; ) {
    const rows = await sql<Unprepared[]>`
      select ${sql.unsafe(arraysSql(false))}, coalesce(f.flow_id, 0) as "flowId", coalesce(a.version, 0) as "flowVersion"
      from du_plan p join du on du.id = p.du_id and du.deleted_at is null
      left join du_flow f on f.du_id = p.du_id and f.unbound_at is null
      left join activity_flow a on a.id = f.flow_id
      left join du_plan_text t on t.du_id = p.du_id
      where p.project_id = ${projectId} and p.du_id > ${after}
        and (t.version, t.flow_id, t.flow_version) is distinct from (p.row_version, coalesce(f.flow_id, 0), coalesce(a.version, 0))
      order by p.du_id limit ${preparedAtOnce}`;
    if (rows.length === 0) break;
    after = rows.at(-1)?.id as number;
    const made = encodeRows(rows, orders, false);
    await sql`
      insert into du_plan_text (du_id, project_id, version, flow_id, flow_version, text, sets)
      select m.id, ${projectId}, m.version, m.flow, m.flow_version, m.text, m.sets::int[]
      from unnest(${made.map(({ id }) => id)}::bigint[], ${made.map(({ at }) => at.version)}::int[], ${made.map(({ at }) => at.flowId)}::bigint[],
        ${made.map(({ at }) => at.flowVersion)}::int[], ${made.map(({ value }) => value.text)}::text[], ${made.map(({ value }) => `{${value.sets.join()}}`)}::text[])
        m(id, version, flow, flow_version, text, sets)
      on conflict (du_id) do update set version = excluded.version, flow_id = excluded.flow_id, flow_version = excluded.flow_version, text = excluded.text,
        sets = excluded.sets`;
    prepared += made.length;
  }
  // Both sides are gone through once whatever the database believes of their sizes, which it has not counted yet where a project was filled a moment ago:
  // believing in one row it looked for each of 80,000 texts through all of its DUs.
  await sql`
    with gone as materialized (
      select du_id from du_plan_text where project_id = ${projectId}
      except select id from du where project_id = ${projectId} and deleted_at is null)
    delete from du_plan_text t using gone where t.du_id = gone.du_id and t.project_id = ${projectId}`;
  return prepared;
}
