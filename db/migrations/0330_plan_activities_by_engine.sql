-- The activities a version of the engine plans, how they hang together, what was last uploaded of an input, and the last synchronisation of its stock.
create table engine_activity (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  version_id bigint not null references engine_plan_version on delete cascade,
  workflow_name varchar(250) not null,
  activity_name varchar(250) not null,
  sort int not null constraint engine_activity_sort check (sort > 0),
  slot smallint,
  duration_days int not null constraint engine_activity_duration check (duration_days >= 0),
  material_related boolean not null,
  need_subcontractor boolean not null,
  disassembly boolean not null,
  assembly boolean not null,
  skill_type varchar(60),
  resource_name varchar(100),
  flow_id bigint references activity_flow on delete set null,
  flow_version int,
  row_version int not null default 1,
  created_by bigint not null references app_user,
  created_at timestamptz not null,
  updated_by bigint not null references app_user,
  updated_at timestamptz not null,
  constraint engine_activity_unique unique (version_id, workflow_name, activity_name),
  constraint engine_activity_skill check (not need_subcontractor or skill_type is not null)
);
create index engine_activity_project on engine_activity (project_id, version_id);
create index engine_activity_flow on engine_activity (flow_id);

create table engine_activity_pre (
  engine_activity_id bigint not null references engine_activity on delete cascade,
  pre_engine_activity_id bigint not null references engine_activity on delete cascade,
  project_id bigint not null references project,
  relation varchar(2) not null constraint engine_activity_pre_relation check (relation in ('FS', 'SS', 'FF', 'SF')),
  offset_days int not null constraint engine_activity_pre_offset check (offset_days between -1095 and 1095),
  primary key (engine_activity_id, pre_engine_activity_id)
);
create index engine_activity_pre_project on engine_activity_pre (project_id);
create index engine_activity_pre_pre on engine_activity_pre (pre_engine_activity_id);

create table engine_activity_link (
  engine_activity_id bigint not null references engine_activity on delete cascade,
  other_engine_activity_id bigint not null references engine_activity on delete cascade,
  kind varchar(11) not null constraint engine_activity_link_kind check (kind in ('co_resource', 'co_team')),
  project_id bigint not null references project,
  primary key (engine_activity_id, other_engine_activity_id, kind),
  constraint engine_activity_link_order check (engine_activity_id < other_engine_activity_id)
);
create index engine_activity_link_project on engine_activity_link (project_id);
create index engine_activity_link_other on engine_activity_link (other_engine_activity_id);

create table engine_input_state (
  version_id bigint not null references engine_plan_version on delete cascade,
  block varchar(14) not null constraint engine_input_state_block
    check (block in ('setting', 'du', 'activity', 'skill_resource', 'du_material', 'inventory', 'substitution', 'reuse')),
  project_id bigint not null references project,
  upload_status varchar(9) not null constraint engine_input_state_upload check (upload_status in ('uploading', 'completed', 'failed')),
  last_task_id uuid references task on delete set null,
  updated_at timestamptz not null,
  primary key (version_id, block)
);
create index engine_input_state_project on engine_input_state (project_id);
create index engine_input_state_task on engine_input_state (last_task_id);

create table engine_inventory_sync (
  version_id bigint primary key references engine_plan_version on delete cascade,
  project_id bigint not null references project,
  state varchar(7) not null constraint engine_inventory_sync_state check (state in ('syncing', 'success', 'failed')),
  task_id uuid references task on delete set null,
  started_at timestamptz not null,
  finished_at timestamptz,
  rows int,
  reason varchar(500),
  -- Of the last one that succeeded: later failures leave the stock as it was.
  synced_at timestamptz
);
create index engine_inventory_sync_project on engine_inventory_sync (project_id);
create index engine_inventory_sync_task on engine_inventory_sync (task_id);

alter table engine_inventory add column sync_task_id uuid references task on delete set null;
create index engine_inventory_task on engine_inventory (sync_task_id);

do $$
begin
  execute format('create or replace function erased_tables() returns text[] language sql immutable as %L',
    format('select %L::text[]', array['engine_inventory_sync', 'engine_input_state', 'engine_activity_link', 'engine_activity_pre', 'engine_activity'] || erased_tables()));
end $$;
