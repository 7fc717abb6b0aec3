-- Distances between two dates of a DU that are worth a warning: shown, asked about before a save, or refused.
create table warning_config (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  flow_id bigint references activity_flow,
  anchor_activity_id bigint not null references activity_library,
  field_a varchar(11) not null constraint warning_config_field_a check (field_a in ('planStart', 'planEnd', 'actualStart', 'actualEnd')),
  alert_activity_id bigint not null references activity_library,
  field_b varchar(11) not null constraint warning_config_field_b check (field_b in ('planStart', 'planEnd', 'actualStart', 'actualEnd')),
  operator varchar(2) not null constraint warning_config_operator check (operator in ('GT', 'GE', 'EQ', 'LE', 'LT')),
  days smallint not null constraint warning_config_days check (days between -999 and 999),
  level varchar(9) not null constraint warning_config_level check (level in ('DEFAULT', 'ADVISORY', 'MANDATORY')),
  message varchar(500) not null constraint warning_config_message_given check (btrim(message) <> ''),
  status varchar(8) not null default 'ENABLED' constraint warning_config_status check (status in ('ENABLED', 'DISABLED')),
  sort_no int not null,
  row_version int not null default 1,
  created_by bigint not null references app_user,
  created_at timestamptz not null,
  updated_by bigint not null references app_user,
  updated_at timestamptz not null,
  constraint warning_config_fields check (anchor_activity_id <> alert_activity_id or field_a <> field_b)
);
create index warning_config_project on warning_config (project_id, status, sort_no);
create index warning_config_flow on warning_config (flow_id) where flow_id is not null;
create index warning_config_anchor on warning_config (anchor_activity_id);
create index warning_config_alert on warning_config (alert_activity_id);

do $$
begin
  execute format(
    'create or replace function erased_tables() returns text[] language sql immutable as %L',
    format('select %L::text[]', array['warning_config'] || erased_tables()));
end $$;
