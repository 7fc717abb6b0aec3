-- Phases of the project, its mix of sites, its currency, and what counts as a completed cluster.
create table project_cycle (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  project_number varchar(60) not null,
  row_version int not null default 1,
  updated_by bigint references app_user,
  updated_at timestamptz not null
);
create unique index project_cycle_number_unique on project_cycle (project_id, lower(project_number));

create table project_phase (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  cycle_id bigint not null references project_cycle on delete cascade,
  code varchar(20) not null,
  name varchar(200) not null,
  start_date date not null,
  end_date date not null,
  constraint project_phase_order check (start_date <= end_date),
  constraint project_phase_code_unique unique (cycle_id, code)
);
create unique index project_phase_name_unique on project_phase (project_id, lower(name));

create table site_dimension (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  name varchar(200) not null,
  sort_no smallint not null constraint site_dimension_sort check (sort_no between 1 and 4),
  constraint site_dimension_sort_unique unique (project_id, sort_no) deferrable
);
create unique index site_dimension_name_unique on site_dimension (project_id, lower(name));

create table site_type (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  name varchar(200) not null,
  row_version int not null default 1,
  updated_by bigint references app_user,
  updated_at timestamptz not null
);
create unique index site_type_name_unique on site_type (project_id, lower(name));

create table sub_site_type (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  site_type_id bigint not null references site_type on delete cascade,
  dimension_id bigint not null references site_dimension,
  name varchar(200) not null,
  percentage numeric(5,2) not null constraint sub_site_type_percentage check (percentage between 0 and 100),
  sort_no smallint not null
);
create unique index sub_site_type_name_unique on sub_site_type (site_type_id, dimension_id, lower(name));
create index sub_site_type_project on sub_site_type (project_id);
create index sub_site_type_dimension on sub_site_type (dimension_id);

create table project_currency (
  project_id bigint primary key references project,
  code char(3) not null constraint project_currency_code check (code in ('USD', 'CNY', 'EUR')),
  row_version int not null default 1,
  updated_by bigint references app_user,
  updated_at timestamptz not null
);

create table cluster_rate (
  project_id bigint primary key references project,
  kind varchar(7) not null constraint cluster_rate_kind check (kind in ('INTEGER', 'REAL')),
  value numeric(6,2) not null,
  row_version int not null default 1,
  updated_by bigint references app_user,
  updated_at timestamptz not null,
  constraint cluster_rate_range check (case kind when 'INTEGER' then value between 0 and 9999 and value = trunc(value) else value between 0.01 and 99.99 end)
);

do $$
begin
  execute format('create or replace function erased_tables() returns text[] language sql immutable as %L',
    format('select %L::text[]', array['project_phase', 'project_cycle', 'sub_site_type', 'site_type', 'site_dimension', 'project_currency', 'cluster_rate'] || erased_tables()));
end $$;
