-- What a person keeps to use again: searches, filters, column layouts, layouts of foreign plans, and plans of a flow. Public ones are the project's.
create table template (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  kind varchar(8) not null constraint template_kind check (kind in ('search', 'filter', 'grid', 'reverse', 'plan')),
  object_type varchar(8) constraint template_object_type check (object_type in ('site', 'link', 'osp', 'project')),
  grid_key varchar(60),
  name varchar(200) not null,
  remark varchar(500),
  is_public boolean not null,
  owner_id bigint not null references app_user,
  locked_columns smallint not null default 0 constraint template_locked_columns check (locked_columns between 0 and 8),
  network_type varchar(60),
  organisation varchar(120),
  body jsonb not null,
  shared_from_id bigint references template on delete set null,
  shared_by bigint references app_user,
  is_project_default boolean not null default false constraint template_default_public check (is_public or not is_project_default),
  updated_at timestamptz not null,
  row_version int not null default 1
);
create unique index template_public_name_unique on template (project_id, kind, lower(name)) where is_public;
create unique index template_personal_name_unique on template (project_id, owner_id, kind, lower(name)) where not is_public;
create unique index template_project_default_unique on template (project_id, kind, grid_key) where is_project_default;
create index template_shared_from on template (shared_from_id) where shared_from_id is not null;

-- The template a person starts a grid with.
create table template_default (
  user_id bigint not null references app_user,
  project_id bigint not null references project,
  grid_key varchar(60) not null,
  kind varchar(8) not null,
  template_id bigint not null references template on delete cascade,
  primary key (user_id, project_id, grid_key, kind)
);
create index template_default_template on template_default (template_id);
create index template_default_project on template_default (project_id);

-- Places and widths of columns: of one person's grid, or of a template for all who use it.
create table column_position (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  user_id bigint references app_user,
  template_id bigint references template on delete cascade,
  grid_key varchar(60) not null,
  columns jsonb not null,
  constraint column_position_of_one check ((user_id is null) <> (template_id is null))
);
create unique index column_position_user_unique on column_position (project_id, user_id, grid_key) where user_id is not null;
create unique index column_position_template_unique on column_position (template_id, grid_key) where template_id is not null;

do $$
begin
  execute format(
    'create or replace function erased_tables() returns text[] language sql immutable as %L',
    format('select %L::text[]', array['template_default', 'column_position', 'template'] || erased_tables()));
end $$;
