-- What became of activities that were copied with their flow into this or another project: one row per copy, its activities one by one in detail.
create table replication_log (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  at timestamptz not null,
  actor_id bigint not null references app_user,
  source_flow_id bigint references activity_flow on delete set null,
  source_name varchar(100) not null,
  target_project_id bigint references project,
  target_flow_id bigint references activity_flow on delete set null,
  target_name varchar(100) not null,
  activity_count int not null,
  success_count int not null default 0,
  failed_count int not null default 0,
  status varchar(8) not null constraint replication_log_status check (status in ('running', 'done', 'partly', 'failed')),
  detail jsonb not null default '[]',
  task_id uuid references task on delete set null
);
create index replication_log_project on replication_log (project_id, at desc);
create index replication_log_source on replication_log (source_flow_id) where source_flow_id is not null;
create index replication_log_target on replication_log (target_flow_id) where target_flow_id is not null;
create index replication_log_task on replication_log (task_id) where task_id is not null;

do $$
begin
  execute format(
    'create or replace function erased_tables() returns text[] language sql immutable as %L',
    format('select %L::text[]', array['replication_log'] || erased_tables()));
end $$;
