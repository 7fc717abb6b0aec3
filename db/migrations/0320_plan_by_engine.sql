-- Plan versions of the planning engine with their settings, the inputs of a version, and the warehouses of a project with what other systems call them.
create table engine_plan_version (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  version_name varchar(100) not null,
  description varchar(2000),
  status varchar(12) not null default 'setting' constraint engine_plan_version_status check (status in ('setting', 'calculating', 'finished', 'failed')),
  source varchar(20) not null constraint engine_plan_version_source check (source in ('page_input', 'local_import', 'system_integration')),
  is_current boolean not null default false,
  is_planned boolean not null default false,
  in_use boolean not null default false,
  calc_start_at timestamptz,
  calc_end_at timestamptz,
  inputs_changed_at timestamptz not null,
  row_version int not null default 1,
  created_by bigint not null references app_user,
  created_at timestamptz not null,
  updated_by bigint not null references app_user,
  updated_at timestamptz not null
);
create unique index engine_plan_version_name_unique on engine_plan_version (project_id, lower(version_name));
create unique index engine_plan_version_current_unique on engine_plan_version (project_id) where is_current;
create unique index engine_plan_version_in_use_unique on engine_plan_version (project_id) where in_use;

create table engine_setting (
  version_id bigint primary key references engine_plan_version on delete cascade,
  project_id bigint not null references project,
  direction varchar(8) not null constraint engine_setting_direction check (direction in ('forward', 'reverse')),
  plan_start_date date not null,
  horizon_days int not null constraint engine_setting_horizon check (horizon_days between 1 and 1095),
  sort_by_rfi boolean not null,
  enable_eomonth boolean not null,
  enable_cluster boolean not null,
  clustering_rate numeric(5, 4) constraint engine_setting_clustering check (clustering_rate > 0 and clustering_rate <= 1),
  damage_rate numeric(5, 4) not null constraint engine_setting_damage check (damage_rate between 0 and 1),
  reuse_rate numeric(5, 4) not null constraint engine_setting_reuse check (reuse_rate between 0 and 1),
  buffer_rate numeric(5, 4) not null constraint engine_setting_buffer check (buffer_rate between 0 and 1),
  max_cluster_cutover int constraint engine_setting_cutover check (max_cluster_cutover > 0),
  activity_anchor varchar(250),
  target_azimuth smallint constraint engine_setting_azimuth check (target_azimuth between 0 and 360),
  gap_policy varchar(6) not null constraint engine_setting_gap check (gap_policy in ('flag', 'strict')),
  currency varchar(3) not null constraint engine_setting_currency check (currency in ('USD', 'CNY', 'EUR')),
  evaluation_limit int not null constraint engine_setting_evaluations check (evaluation_limit between 1 and 1000000),
  time_budget_s int not null constraint engine_setting_time check (time_budget_s between 1 and 600),
  seed int not null,
  islands smallint not null constraint engine_setting_islands check (islands between 1 and 8),
  use_exact boolean not null,
  row_version int not null default 1,
  updated_by bigint not null references app_user,
  updated_at timestamptz not null,
  constraint engine_setting_cluster_whole check (not enable_cluster or (clustering_rate is not null and activity_anchor is not null))
);
create index engine_setting_project on engine_setting (project_id);

create table engine_warehouse (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  name varchar(100) not null,
  principal_name varchar(100),
  priority int not null constraint engine_warehouse_priority check (priority > 0),
  type varchar(8) not null constraint engine_warehouse_type check (type in ('central', 'regional')),
  region varchar(100),
  row_version int not null default 1,
  created_by bigint not null references app_user,
  created_at timestamptz not null,
  updated_by bigint not null references app_user,
  updated_at timestamptz not null,
  constraint engine_warehouse_region check ((type = 'regional') = (region is not null))
);
create unique index engine_warehouse_name_unique on engine_warehouse (project_id, lower(name));

create table engine_warehouse_mapping (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  source_system varchar(60) not null,
  source_code varchar(60) not null,
  warehouse_id bigint not null references engine_warehouse on delete cascade,
  row_version int not null default 1,
  created_by bigint not null references app_user,
  created_at timestamptz not null,
  updated_by bigint not null references app_user,
  updated_at timestamptz not null,
  constraint engine_warehouse_mapping_unique unique (project_id, source_system, source_code)
);
create index engine_warehouse_mapping_warehouse on engine_warehouse_mapping (warehouse_id);

create table engine_skill_resource (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  version_id bigint not null references engine_plan_version on delete cascade,
  skill_type varchar(60) not null,
  resource_name varchar(100) not null,
  region varchar(100),
  team_count int not null constraint engine_skill_resource_teams check (team_count > 0),
  row_version int not null default 1,
  created_by bigint not null references app_user,
  created_at timestamptz not null,
  updated_by bigint not null references app_user,
  updated_at timestamptz not null,
  constraint engine_skill_resource_unique unique nulls not distinct (version_id, skill_type, resource_name, region)
);
create index engine_skill_resource_project on engine_skill_resource (project_id, version_id);

create table engine_du_material (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  version_id bigint not null references engine_plan_version on delete cascade,
  du_id bigint not null references du,
  item_code varchar(60) not null,
  description varchar(250),
  decom_qty numeric(14, 2) constraint engine_du_material_decom check (decom_qty > 0),
  install_qty numeric(14, 2) constraint engine_du_material_install check (install_qty > 0),
  material_category varchar(60),
  row_version int not null default 1,
  created_by bigint not null references app_user,
  created_at timestamptz not null,
  updated_by bigint not null references app_user,
  updated_at timestamptz not null,
  constraint engine_du_material_one check ((decom_qty is null) <> (install_qty is null))
);
create unique index engine_du_material_unique on engine_du_material (version_id, du_id, item_code, (decom_qty is null));
create index engine_du_material_project on engine_du_material (project_id, version_id);
create index engine_du_material_du on engine_du_material (du_id);

create table engine_inventory (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  version_id bigint not null references engine_plan_version on delete cascade,
  warehouse_id bigint not null references engine_warehouse,
  item_code varchar(60) not null,
  inventory_qty numeric(14, 2) constraint engine_inventory_qty check (inventory_qty >= 0),
  plan_qty numeric(14, 2) constraint engine_inventory_plan check (plan_qty >= 0),
  plan_inbound_date date,
  origin varchar(8) not null default 'addition' constraint engine_inventory_origin check (origin in ('sync', 'addition')),
  row_version int not null default 1,
  created_by bigint not null references app_user,
  created_at timestamptz not null,
  updated_by bigint not null references app_user,
  updated_at timestamptz not null,
  constraint engine_inventory_some check (num_nonnulls(inventory_qty, plan_qty, plan_inbound_date) > 0),
  constraint engine_inventory_pair check ((plan_qty is null) = (plan_inbound_date is null))
);
create index engine_inventory_project on engine_inventory (project_id, version_id);
create index engine_inventory_warehouse on engine_inventory (warehouse_id);

create table engine_item_substitute (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  version_id bigint not null references engine_plan_version on delete cascade,
  design_item_code varchar(60) not null,
  design_description varchar(250),
  design_qty numeric(14, 2) not null constraint engine_item_substitute_design check (design_qty > 0),
  design_priority int not null constraint engine_item_substitute_design_priority check (design_priority > 0),
  group_name varchar(60) not null,
  warehouse_item_code varchar(60) not null,
  warehouse_description varchar(250),
  warehouse_qty numeric(14, 2) not null constraint engine_item_substitute_warehouse check (warehouse_qty > 0),
  substitution_priority int not null constraint engine_item_substitute_priority check (substitution_priority > 0),
  row_version int not null default 1,
  created_by bigint not null references app_user,
  created_at timestamptz not null,
  updated_by bigint not null references app_user,
  updated_at timestamptz not null,
  constraint engine_item_substitute_unique unique (version_id, design_item_code, group_name, warehouse_item_code)
);
create index engine_item_substitute_project on engine_item_substitute (project_id, version_id);

create table engine_reuse_material (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  version_id bigint not null references engine_plan_version on delete cascade,
  item_code varchar(60) not null,
  material_category varchar(60),
  damage_rate numeric(5, 4) constraint engine_reuse_material_damage check (damage_rate between 0 and 1),
  reuse_rate numeric(5, 4) constraint engine_reuse_material_reuse check (reuse_rate between 0 and 1),
  buffer_rate numeric(5, 4) constraint engine_reuse_material_buffer check (buffer_rate between 0 and 1),
  turnaround_days int not null default 0 constraint engine_reuse_material_turnaround check (turnaround_days >= 0),
  row_version int not null default 1,
  created_by bigint not null references app_user,
  created_at timestamptz not null,
  updated_by bigint not null references app_user,
  updated_at timestamptz not null,
  constraint engine_reuse_material_unique unique (version_id, item_code)
);
create index engine_reuse_material_project on engine_reuse_material (project_id, version_id);

do $$
begin
  execute format('create or replace function erased_tables() returns text[] language sql immutable as %L',
    format('select %L::text[]', array['engine_reuse_material', 'engine_item_substitute', 'engine_inventory', 'engine_du_material', 'engine_skill_resource',
      'engine_warehouse_mapping', 'engine_warehouse', 'engine_setting', 'engine_plan_version'] || erased_tables()));
end $$;
