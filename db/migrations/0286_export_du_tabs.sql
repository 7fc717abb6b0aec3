-- The newest export of a DU tab by a person: the only one whose workbook is taken back. `id` is the task's.
create table du_tab_export (
  id uuid primary key,
  project_id bigint not null references project,
  tab_id bigint not null references du_tab,
  user_id bigint not null references app_user,
  exported_at timestamptz not null,
  column_hash varchar(64) not null,
  row_count int not null,
  constraint du_tab_export_newest unique (tab_id, user_id)
);
create index du_tab_export_project on du_tab_export (project_id);
create index du_tab_export_user on du_tab_export (user_id);

do $$
begin
  execute format('create or replace function erased_tables() returns text[] language sql immutable as %L',
    format('select %L::text[]', array['du_tab_export'] || erased_tables()));
end $$;
