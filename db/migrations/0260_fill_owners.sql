-- Rules that fill the owners of activities: the first one in force that yields somebody decides.
create table owner_rule (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  name varchar(100) not null constraint owner_rule_name_given check (btrim(name) <> ''),
  sort_no int not null constraint owner_rule_sort check (sort_no between 1 and 10000),
  flow_ids bigint[] not null constraint owner_rule_flows check (cardinality(flow_ids) > 0),
  flow_text varchar(4000) not null,
  activity_ids bigint[] not null default '{}',
  owner_fields text[] not null constraint owner_rule_fields check (cardinality(owner_fields) > 0 and owner_fields <@ array['PLAN_OWNER', 'ACTUAL_OWNER', 'ATTR_OWNER']),
  fill_mode varchar(12) not null constraint owner_rule_mode check (fill_mode in ('FIXED', 'ATTRIBUTE', 'DU_OWNER', 'REGION_OWNER', 'SUBCON_PM', 'GROUP_LEADER')),
  fill_value jsonb,
  overwrite boolean not null default false,
  description varchar(2000),
  expire_date date,
  status varchar(7) not null default 'INVALID' constraint owner_rule_status check (status in ('ENABLED', 'INVALID')),
  invalid_reason varchar(24) constraint owner_rule_reason check ((status = 'INVALID') = (invalid_reason is not null)),
  deleted_at timestamptz,
  row_version int not null default 1,
  created_by bigint not null references app_user,
  created_at timestamptz not null,
  updated_by bigint not null references app_user,
  updated_at timestamptz not null
);
create unique index owner_rule_name_unique on owner_rule (project_id, lower(name)) where deleted_at is null;

create table owner_rule_condition (
  rule_id bigint not null references owner_rule on delete cascade,
  seq smallint not null,
  project_id bigint not null references project,
  attribute_id bigint references attribute,
  field varchar(40),
  -- The type its object had when the condition was written.
  type varchar(8) not null,
  operator varchar(12) not null constraint owner_rule_condition_operator check (operator in ('IN', 'NOT_IN', 'EQ', 'IS_EMPTY', 'IS_NOT_EMPTY')),
  values jsonb not null default '[]',
  primary key (rule_id, seq),
  constraint owner_rule_condition_object check ((attribute_id is null) <> (field is null)),
  constraint owner_rule_condition_attribute_unique unique (rule_id, attribute_id),
  constraint owner_rule_condition_field_unique unique (rule_id, field)
);
create index owner_rule_condition_attribute on owner_rule_condition (attribute_id) where attribute_id is not null;
create index owner_rule_condition_project on owner_rule_condition (project_id);

do $$
begin
  execute format('create or replace function erased_tables() returns text[] language sql immutable as %L',
    format('select %L::text[]', array['owner_rule_condition', 'owner_rule'] || erased_tables()));
end $$;
