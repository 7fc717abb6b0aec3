-- Rules that bind DUs to flows by themselves: the first one in force that fits decides.
create table du_flow_rule (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  name varchar(100) not null constraint du_flow_rule_name_given check (btrim(name) <> ''),
  flow_id bigint not null references activity_flow,
  region_id bigint references delivery_region,
  priority int not null constraint du_flow_rule_priority check (priority between 1 and 500),
  conditions jsonb not null,
  status varchar(7) not null default 'invalid' constraint du_flow_rule_status check (status in ('enabled', 'invalid')),
  invalid_reason varchar(24) constraint du_flow_rule_reason check ((status = 'invalid') = (invalid_reason is not null)),
  last_run_at timestamptz,
  row_version int not null default 1,
  created_by bigint not null references app_user,
  created_at timestamptz not null,
  updated_by bigint not null references app_user,
  updated_at timestamptz not null,
  -- Judged at the end of a statement, so that priorities may change places.
  constraint du_flow_rule_priority_unique unique (project_id, priority) deferrable initially immediate
);
create unique index du_flow_rule_name_unique on du_flow_rule (project_id, lower(name));
create index du_flow_rule_flow on du_flow_rule (flow_id);

-- DUs that no rule has bound, and why; written anew by every run.
create table du_flow_unmatched (
  du_id bigint primary key references du on delete cascade,
  project_id bigint not null references project,
  reason varchar(12) not null constraint du_flow_unmatched_reason check (reason in ('NO_RULE', 'RULE_INVALID', 'NO_REGION')),
  at timestamptz not null
);
create index du_flow_unmatched_project on du_flow_unmatched (project_id, reason);

-- One row per run, counted up as its transactions commit.
create table du_flow_run (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  mode varchar(6) not null constraint du_flow_run_mode check (mode in ('manual', 'import', 'daily')),
  rule_ids bigint[] not null,
  task_id uuid,
  started_by bigint references app_user,
  started_at timestamptz not null,
  finished_at timestamptz,
  scope_count int not null default 0,
  bound_count int not null default 0,
  unmatched_count int not null default 0,
  rules jsonb not null default '[]'
);
create index du_flow_run_project on du_flow_run (project_id, id desc);

do $$
begin
  execute format('create or replace function erased_tables() returns text[] language sql immutable as %L',
    format('select %L::text[]', array['du_flow_unmatched', 'du_flow_run', 'du_flow_rule'] || erased_tables()));
end $$;
