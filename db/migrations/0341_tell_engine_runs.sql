-- A run knows its day 0 and the levels of its plan; open screens hear how far it is, whoever writes it.
alter table engine_run add column plan_start_date date not null;
alter table engine_run add column levels jsonb;
alter table engine_run add column applied_at timestamptz;

create function announce_engine_run() returns trigger language plpgsql as $$
begin
  perform pg_notify('run_changes', json_build_object(
    'runId', new.id, 'projectId', new.project_id, 'versionId', new.version_id, 'status', new.status, 'phase', new.phase, 'percent', new.percent,
    'elapsedS', coalesce(extract(epoch from coalesce(new.finished_at, new.heartbeat_at) - new.started_at), 0)::int,
    'evaluations', coalesce((new.evaluations ->> 'total')::int, 0), 'evaluationLimit', new.evaluation_limit,
    'incumbent', new.incumbent, 'bound', new.bound, 'heartbeatAt', new.heartbeat_at, 'cancelMode', new.cancel_mode)::text);
  return null;
end $$;

create trigger engine_run_announce_insert after insert on engine_run for each row execute function announce_engine_run();
create trigger engine_run_announce_update after update on engine_run for each row
  when (old.status is distinct from new.status or old.phase is distinct from new.phase or old.percent is distinct from new.percent
    or old.evaluations is distinct from new.evaluations or old.incumbent is distinct from new.incumbent or old.cancel_mode is distinct from new.cancel_mode)
  execute function announce_engine_run();
