import "server-only";
import { getSql } from "#db/client.ts";
import type { Metric } from "./metrics.ts";

type Row = { name: string; labels: Record<string, string> | null; value: number };

const helps: Record<string, string> = {
  milepost_tasks: "Tasks by status; ended ones leave the table with their project.",
  milepost_queue_jobs: "Jobs of the queue that have not ended.",
  milepost_schedule_lag_seconds: "Age of the oldest claimed slot of the last day that has not run to its end.",
  milepost_processes: "Web and worker processes with a sign of life in the last 30 seconds.",
  milepost_process_memory_bytes: "Memory of each process at its last sign of life.",
  milepost_database_connections: "Connections of the application's login by process and state.",
  milepost_database_bytes: "Size of the database.",
  milepost_files: "Stored files.",
  milepost_files_bytes: "Size of the stored files.",
};

/** What the database knows of the installation as a whole, asked in one statement. */
export async function installationGauges(): Promise<Metric[]> {
  const rows = await getSql()<Row[]>`
    select 'milepost_tasks' as name, jsonb_build_object('status', status) as labels, count(*)::float8 as value from task group by status
    union all select 'milepost_queue_jobs', jsonb_build_object('queue', name, 'state', state), count(*) from pgboss.job where state < 'completed' group by name, state
    union all select 'milepost_schedule_lag_seconds', null, coalesce(extract(epoch from now() - min(claimed_at)), 0)
      from schedule_slot where ran_at is null and claimed_at > now() - interval '1 day'
    union all select 'milepost_processes', jsonb_build_object('kind', k.kind), (
        select count(*) from process_heartbeat p where p.kind = k.kind and p.beat_at > now() - interval '30 seconds')
      from (values ('web'), ('worker')) k(kind)
    union all select 'milepost_process_memory_bytes', jsonb_build_object('kind', kind, 'host', host, 'pid', pid::text), memory_bytes
      from process_heartbeat where beat_at > now() - interval '30 seconds' and memory_bytes is not null
    union all select 'milepost_database_connections', jsonb_build_object('process', application_name, 'state', coalesce(state, 'unknown')), count(*)
      from pg_stat_activity where datname = current_database() and application_name like 'milepost-%' group by application_name, state
    union all select 'milepost_database_bytes', null, pg_database_size(current_database())
    union all select 'milepost_files', null, count(*) from file_object
    union all select 'milepost_files_bytes', null, coalesce(sum(size), 0) from file_object`;
  const metrics = new Map<string, Metric>();
  for (const { name, labels, value } of rows) {
    const metric = metrics.get(name) ?? { name, help: helps[name] ?? "", type: "gauge", values: [] };
    metric.values.push({ ...(labels && { labels }), value });
    metrics.set(name, metric);
  }
  return [...metrics.values()];
}
