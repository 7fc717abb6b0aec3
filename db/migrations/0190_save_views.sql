-- What a person sees of the plan, kept under a name: its view, columns, filters, order, period and search. A shared one opens for every member by its address.
create table saved_view (
  id uuid primary key,
  project_id bigint not null references project,
  owner_id bigint not null references app_user,
  name varchar(100) not null,
  state jsonb not null,
  shared boolean not null,
  row_version int not null default 1
);
create unique index saved_view_name_unique on saved_view (project_id, owner_id, lower(name));
create index saved_view_shared on saved_view (project_id) where shared;

do $$
begin
  execute format(
    'create or replace function erased_tables() returns text[] language sql immutable as %L',
    format('select %L::text[]', array['saved_view'] || erased_tables()));
end $$;
