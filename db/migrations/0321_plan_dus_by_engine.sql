-- The DUs of a plan version of the engine, with what only the engine asks of them.
create table engine_du (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  version_id bigint not null references engine_plan_version on delete cascade,
  du_id bigint not null references du,
  workflow_name varchar(250) not null,
  du_type varchar(9) not null constraint engine_du_type check (du_type in ('install', 'dismantle', 'both')),
  customer_site varchar(100),
  direct_migration_site varchar(100),
  allow_direct_moving boolean not null,
  region varchar(100),
  longitude numeric(9, 6) constraint engine_du_longitude check (longitude between -180 and 180),
  latitude numeric(9, 6) constraint engine_du_latitude check (latitude between -90 and 90),
  cluster varchar(100),
  cluster_priority int constraint engine_du_cluster_priority check (cluster_priority > 0),
  rfi_priority int constraint engine_du_rfi_priority check (rfi_priority > 0),
  plan_end_date date,
  ic_actual_end_date date,
  decom_actual_end_date date,
  eomonth date,
  decom_site varchar(100),
  in_scope boolean not null,
  row_version int not null default 1,
  created_by bigint not null references app_user,
  created_at timestamptz not null,
  updated_by bigint not null references app_user,
  updated_at timestamptz not null,
  constraint engine_du_unique unique (version_id, du_id),
  constraint engine_du_place check ((longitude is null) = (latitude is null))
);
create index engine_du_project on engine_du (project_id, version_id);
create index engine_du_du on engine_du (du_id);

do $$
begin
  execute format('create or replace function erased_tables() returns text[] language sql immutable as %L',
    format('select %L::text[]', array['engine_du'] || erased_tables()));
end $$;
