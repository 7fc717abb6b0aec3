-- Tables that hold further data of DUs, row by row.
create table du_tab (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  name varchar(100) not null,
  key_mode varchar(2) not null constraint du_tab_key_mode check (key_mode in ('SN', 'DU')),
  sort_no int not null default 1,
  brazil_only boolean not null default false,
  row_version int not null default 1,
  created_by bigint references app_user,
  created_at timestamptz not null,
  updated_by bigint references app_user,
  updated_at timestamptz not null,
  deleted_at timestamptz
);
create unique index du_tab_name_unique on du_tab (project_id, lower(name)) where deleted_at is null;

-- Lists of values that several attributes share, in one or two levels.
create table lookup_list (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  code varchar(70) not null,
  row_version int not null default 1,
  updated_by bigint references app_user,
  updated_at timestamptz not null
);
create unique index lookup_list_code_unique on lookup_list (project_id, lower(code));

create table lookup_value (
  id bigint generated always as identity primary key,
  list_id bigint not null references lookup_list on delete cascade,
  parent_id bigint references lookup_value on delete cascade,
  value varchar(70) not null,
  sort_no int not null default 1
);
create unique index lookup_value_unique on lookup_value (list_id, parent_id, lower(value)) nulls not distinct;
create index lookup_value_parent on lookup_value (parent_id) where parent_id is not null;

-- What an attribute is besides its name and type, for whom it is shown and who may write it.
alter table attribute
  add column standard_attribute_id bigint,
  add column standard_name varchar(250),
  add column classification varchar(70),
  add column du_tab_id bigint references du_tab,
  add column lookup_list_id bigint references lookup_list,
  add column lookup_parent_id bigint references attribute,
  add column required boolean not null default false,
  add column visible_customer boolean not null default false,
  add column visible_subcon boolean not null default false,
  add column editable_subcon boolean not null default false,
  add column mobile_display boolean not null default false,
  add column default_value text,
  add column project_default_value text,
  add column editable_person_control boolean not null default false,
  add column remark text,
  add column created_by bigint references app_user,
  add column created_at timestamptz not null default now(),
  add column updated_by bigint references app_user,
  add column updated_at timestamptz not null default now();
create index attribute_du_tab on attribute (du_tab_id) where du_tab_id is not null;
create index attribute_lookup_list on attribute (lookup_list_id) where lookup_list_id is not null;
create index attribute_lookup_parent on attribute (lookup_parent_id) where lookup_parent_id is not null;

-- Until now everybody who saw a DU saw its attributes.
update attribute set visible_customer = true, visible_subcon = true, editable_subcon = true where level <> 'TAB';

alter table attribute
  add constraint attribute_sort_no check (sort_no between 1 and 10000),
  add constraint attribute_editable_subcon check (visible_subcon or not editable_subcon),
  add constraint attribute_of_tab check (level <> 'TAB' or (du_tab_id is not null and not in_rollout_plan));

alter table attribute_enum drop constraint attribute_enum_attribute_id_fkey,
  add constraint attribute_enum_attribute_id_fkey foreign key (attribute_id) references attribute on delete cascade,
  add constraint attribute_enum_sort_no check (sort_no between 1 and 10000);

-- The flows an attribute belongs to; without rows all of them.
create table attribute_flow (
  attribute_id bigint not null references attribute on delete cascade,
  flow_id bigint not null references activity_flow on delete cascade,
  primary key (attribute_id, flow_id)
);
create index attribute_flow_flow on attribute_flow (flow_id);

-- People who may only read an attribute, or who alone may write it.
create table attribute_user (
  attribute_id bigint not null references attribute on delete cascade,
  user_id bigint not null references app_user,
  mode varchar(2) not null constraint attribute_user_mode check (mode in ('RO', 'RW')),
  primary key (attribute_id, user_id)
);
create index attribute_user_user on attribute_user (user_id);

create table attribute_editable_person (
  attribute_id bigint not null references attribute on delete cascade,
  user_id bigint not null references app_user,
  primary key (attribute_id, user_id)
);
create index attribute_editable_person_user on attribute_editable_person (user_id);

-- What roles and accounts may do with attributes: entries [{ attributeId | '*', mode }].
create table attribute_permission (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  subject_type varchar(7) not null,
  role varchar(40),
  user_id bigint references app_user,
  entries jsonb not null,
  row_version int not null default 1,
  updated_by bigint references app_user,
  updated_at timestamptz not null,
  constraint attribute_permission_subject check (case subject_type when 'ROLE' then role is not null and user_id is null
    when 'ACCOUNT' then role is null and user_id is not null else false end)
);
create unique index attribute_permission_role_unique on attribute_permission (project_id, role) where role is not null;
create unique index attribute_permission_user_unique on attribute_permission (project_id, user_id) where user_id is not null;
create index attribute_permission_user on attribute_permission (user_id) where user_id is not null;

-- Who may add attributes; without rows everybody who may edit them.
create table attribute_add_grant (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  subject_type varchar(7) not null,
  role varchar(40),
  user_id bigint references app_user,
  constraint attribute_add_grant_subject check (case subject_type when 'ROLE' then role is not null and user_id is null
    when 'ACCOUNT' then role is null and user_id is not null else false end)
);
create unique index attribute_add_grant_role_unique on attribute_add_grant (project_id, role) where role is not null;
create unique index attribute_add_grant_user_unique on attribute_add_grant (project_id, user_id) where user_id is not null;
create index attribute_add_grant_user on attribute_add_grant (user_id) where user_id is not null;

-- What a process keeps of anybody's rights on attributes is forgotten at once.
create trigger attribute_trust after insert or update or delete on attribute for each statement execute function announce_trust();
create trigger attribute_user_trust after insert or update or delete on attribute_user for each statement execute function announce_trust();
create trigger attribute_editable_person_trust after insert or update or delete on attribute_editable_person
  for each statement execute function announce_trust();
create trigger attribute_permission_trust after insert or update or delete on attribute_permission
  for each statement execute function announce_trust();

do $$
begin
  execute format('create or replace function erased_tables() returns text[] language sql immutable as %L',
    format('select %L::text[]', array['attribute_permission', 'attribute_add_grant'] || erased_tables()));
end $$;
