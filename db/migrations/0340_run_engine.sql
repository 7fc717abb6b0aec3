-- Runs of the planning engine with the input each was frozen with, and what they gave: vectors per DU, pegging, material movements and gaps.
create table engine_run (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  version_id bigint not null references engine_plan_version on delete cascade,
  kind varchar(9) not null default 'plan' constraint engine_run_kind check (kind in ('plan', 'emulation')),
  status varchar(11) not null default 'executing'
    constraint engine_run_status check (status in ('executing', 'success', 'failed', 'no_feasible', 'terminated')),
  phase varchar(9) not null default 'queued'
    constraint engine_run_phase check (phase in ('queued', 'prepare', 'construct', 'improve', 'check', 'write', 'done')),
  percent numeric(5, 2) not null default 0 constraint engine_run_percent check (percent between 0 and 100),
  evaluations jsonb,
  incumbent jsonb,
  bound jsonb,
  snapshot bytea,
  snapshot_sha256 char(64) not null,
  code_version varchar(40) not null,
  seed int not null,
  evaluation_limit int not null,
  time_budget_s int not null,
  islands smallint not null,
  stopped_early boolean not null default false,
  former_status varchar(12) not null,
  has_output boolean not null default false,
  started_at timestamptz,
  finished_at timestamptz,
  heartbeat_at timestamptz,
  cancel_requested_at timestamptz,
  cancel_mode varchar(9) constraint engine_run_cancel check (cancel_mode in ('discard', 'keep_best')),
  base_run_id bigint references engine_run on delete set null,
  base_plan boolean not null default false,
  stability_weight smallint not null default 0 constraint engine_run_stability check (stability_weight between 0 and 1000),
  frozen_days smallint not null default 0 constraint engine_run_frozen check (frozen_days between 0 and 1095),
  error_code varchar(40),
  diagnosis jsonb,
  check_report jsonb,
  requested_by_id bigint not null references app_user,
  task_id uuid references task on delete set null,
  created_at timestamptz not null,
  constraint engine_run_one_base check (base_run_id is null or not base_plan)
);
create index engine_run_project on engine_run (project_id, version_id, id);
create unique index engine_run_executing_unique on engine_run (version_id) where status = 'executing' and kind = 'plan';
create index engine_run_open on engine_run (created_at) where status = 'executing';
create index engine_run_version on engine_run (version_id);
create index engine_run_base on engine_run (base_run_id) where base_run_id is not null;
create index engine_run_task on engine_run (task_id) where task_id is not null;
create index engine_run_requester on engine_run (requested_by_id);
alter table engine_run alter column snapshot set storage external;

create table engine_run_flow (
  run_id bigint not null references engine_run on delete cascade,
  project_id bigint not null references project,
  workflow_name varchar(250) not null,
  activity_names varchar(250)[] not null,
  slots smallint[] not null,
  primary key (run_id, workflow_name)
);
create index engine_run_flow_project on engine_run_flow (project_id, run_id);

create table engine_run_pool (
  run_id bigint not null references engine_run on delete cascade,
  project_id bigint not null references project,
  idx smallint not null constraint engine_run_pool_idx check (idx > 0),
  skill_type varchar(60) not null,
  resource_name varchar(100) not null,
  region varchar(100),
  team_count int not null,
  -- Days on which its teams are held and on which they could be, by week of the plan from Sunday, the first one that of the plan start.
  held_days int[] not null,
  open_days int[] not null,
  primary key (run_id, idx)
);
create index engine_run_pool_project on engine_run_pool (project_id, run_id);

create table engine_out_du (
  run_id bigint not null references engine_run on delete cascade,
  project_id bigint not null references project,
  du_id bigint not null references du,
  workflow_name varchar(250) not null,
  region varchar(100),
  rank int not null,
  starts smallint[] not null,
  ends smallint[] not null,
  pools smallint[] not null,
  teams smallint[] not null,
  bindings smallint[] not null,
  binding_refs bigint[] not null,
  fixed bit varying not null,
  -- Of a re-planning: where each job stood in the base (0 = not at all), and why it is somewhere else now.
  base_starts smallint[],
  base_pools smallint[],
  first_start date,
  last_end date,
  anchor_end date,
  due_date date,
  late_days int not null,
  has_gap boolean not null,
  cluster varchar(100),
  cluster_gate date,
  primary key (run_id, du_id)
);
create index engine_out_du_project on engine_out_du (project_id, run_id, rank);
create index engine_out_du_du on engine_out_du (du_id);

create table engine_out_alloc (
  run_id bigint not null references engine_run on delete cascade,
  project_id bigint not null references project,
  du_id bigint not null references du,
  design_item_code varchar(60) not null,
  item_code varchar(60) not null,
  qty numeric(14, 2) not null,
  covers_qty numeric(14, 2) not null,
  source varchar(7) not null constraint engine_out_alloc_source check (source in ('direct', 'reuse', 'stock', 'inbound')),
  warehouse_id bigint,
  warehouse_name varchar(100),
  donor_du_id bigint references du,
  available_date date not null,
  need_date date not null,
  substitute_group varchar(60)
);
create index engine_out_alloc_run on engine_out_alloc (run_id, du_id);
create index engine_out_alloc_project on engine_out_alloc (project_id, run_id);
create index engine_out_alloc_du on engine_out_alloc (du_id);
create index engine_out_alloc_donor on engine_out_alloc (donor_du_id) where donor_du_id is not null;

create table engine_out_mrp (
  run_id bigint not null references engine_run on delete cascade,
  project_id bigint not null references project,
  item_code varchar(60) not null,
  region varchar(100) not null,
  day date not null,
  opening numeric(16, 2) not null,
  gross_req numeric(16, 2) not null,
  inbound numeric(16, 2) not null,
  reuse_in numeric(16, 2) not null,
  issued numeric(16, 2) not null,
  closing numeric(16, 2) not null,
  net_req numeric(16, 2) not null,
  primary key (run_id, item_code, region, day)
);
create index engine_out_mrp_project on engine_out_mrp (project_id, run_id);

create table engine_out_gap (
  run_id bigint not null references engine_run on delete cascade,
  project_id bigint not null references project,
  du_id bigint not null references du,
  item_code varchar(60) not null,
  required_qty numeric(14, 2) not null,
  covered_qty numeric(14, 2) not null,
  short_qty numeric(14, 2) not null,
  need_date date not null,
  cover_date date,
  reason varchar(12) not null constraint engine_out_gap_reason check (reason in ('none_left', 'no_supply', 'wrong_region', 'late')),
  primary key (run_id, du_id, item_code)
);
create index engine_out_gap_project on engine_out_gap (project_id, run_id);
create index engine_out_gap_du on engine_out_gap (du_id);

do $$
begin
  execute format('create or replace function erased_tables() returns text[] language sql immutable as %L',
    format('select %L::text[]', array['engine_out_gap', 'engine_out_mrp', 'engine_out_alloc', 'engine_out_du', 'engine_run_pool', 'engine_run_flow',
      'engine_run'] || erased_tables()));
end $$;
