-- Kinds of companies, what a company can do a week, and what it may do here. A row without company holds for all that have none of their own.
create table subcon_type (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  name varchar(200) not null constraint subcon_type_name_given check (btrim(name) <> ''),
  activity_ids bigint[] not null default '{}',
  row_version int not null default 1,
  updated_by bigint references app_user,
  updated_at timestamptz not null
);
create unique index subcon_type_name_unique on subcon_type (project_id, lower(name));

-- Revision of what is set for a company.
create table subcon_setting (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  subcontractor_id bigint references subcontractor on delete cascade,
  row_version int not null default 1,
  updated_by bigint references app_user,
  updated_at timestamptz not null,
  constraint subcon_setting_unique unique nulls not distinct (project_id, subcontractor_id)
);
create index subcon_setting_subcontractor on subcon_setting (subcontractor_id);

create table subcon_config (
  setting_id bigint not null references subcon_setting on delete cascade,
  project_id bigint not null references project,
  key varchar(40) not null,
  value boolean not null,
  primary key (setting_id, key)
);
create index subcon_config_project on subcon_config (project_id);

create table subcon_capacity (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  setting_id bigint not null references subcon_setting on delete cascade,
  region_id bigint references delivery_region,
  subcon_type_id bigint references subcon_type,
  baseline numeric(7,2) not null,
  upper_cap numeric(7,2) not null constraint subcon_capacity_upper check (upper_cap < 10000),
  lower_limit numeric(7,2) not null constraint subcon_capacity_lower check (lower_limit >= 0),
  lead_time_weeks int not null constraint subcon_capacity_lead check (lead_time_weeks >= 1),
  increase_period_weeks int not null constraint subcon_capacity_period check (increase_period_weeks >= 1),
  increase_per_cycle numeric(7,2) not null constraint subcon_capacity_increase check (increase_per_cycle >= 0 and increase_per_cycle < 10000),
  redundancy_ratio numeric(7,2) not null constraint subcon_capacity_redundancy check (redundancy_ratio between 100 and 10000),
  start_week date not null constraint subcon_capacity_sunday check (extract(dow from start_week) = 0),
  constraint subcon_capacity_limits check (lower_limit <= baseline and baseline <= upper_cap),
  constraint subcon_capacity_unique unique nulls not distinct (setting_id, region_id, subcon_type_id)
);
create index subcon_capacity_project on subcon_capacity (project_id);
create index subcon_capacity_region on subcon_capacity (region_id);
create index subcon_capacity_type on subcon_capacity (subcon_type_id);

create table subcon_capacity_week (
  capacity_id bigint not null references subcon_capacity on delete cascade,
  project_id bigint not null references project,
  week_start date not null constraint subcon_capacity_week_sunday check (extract(dow from week_start) = 0),
  value numeric(7,2) not null constraint subcon_capacity_week_value check (value >= 0 and value < 10000),
  primary key (capacity_id, week_start)
);
create index subcon_capacity_week_project on subcon_capacity_week (project_id);

do $$
begin
  execute format('create or replace function erased_tables() returns text[] language sql immutable as %L',
    format('select %L::text[]', array['subcon_capacity_week', 'subcon_capacity', 'subcon_config', 'subcon_setting', 'subcon_type'] || erased_tables()));
end $$;
