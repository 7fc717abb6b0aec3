-- Tabs that cut the plan by one property of its DUs: of everybody (no owner) or of one person.
create table multi_dim_tab (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  owner_id bigint references app_user,
  alias varchar(40) not null,
  dimension varchar(60) not null,
  show_rate boolean not null,
  show_amount boolean not null,
  visible boolean not null,
  sort int not null,
  row_version int not null default 1,
  constraint multi_dim_tab_measure check (show_rate or show_amount)
);
create unique index multi_dim_tab_alias_unique on multi_dim_tab (project_id, owner_id, lower(alias)) nulls not distinct;
create unique index multi_dim_tab_dimension_unique on multi_dim_tab (project_id, owner_id, dimension) nulls not distinct;

-- The activities a tab counts, in their order.
create table multi_dim_tab_activity (
  tab_id bigint not null references multi_dim_tab on delete cascade,
  activity_id bigint not null references activity_library,
  sort smallint not null,
  primary key (tab_id, activity_id)
);
create index multi_dim_tab_activity_activity on multi_dim_tab_activity (activity_id);

-- What holds for the views of a whole project.
create table multi_dim_global (
  project_id bigint primary key references project,
  allow_personal boolean not null default true,
  default_tab_id bigint references multi_dim_tab on delete set null,
  period varchar(20),
  row_limit int not null default 500 constraint multi_dim_global_row_limit check (row_limit between 10 and 2000),
  row_version int not null default 1
);
create index multi_dim_global_default_tab on multi_dim_global (default_tab_id) where default_tab_id is not null;

do $$
begin
  execute format(
    'create or replace function erased_tables() returns text[] language sql immutable as %L',
    format('select %L::text[]', array['multi_dim_global', 'multi_dim_tab'] || erased_tables()));
end $$;
