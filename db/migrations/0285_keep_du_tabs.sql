-- What the rows of DU tabs say of a DU besides what is known already.
alter table du
  add column hw_contract_number varchar(60),
  add column completeness_type varchar(60),
  add column network_element_id varchar(80);

-- Data of DUs that does not fit one cell per DU: many rows per DU by serial number, or one. `key_mode` repeats that of the tab.
create table du_tab_row (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  tab_id bigint not null references du_tab,
  du_id bigint not null references du,
  key_mode varchar(2) not null,
  sn varchar(50),
  data jsonb not null default '{}',
  row_version int not null default 1,
  created_by bigint references app_user,
  created_at timestamptz not null,
  updated_by bigint references app_user,
  updated_at timestamptz not null,
  deleted_by bigint references app_user,
  deleted_at timestamptz,
  constraint du_tab_row_key check (case key_mode when 'SN' then sn is not null when 'DU' then sn is null else false end)
);
create unique index du_tab_row_sn_unique on du_tab_row (tab_id, sn) where sn is not null and deleted_at is null;
create unique index du_tab_row_du_unique on du_tab_row (tab_id, du_id) where key_mode = 'DU' and deleted_at is null;
create index du_tab_row_du on du_tab_row (du_id, tab_id);
create index du_tab_row_project on du_tab_row (project_id);

-- Who only reads a tab, and who writes it, beside what everybody may.
create table du_tab_user (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  tab_id bigint not null references du_tab,
  user_id bigint references app_user,
  role varchar(40),
  mode varchar(2) not null constraint du_tab_user_mode check (mode in ('RO', 'RW')),
  constraint du_tab_user_subject check ((user_id is null) <> (role is null))
);
create unique index du_tab_user_user_unique on du_tab_user (tab_id, user_id) where user_id is not null;
create unique index du_tab_user_role_unique on du_tab_user (tab_id, role) where role is not null;
create index du_tab_user_project on du_tab_user (project_id);
create index du_tab_user_user on du_tab_user (user_id) where user_id is not null;

-- What was changed in a row: old and new value by key; one line per write and row.
create table du_tab_history (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  tab_id bigint not null references du_tab,
  row_id bigint not null references du_tab_row,
  du_id bigint not null references du,
  changes jsonb not null,
  user_id bigint not null references app_user,
  at timestamptz not null,
  source varchar(7) not null constraint du_tab_history_source check (source in ('UI', 'IMPORT', 'DELETE', 'RESTORE'))
);
create index du_tab_history_row on du_tab_history (row_id, id);
create index du_tab_history_tab on du_tab_history (tab_id, id);
create index du_tab_history_du on du_tab_history (du_id);
create index du_tab_history_project on du_tab_history (project_id);

do $$
begin
  execute format('create or replace function erased_tables() returns text[] language sql immutable as %L',
    format('select %L::text[]', array['du_tab_history', 'du_tab_user', 'du_tab_row'] || erased_tables()));
end $$;
