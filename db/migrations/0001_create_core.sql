-- Projects, people, sessions, rights, settings, tasks, files, audit: what every area stands on.
create collation if not exists natural_order (provider = icu, locale = 'und-u-kn-true');

create table project (
  id bigint generated always as identity primary key,
  number varchar(40) not null constraint project_number_unique unique constraint project_number_form check (number ~ '^[A-Za-z0-9_-]{1,40}$'),
  name varchar(200) not null,
  country char(2) not null,
  customer_name varchar(200),
  customer_kind varchar(20) not null default 'standard' constraint project_customer_kind check (customer_kind in ('standard', 'eu_non_subsidiary')),
  hosting_country char(2) not null,
  datacenter varchar(60),
  tz_offset_beijing numeric(4, 2) not null default 0 constraint project_tz_offset check (tz_offset_beijing between -20 and 6 and (tz_offset_beijing * 4) = trunc(tz_offset_beijing * 4)),
  status varchar(10) not null default 'active' constraint project_status check (status in ('active', 'closed')),
  closed_at timestamptz,
  default_language char(2) not null default 'zh',
  row_version int not null default 1
);

create table app_user (
  id bigint generated always as identity primary key,
  account varchar(60) not null,
  name varchar(200) not null,
  email varchar(254) not null,
  employee_id varchar(40),
  kind varchar(20) not null default 'employee' constraint app_user_kind check (kind in ('employee', 'subcontractor', 'customer')),
  country char(2) not null,
  manager_id bigint references app_user,
  dpa_expires_on date,
  active boolean not null default true,
  password_hash text,
  language char(2),
  default_project_id bigint references project,
  row_version int not null default 1
);
create unique index app_user_account_unique on app_user (lower(account));

create table user_session (
  sid uuid primary key,
  user_id bigint not null references app_user,
  csrf_token char(43) not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  ip varchar(64),
  revoked_at timestamptz
);
create index user_session_user on user_session (user_id);

create table session_project (
  sid uuid not null references user_session on delete cascade,
  project_id bigint not null references project,
  role_fp char(64) not null,
  entered_at timestamptz not null,
  primary key (sid, project_id)
);

create table api_token (
  id bigint generated always as identity primary key,
  user_id bigint not null references app_user,
  name varchar(100) not null,
  hash char(64) not null constraint api_token_hash_unique unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz
);

create table project_member (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  user_id bigint not null references app_user,
  role varchar(30) not null,
  valid_from date not null,
  valid_to date,
  granted_by bigint references app_user,
  granted_at timestamptz not null,
  row_version int not null default 1,
  constraint project_member_unique unique (project_id, user_id, role),
  constraint project_member_validity check (valid_to is null or valid_to >= valid_from)
);
create index project_member_user on project_member (user_id);

create table role_permission (
  project_id bigint not null references project,
  role varchar(30) not null,
  code varchar(60) not null,
  scope varchar(1) not null constraint role_permission_scope check (scope in ('Y', 'O', '')),
  primary key (project_id, role, code)
);

create table role_delegation (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  role varchar(30) not null constraint role_delegation_role check (role in ('PD', 'DPD', 'PM')),
  delegator_id bigint not null references app_user,
  delegate_id bigint not null references app_user,
  valid_from date not null,
  valid_to date not null,
  reason varchar(500),
  revoked_at timestamptz,
  constraint role_delegation_not_self check (delegate_id <> delegator_id),
  constraint role_delegation_year check (valid_to >= valid_from and valid_to <= valid_from + interval '1 year')
);
create index role_delegation_delegate on role_delegation (project_id, delegate_id);

create table user_setting (
  user_id bigint not null references app_user,
  setting_id varchar(100) not null,
  project_id bigint references project,
  value jsonb not null,
  updated_at timestamptz not null
);
create unique index user_setting_unique on user_setting (user_id, setting_id, coalesce(project_id, 0));

create table user_recent_project (
  user_id bigint not null references app_user,
  project_id bigint not null references project,
  last_at timestamptz not null,
  primary key (user_id, project_id)
);

create table notice_ack (
  user_id bigint not null references app_user,
  notice_key varchar(100) not null,
  acked_at timestamptz not null,
  primary key (user_id, notice_key)
);

create table cross_border_consent (
  sid uuid not null,
  user_id bigint not null references app_user,
  project_id bigint not null references project,
  from_country char(2) not null,
  to_country char(2) not null,
  confirmed_at timestamptz not null,
  ip varchar(64),
  primary key (sid, project_id)
);

create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  actor_id bigint,
  ip varchar(64),
  request_id varchar(64),
  project_id bigint,
  event varchar(40) not null,
  address varchar(120),
  object varchar(200),
  detail jsonb
);
create index audit_log_project on audit_log (project_id, at desc);
create index audit_log_actor on audit_log (actor_id, at desc);

create table file_object (
  id uuid primary key,
  project_id bigint references project,
  name varchar(255) not null,
  size bigint not null,
  mime varchar(120) not null,
  sha256 char(64) not null,
  created_by bigint not null references app_user,
  created_at timestamptz not null,
  expires_at timestamptz
);
create index file_object_project on file_object (project_id);

create table task (
  id uuid primary key,
  project_id bigint not null references project,
  kind varchar(60) not null,
  direction varchar(10) not null constraint task_direction check (direction in ('import', 'export', 'process')),
  title varchar(200) not null,
  params jsonb not null default '{}',
  result jsonb,
  status varchar(12) not null default 'queued' constraint task_status check (status in ('queued', 'running', 'succeeded', 'partial', 'failed', 'cancelled', 'expired')),
  progress smallint not null default 0 constraint task_progress check (progress between 0 and 100),
  total_count int,
  done_count int not null default 0,
  failed_count int not null default 0,
  message_key varchar(100),
  message_args jsonb,
  input_file_id uuid references file_object,
  result_file_id uuid references file_object,
  error_file_id uuid references file_object,
  dedupe_key varchar(200),
  cancel_requested boolean not null default false,
  attempt int not null default 0,
  chunks_done int not null default 0,
  origin_key uuid,
  locale char(2) not null default 'zh',
  created_by bigint not null references app_user,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  expires_at timestamptz
);
create index task_project on task (project_id, direction, created_at desc);
create index task_creator on task (created_by, created_at desc);
create unique index task_dedupe_unique on task (dedupe_key) where status in ('queued', 'running');

create unlogged table import_row (
  task_id uuid not null references task on delete cascade,
  row_no int not null,
  outcome varchar(10) not null constraint import_row_outcome check (outcome in ('new', 'changed', 'unchanged', 'rejected')),
  "values" jsonb not null,
  changes jsonb,
  problems jsonb,
  primary key (task_id, row_no)
);
create index import_row_outcome on import_row (task_id, outcome, row_no);

create table schedule_slot (
  name varchar(60) not null,
  project_id bigint not null references project,
  slot timestamptz not null,
  claimed_at timestamptz not null,
  primary key (name, project_id, slot)
);

create table process_heartbeat (
  id uuid primary key,
  kind varchar(10) not null constraint process_heartbeat_kind check (kind in ('web', 'worker')),
  pid int not null,
  host varchar(255) not null,
  started_at timestamptz not null,
  beat_at timestamptz not null
);

create unlogged table rate_limit (
  bucket varchar(200) not null,
  window_start timestamptz not null,
  hits int not null,
  primary key (bucket, window_start)
);

create table project_switch (
  project_id bigint not null references project,
  key varchar(60) not null,
  value varchar(200) not null,
  effective_at timestamptz not null,
  updated_by bigint references app_user,
  updated_at timestamptz not null,
  row_version int not null default 1,
  primary key (project_id, key)
);

create table limit_setting (
  id bigint generated always as identity primary key,
  project_id bigint references project,
  key varchar(60) not null,
  value int not null,
  min int not null,
  max int not null,
  row_version int not null default 1,
  constraint limit_setting_unique unique nulls not distinct (project_id, key),
  constraint limit_setting_range check (value between min and max)
);

create table error_report (
  id bigint generated always as identity primary key,
  project_id bigint references project,
  user_id bigint not null references app_user,
  code varchar(60) not null,
  request_id varchar(64) not null,
  text varchar(2000),
  screen varchar(200),
  at timestamptz not null
);
