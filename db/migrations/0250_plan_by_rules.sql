-- Rules that fill plan dates and attributes by themselves, and the runs of these and of owner rules.
create table plan_rule (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  name varchar(100) not null constraint plan_rule_name_given check (btrim(name) <> ''),
  rule_type varchar(12) not null
    constraint plan_rule_type check (rule_type in ('ACT_TO_ACT', 'ACT_TO_ATTR', 'ATTR_TO_ACT', 'ATTR_TO_ATTR', 'MULTI_ACT', 'ORG_TARGET', 'EXT_EVENT')),
  flow_id bigint not null references activity_flow,
  region_ids bigint[] not null default '{}',
  du_filter jsonb not null default '[]',
  status varchar(9) not null default 'INVALID' constraint plan_rule_status check (status in ('EFFECTIVE', 'INVALID')),
  invalid_reason varchar(24) constraint plan_rule_reason check ((status = 'INVALID') = (invalid_reason is not null)),
  events jsonb constraint plan_rule_events check ((rule_type = 'EXT_EVENT') = (events is not null)),
  -- Events up to this change number are none of the rule's: it was not in force yet.
  since_seq bigint not null default 0,
  effective_at timestamptz,
  expire_date date,
  auto_execute boolean not null default false,
  frequency_hours numeric(4, 1)
    constraint plan_rule_frequency check (frequency_hours in (0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 8, 12, 24, 48)),
  -- Wall clock of the project at the slot that ran last.
  last_slot timestamp,
  next_run_at timestamptz,
  sort_no int not null constraint plan_rule_sort check (sort_no between 1 and 10000),
  description varchar(2000),
  deleted_at timestamptz,
  row_version int not null default 1,
  created_by bigint not null references app_user,
  created_at timestamptz not null,
  updated_by bigint not null references app_user,
  updated_at timestamptz not null,
  constraint plan_rule_frequency_auto check ((frequency_hours is not null) = (auto_execute and rule_type not in ('EXT_EVENT', 'ORG_TARGET')))
);
create unique index plan_rule_name_unique on plan_rule (project_id, lower(name)) where deleted_at is null;
create index plan_rule_flow on plan_rule (flow_id);
create index plan_rule_due on plan_rule (next_run_at) where next_run_at is not null;

create table plan_rule_condition (
  rule_id bigint not null references plan_rule on delete cascade,
  project_id bigint not null references project,
  seq smallint not null constraint plan_rule_condition_seq check (seq between 1 and 10),
  open_count smallint not null default 0 constraint plan_rule_condition_open check (open_count between 0 and 3),
  object jsonb not null,
  -- Type of the object when the row was written.
  object_type varchar(8) not null,
  operator varchar(12) not null,
  "values" jsonb not null,
  close_count smallint not null default 0 constraint plan_rule_condition_close check (close_count between 0 and 3),
  logic varchar(3) constraint plan_rule_condition_logic check (logic in ('AND', 'OR')),
  primary key (rule_id, seq)
);
create index plan_rule_condition_project on plan_rule_condition (project_id);

create table plan_rule_action (
  rule_id bigint not null references plan_rule on delete cascade,
  project_id bigint not null references project,
  seq smallint not null constraint plan_rule_action_seq check (seq between 1 and 10),
  sources jsonb not null,
  aggregate varchar(8) constraint plan_rule_action_aggregate check (aggregate in ('LATEST', 'EARLIEST')),
  blanks varchar(11) not null default 'REQUIRE_ALL' constraint plan_rule_action_blanks check (blanks in ('REQUIRE_ALL', 'IGNORE')),
  offset_days int not null default 0 constraint plan_rule_action_offset check (offset_days between 0 and 1095),
  target jsonb not null,
  -- Types of the attributes when the row was written, by key.
  types jsonb not null default '{}',
  overwrite boolean not null default true,
  primary key (rule_id, seq),
  constraint plan_rule_action_target_unique unique (rule_id, target)
);
create index plan_rule_action_project on plan_rule_action (project_id);

create table rule_run (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  mode varchar(7) not null constraint rule_run_mode check (mode in ('AUTO', 'MANUAL', 'EVENT', 'PREVIEW', 'REVERT')),
  kind varchar(5) not null constraint rule_run_kind check (kind in ('PLAN', 'OWNER')),
  rule_ids bigint[] not null,
  targets jsonb not null default '[]',
  status varchar(7) not null default 'QUEUED' constraint rule_run_status check (status in ('QUEUED', 'RUNNING', 'DONE', 'FAILED')),
  started_by bigint references app_user,
  started_at timestamptz not null,
  finished_at timestamptz,
  scope_count int not null default 0,
  matched_count int not null default 0,
  changed_count int not null default 0,
  skipped_count int not null default 0,
  unchanged_count int not null default 0,
  error varchar(60),
  -- DUs of the events that a run of event rules looks at.
  du_ids bigint[],
  -- The dry run a person looked at before, and the run whose changes are taken back.
  preview_run_id bigint references rule_run on delete set null,
  reverts_run_id bigint references rule_run on delete set null,
  task_id uuid
);
create index rule_run_project on rule_run (project_id, kind, id desc);
create index rule_run_open on rule_run (project_id) where status in ('QUEUED', 'RUNNING');
create index rule_run_preview on rule_run (preview_run_id) where preview_run_id is not null;
create index rule_run_reverts on rule_run (reverts_run_id) where reverts_run_id is not null;

create table rule_run_rule (
  run_id bigint not null references rule_run on delete cascade,
  project_id bigint not null references project,
  rule_id bigint not null,
  name varchar(100) not null,
  matched int not null default 0,
  changed int not null default 0,
  unchanged int not null default 0,
  source_empty int not null default 0,
  superseded int not null default 0,
  skipped_by_reason jsonb not null default '{}',
  reverted boolean not null default false,
  primary key (run_id, rule_id)
);
create index rule_run_rule_project on rule_run_rule (project_id, rule_id, run_id desc);

-- One packed row per run and DU; its arrays run in parallel, one element per changed or skipped cell.
create table rule_run_change (
  run_id bigint not null references rule_run on delete cascade,
  project_id bigint not null references project,
  du_id bigint not null references du,
  target smallint[] not null,
  rule smallint[] not null,
  outcome smallint[] not null,
  old_value int[] not null,
  new_value int[] not null,
  old_text text[],
  new_text text[],
  primary key (run_id, du_id)
);
create index rule_run_change_project on rule_run_change (project_id);
create index rule_run_change_du on rule_run_change (du_id);

create table rule_event_cursor (
  project_id bigint primary key references project,
  seq bigint not null
);

-- The count of DUs an organisation wants to bring to a milestone in a week.
create table org_target (
  project_id bigint not null references project,
  region_id bigint not null references delivery_region,
  activity_id bigint not null references activity_library,
  week_start date not null constraint org_target_monday check (extract(isodow from week_start) = 1),
  target int not null constraint org_target_value check (target between 0 and 1000000),
  rule_id bigint not null references plan_rule,
  primary key (project_id, region_id, activity_id, week_start)
);
create index org_target_rule on org_target (rule_id);

do $$
begin
  execute format('create or replace function erased_tables() returns text[] language sql immutable as %L',
    format('select %L::text[]', array['rule_run_change', 'rule_run_rule', 'rule_run', 'rule_event_cursor', 'org_target', 'plan_rule_action', 'plan_rule_condition', 'plan_rule']
      || erased_tables()));
end $$;
