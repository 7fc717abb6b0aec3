-- Mail rules and reminders: who is told what, and when. Times are the project's wall clock; the next one is kept local too, so that a project that moves to
-- another time zone needs no recalculation. The three tables share their ids: a mail names the one rule it is of.
create sequence reminder_id;

create table mail_rule (
  id bigint primary key default nextval('reminder_id'),
  project_id bigint not null references project,
  name varchar(100) not null,
  rule_type varchar(20) not null constraint mail_rule_type
    check (rule_type in ('CHANGE_ACT_DATE', 'CHANGE_COL_VALUE', 'ACT_DEVIATION', 'DOC_PUBLISH', 'DOC_CHANGE', 'ACTUAL_TIME')),
  activity_ids bigint[] not null default '{}' constraint mail_rule_activities check (cardinality(activity_ids) <= 10),
  attribute_ids bigint[] not null default '{}' constraint mail_rule_attributes check (cardinality(attribute_ids) <= 10),
  date_fields text[] not null default '{}',
  deviation_days int constraint mail_rule_deviation check (deviation_days between -999 and 999),
  offset_days int constraint mail_rule_offset check (offset_days between 0 and 1095),
  valid_begin timestamp not null,
  valid_end timestamp not null,
  frequency jsonb not null,
  send_time time,
  send_range varchar(6) not null constraint mail_rule_range check (send_range in ('ALL', 'REGION', 'OWN')),
  region_ids bigint[] not null default '{}',
  receivers jsonb not null,
  mail_to text[] not null default '{}',
  cc_user_ids bigint[] not null default '{}',
  lang char(2) constraint mail_rule_lang check (lang in ('zh', 'en', 'ja')),
  subject varchar(200),
  content varchar(4000),
  responsible_id bigint not null references app_user,
  status varchar(8) not null constraint mail_rule_status check (status in ('ENABLED', 'DISABLED')),
  disabled_reason varchar(20),
  armed_local timestamp not null,
  next_local timestamp,
  watermark_seq bigint not null default 0,
  row_version int not null default 1,
  created_by bigint not null references app_user,
  created_at timestamptz not null,
  updated_by bigint not null references app_user,
  updated_at timestamptz not null,
  constraint mail_rule_validity check (valid_end > valid_begin)
);
create unique index mail_rule_name_unique on mail_rule (project_id, lower(name));
create index mail_rule_due on mail_rule (project_id, next_local) where status = 'ENABLED';

create table deviation_remind (
  id bigint primary key default nextval('reminder_id'),
  project_id bigint not null references project,
  -- What it is called where something names it: region, activity and days as they were at its last save.
  name varchar(300) not null,
  region_id bigint not null references delivery_region,
  activity_id bigint not null references activity_library,
  deviation_days int not null constraint deviation_remind_days check (deviation_days between -999 and 999),
  -- Each list ascending, so that equal receivers are equal rows.
  roles text[] not null,
  user_ids bigint[] not null,
  group_ids bigint[] not null,
  frequency jsonb not null,
  send_time time not null,
  valid_begin timestamp not null,
  valid_end timestamp not null,
  status varchar(8) not null constraint deviation_remind_status check (status in ('ENABLED', 'DISABLED')),
  disabled_reason varchar(20),
  armed_local timestamp not null,
  next_local timestamp,
  row_version int not null default 1,
  created_by bigint not null references app_user,
  created_at timestamptz not null,
  updated_by bigint not null references app_user,
  updated_at timestamptz not null,
  constraint deviation_remind_receivers check (cardinality(roles) > 0 and cardinality(user_ids) + cardinality(group_ids) > 0),
  constraint deviation_remind_validity check (valid_end > valid_begin)
);
create index deviation_remind_place on deviation_remind (project_id, region_id, activity_id, deviation_days);
create index deviation_remind_region on deviation_remind (region_id);
create index deviation_remind_activity on deviation_remind (activity_id);
create index deviation_remind_due on deviation_remind (project_id, next_local) where status = 'ENABLED';

create table rfi_remind (
  id bigint primary key default nextval('reminder_id'),
  project_id bigint not null references project,
  state_id varchar(40) not null,
  min_days int not null constraint rfi_remind_min check (min_days >= 0),
  max_days int not null,
  remind_types text[] not null,
  exception_receivers jsonb not null,
  until_activity_id bigint references activity_library,
  status varchar(8) not null constraint rfi_remind_status check (status in ('ENABLED', 'DISABLED')),
  disabled_reason varchar(20),
  armed_local timestamp not null,
  next_local timestamp,
  row_version int not null default 1,
  created_by bigint not null references app_user,
  created_at timestamptz not null,
  updated_by bigint not null references app_user,
  updated_at timestamptz not null,
  constraint rfi_remind_max check (max_days >= min_days),
  constraint rfi_remind_state_unique unique (project_id, state_id)
);
create index rfi_remind_until on rfi_remind (until_activity_id);
create index rfi_remind_due on rfi_remind (project_id, next_local) where status = 'ENABLED';

-- Every send time that was dealt with: the key lets none be dealt with twice.
create table rem_fire (
  project_id bigint not null references project,
  kind varchar(9) not null constraint rem_fire_kind check (kind in ('RULE', 'DEVIATION', 'RFI')),
  rule_id bigint not null,
  occurrence_local timestamp not null,
  fired_at timestamptz not null,
  result varchar(7) not null constraint rem_fire_result check (result in ('SENT', 'NOTHING', 'MISSED', 'ERROR')),
  rows int not null default 0,
  mails int not null default 0,
  -- Receivers who were left out, with the reason.
  left_out jsonb not null default '[]',
  primary key (kind, rule_id, occurrence_local)
);
create index rem_fire_project on rem_fire (project_id, rule_id, fired_at desc);

do $$
begin
  execute format('create or replace function erased_tables() returns text[] language sql immutable as %L',
    format('select %L::text[]', array['rem_fire', 'rfi_remind', 'deviation_remind', 'mail_rule'] || erased_tables()));
end $$;
