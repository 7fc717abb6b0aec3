-- Regions of the customer's network, each mapped to one delivery region; null is unmapped. A DU that was imported by one remembers which.
create table network_region (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  name varchar(200) not null,
  source varchar(6) not null constraint network_region_source check (source in ('IMPORT', 'MANUAL')),
  region_id bigint references delivery_region,
  row_version int not null default 1
);
create unique index network_region_name_unique on network_region (project_id, lower(name));
create index network_region_region on network_region (region_id);

alter table du add column network_region_id bigint references network_region;
create index du_network_region on du (network_region_id) where network_region_id is not null;

do $$
begin
  execute format('create or replace function erased_tables() returns text[] language sql immutable as %L',
    format('select %L::text[]', erased_tables() || array['network_region']));
end $$;
