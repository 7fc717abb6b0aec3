-- Clusters: DUs that are cut over together. The outline is drawn by hand; without one the map shows the hull of the DUs.
create table cluster (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  name varchar(60) not null,
  region_id bigint references delivery_region,
  priority int not null constraint cluster_priority check (priority > 0),
  completion_rate numeric(6, 2) not null default 0,
  rate_kind varchar(8) not null default 'integer' constraint cluster_rate_kind check (rate_kind in ('integer', 'real')),
  cutover_activity_id bigint references activity_library,
  max_cutover_qty int constraint cluster_max_cutover_qty check (max_cutover_qty > 0),
  polygon jsonb,
  color varchar(2) not null constraint cluster_color check (color ~ '^c[1-6]$'),
  row_version int not null default 1,
  constraint cluster_rate check (case rate_kind when 'integer' then completion_rate between 0 and 9999 and completion_rate = trunc(completion_rate)
    else completion_rate between 0.01 and 99.99 end)
);
create unique index cluster_name_unique on cluster (project_id, lower(name));

alter table du add constraint du_cluster foreign key (cluster_id) references cluster;
create index du_cluster on du (cluster_id) where cluster_id is not null;

-- After du, whose rows point to it.
do $$
begin
  execute format('create or replace function erased_tables() returns text[] language sql immutable as %L',
    format('select %L::text[]', erased_tables() || array['cluster']));
end $$;
