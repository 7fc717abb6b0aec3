-- Regions, subcontractors, flows, DUs and the plan of a DU as one row of arrays (a slot per library activity).
create table delivery_region (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  name varchar(100) not null,
  sort_no int not null default 1 constraint delivery_region_sort check (sort_no between 1 and 10000),
  percentage numeric(5, 2) not null default 0 constraint delivery_region_percentage check (percentage between 0 and 100),
  status varchar(10) not null default 'ACTIVE' constraint delivery_region_status check (status in ('ACTIVE', 'INVALID')),
  row_version int not null default 1,
  deleted_at timestamptz
);
create unique index delivery_region_name_unique on delivery_region (project_id, lower(name)) where deleted_at is null;

create table region_owner (
  region_id bigint not null references delivery_region,
  user_id bigint not null references app_user,
  primary key (region_id, user_id)
);

create table subcontractor (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  code varchar(5) not null constraint subcontractor_code_form check (code ~ '^[A-Za-z0-9]{1,5}$'),
  name varchar(200) not null,
  status varchar(10) not null default 'ACTIVE',
  row_version int not null default 1,
  constraint subcontractor_code_unique unique (project_id, code)
);

create table subcontractor_member (
  project_id bigint not null references project,
  user_id bigint not null references app_user,
  subcontractor_id bigint not null references subcontractor,
  primary key (project_id, user_id)
);

create table activity_library (
  id bigint generated always as identity primary key,
  project_id bigint references project,
  slot smallint constraint activity_library_slot check (slot between 1 and 2000),
  code varchar(60) not null,
  name varchar(150) not null,
  kind varchar(20) not null default 'normal' constraint activity_library_kind check (kind in ('normal', 'milestone', 'material_dismantle', 'mos', 'rfi', 'ic', 'decom', 'pac', 'fac')),
  automatic boolean not null default false,
  disabled_at timestamptz,
  row_version int not null default 1,
  constraint activity_library_slot_given check ((project_id is null) = (slot is null)),
  constraint activity_library_code_unique unique nulls not distinct (project_id, code),
  constraint activity_library_slot_unique unique (project_id, slot)
);
create unique index activity_library_name_unique on activity_library (project_id, lower(name)) where disabled_at is null;

create table activity_flow (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  name varchar(100) not null,
  description varchar(2000),
  delivery_types varchar(40)[] not null default '{}',
  status varchar(10) not null default 'draft' constraint activity_flow_status check (status in ('draft', 'released', 'disabled')),
  version int not null default 0,
  draft_of bigint constraint activity_flow_draft_unique unique references activity_flow on delete cascade,
  owner_id bigint not null references app_user,
  row_version int not null default 1,
  created_by bigint not null references app_user,
  created_at timestamptz not null,
  updated_by bigint not null references app_user,
  updated_at timestamptz not null
);
create unique index activity_flow_name_unique on activity_flow (project_id, lower(name)) where draft_of is null;

create table flow_activity (
  id bigint generated always as identity primary key,
  flow_id bigint not null references activity_flow on delete cascade,
  activity_id bigint references activity_library,
  name varchar(150) not null,
  seq int not null,
  lead_time_days int not null default 1 constraint flow_activity_lead_time check (lead_time_days between 0 and 1095),
  is_anchor boolean not null default false,
  is_milestone boolean not null default false,
  need_deliverable boolean not null default false,
  need_approval boolean not null default false,
  na_needs_approval boolean not null default false,
  doc_pd_may_cancel_na boolean not null default false,
  sub_flow_id bigint,
  x int not null default 0,
  y int not null default 0,
  origin_node_id bigint,
  constraint flow_activity_unique unique (flow_id, activity_id)
);
create unique index flow_activity_name_unique on flow_activity (flow_id, lower(name));

create table flow_relation (
  id bigint generated always as identity primary key,
  flow_id bigint not null references activity_flow on delete cascade,
  pre_node_id bigint not null references flow_activity on delete cascade,
  node_id bigint not null references flow_activity on delete cascade,
  type char(2) not null constraint flow_relation_type check (type in ('FS', 'SS', 'FF', 'SF')),
  offset_days int not null default 0 constraint flow_relation_offset check (offset_days between -1095 and 1095),
  constraint flow_relation_not_self check (pre_node_id <> node_id),
  constraint flow_relation_unique unique (pre_node_id, node_id, type)
);
create index flow_relation_flow on flow_relation (flow_id);

create table customer_site (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  code varchar(60) not null,
  name varchar(200) not null,
  site_number varchar(60),
  country varchar(80),
  province varchar(80),
  city varchar(80),
  town varchar(80),
  address varchar(2000),
  post_code varchar(20),
  longitude numeric(9, 6) constraint customer_site_longitude check (longitude between -180 and 180),
  latitude numeric(9, 6) constraint customer_site_latitude check (latitude between -90 and 90),
  state_id varchar(40),
  state_name varchar(80),
  site_scenario varchar(60),
  status varchar(10) not null default 'active' constraint customer_site_status check (status in ('active', 'disabled')),
  row_version int not null default 1,
  constraint customer_site_code_unique unique (project_id, code)
);

create table du (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  code varchar(60) not null,
  name varchar(200) not null,
  site_id bigint not null references customer_site,
  project_code varchar(60),
  sub_project_code varchar(60),
  delivery_type varchar(40),
  work_type varchar(10) constraint du_work_type check (work_type in ('install', 'dismantle')),
  region_id bigint references delivery_region,
  subcontractor_id bigint references subcontractor,
  cluster_id bigint,
  cluster_priority int constraint du_cluster_priority check (cluster_priority > 0),
  rfi_priority int constraint du_rfi_priority check (rfi_priority > 0),
  direct_migration_site_id bigint references du,
  decom_site_id bigint references du,
  allow_direct_moving boolean not null default false,
  acceptance varchar(60),
  po_completeness_no varchar(60),
  delivery_key varchar(80),
  delivery_batch_no varchar(80),
  product_type varchar(80),
  product_line varchar(80),
  scenario_type varchar(80),
  rru_ics_scene varchar(80),
  value_unit varchar(10) constraint du_value_unit check (value_unit in ('KM', 'M', 'Household', 'Set')),
  value_qty numeric(12, 2),
  eomonth char(7) constraint du_eomonth check (eomonth ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  rfc_number varchar(60),
  ext jsonb not null default '{}',
  row_version int not null default 1,
  deleted_at timestamptz
);
create unique index du_code_unique on du (project_id, code) where deleted_at is null;
create index du_region on du (project_id, region_id);
create index du_subcontractor on du (project_id, subcontractor_id);
create index du_site on du (site_id);

create table du_owner (
  du_id bigint not null references du,
  owner_kind varchar(20) not null constraint du_owner_kind check (owner_kind in ('DU_OWNER', 'SITE_OWNER', 'INVENTORY_OWNER')),
  user_id bigint not null references app_user,
  primary key (du_id, owner_kind, user_id)
);
create index du_owner_user on du_owner (user_id);

create table du_flow (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  du_id bigint not null references du,
  flow_id bigint not null references activity_flow,
  flow_version int not null,
  source varchar(10) not null constraint du_flow_source check (source in ('manual', 'rule', 'copy', 'import')),
  rule_id bigint,
  bound_by bigint references app_user,
  bound_at timestamptz not null,
  unbound_at timestamptz
);
create unique index du_flow_open_unique on du_flow (du_id) where unbound_at is null;
create index du_flow_flow on du_flow (flow_id) where unbound_at is null;

create table du_plan (
  du_id bigint primary key references du,
  project_id bigint not null references project,
  plan_start smallint[] storage main,
  plan_end smallint[] storage main,
  actual_start smallint[] storage main,
  actual_end smallint[] storage main,
  baseline_start smallint[] storage main,
  baseline_end smallint[] storage main,
  released_start smallint[] storage main,
  released_end smallint[] storage main,
  state int[] storage main not null default '{}',
  plan_owner int[] storage main,
  actual_owner int[] storage main,
  attr_owner int[] storage main,
  release_state smallint not null default 0 constraint du_plan_release_state check (release_state between 0 and 2),
  last_plan_end smallint not null default 0,
  next_plan_end smallint not null default 0,
  ic_actual_end smallint not null default 0,
  decom_actual_end smallint not null default 0,
  done_count smallint not null default 0,
  applicable_count smallint not null default 0,
  row_version int not null default 1,
  constraint du_plan_lower_bounds check (
    coalesce(array_lower(plan_start, 1), 1) = 1 and coalesce(array_lower(plan_end, 1), 1) = 1
    and coalesce(array_lower(actual_start, 1), 1) = 1 and coalesce(array_lower(actual_end, 1), 1) = 1
    and coalesce(array_lower(baseline_start, 1), 1) = 1 and coalesce(array_lower(baseline_end, 1), 1) = 1
    and coalesce(array_lower(released_start, 1), 1) = 1 and coalesce(array_lower(released_end, 1), 1) = 1
    and coalesce(array_lower(state, 1), 1) = 1 and coalesce(array_lower(plan_owner, 1), 1) = 1
    and coalesce(array_lower(actual_owner, 1), 1) = 1 and coalesce(array_lower(attr_owner, 1), 1) = 1)
) with (fillfactor = 90, toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
create index du_plan_project on du_plan (project_id, du_id);

create table owner_set (
  id int generated always as identity primary key,
  project_id bigint not null references project,
  user_ids bigint[] not null constraint owner_set_size check (cardinality(user_ids) between 1 and 20),
  constraint owner_set_unique unique (project_id, user_ids)
);

create table du_activity_note (
  du_id bigint not null references du,
  slot smallint not null,
  delay_reason varchar(500),
  score smallint constraint du_activity_note_score check (score between 1 and 5),
  score_remark varchar(500),
  closed_at timestamptz,
  closed_by bigint references app_user,
  primary key (du_id, slot)
);

create table plan_seq (
  project_id bigint primary key references project,
  seq bigint not null default 0
);

create table plan_batch (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  seq bigint not null,
  at timestamptz not null,
  actor_id bigint references app_user,
  source varchar(20) not null constraint plan_batch_source check (source in ('grid', 'batch', 'import', 'schedule', 'release', 'plan_change', 'rule', 'owner_rule', 'automation', 'engine', 'feedback', 'restore', 'flow', 'work_order', 'material', 'revenue', 'mobile', 'api', 'undo', 'system')),
  reason varchar(2000),
  origin jsonb,
  undo_of bigint references plan_batch,
  du_count int not null,
  cell_count int not null,
  constraint plan_batch_seq_unique unique (project_id, seq)
);
create index plan_batch_at on plan_batch (project_id, at desc);

create table plan_log (
  du_id bigint not null references du,
  batch_id bigint not null references plan_batch,
  project_id bigint not null references project,
  at timestamptz not null,
  flow_id bigint,
  cells smallint[] not null,
  old int[] not null,
  new int[] not null,
  attrs jsonb,
  primary key (du_id, batch_id)
);
create index plan_log_batch on plan_log (batch_id);

create unlogged table plan_query (
  id uuid primary key,
  user_id bigint not null,
  project_id bigint not null,
  fingerprint char(64) not null,
  query jsonb not null,
  du_ids bigint[] not null,
  total int not null,
  seq bigint not null,
  expires_at timestamptz not null
);
create index plan_query_reuse on plan_query (project_id, fingerprint, seq);

create table du_selection (
  project_id bigint not null references project,
  user_id bigint not null references app_user,
  key varchar(64) not null,
  kind varchar(40) not null,
  du_ids bigint[] not null constraint du_selection_size check (cardinality(du_ids) between 1 and 5000),
  expires_at timestamptz not null,
  primary key (project_id, user_id, key)
);

create table home_page_state (
  user_id bigint not null references app_user,
  project_id bigint not null references project,
  state jsonb not null,
  primary key (user_id, project_id)
);

create table attribute (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  key varchar(20) not null,
  name varchar(250) not null,
  type varchar(12) not null constraint attribute_type check (type in ('TEXT', 'LONG_TEXT', 'NUMBER', 'DATE', 'TIME', 'DATETIME', 'ENUM', 'LOOKUP_ENUM', 'READ_ONLY', 'TEXT_AREA')),
  level varchar(8) not null default 'DU' constraint attribute_level check (level in ('DU', 'ACTIVITY', 'TAB')),
  value_limit jsonb,
  in_rollout_plan boolean not null default false,
  sort_no int not null default 1,
  row_version int not null default 1,
  deleted_at timestamptz,
  constraint attribute_key_unique unique (project_id, key)
);
create unique index attribute_name_unique on attribute (project_id, lower(name)) where deleted_at is null;

create table attribute_enum (
  id bigint generated always as identity primary key,
  attribute_id bigint not null references attribute,
  value varchar(70) not null,
  sort_no int not null default 1,
  active boolean not null default true
);
create unique index attribute_enum_value_unique on attribute_enum (attribute_id, lower(value)) where active;

create table work_calendar (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  region_id bigint references delivery_region,
  name varchar(100) not null,
  weekdays smallint not null default 62 constraint work_calendar_weekdays check (weekdays between 0 and 127),
  updated_by bigint references app_user,
  row_version int not null default 1,
  constraint work_calendar_unique unique nulls not distinct (project_id, region_id)
);

create table work_calendar_day (
  calendar_id bigint not null references work_calendar on delete cascade,
  day date not null,
  working boolean not null,
  name varchar(100),
  primary key (calendar_id, day)
);

create table plan_freeze (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  du_id bigint not null references du,
  slot smallint not null,
  reason varchar(500) not null,
  frozen_at timestamptz not null,
  frozen_by bigint not null references app_user,
  unfrozen_at timestamptz,
  unfrozen_by bigint references app_user,
  unfreeze_reason varchar(500)
);
create unique index plan_freeze_open_unique on plan_freeze (du_id, slot) where unfrozen_at is null;

create unlogged table schedule_preview (
  id uuid primary key,
  project_id bigint not null,
  user_id bigint not null,
  params jsonb not null,
  result bytea not null,
  expires_at timestamptz not null
);

-- The tall form of the plan, for reports and reading SQL; never written.
create view du_activity with (security_invoker = true) as
select p.project_id, p.du_id, a.id as activity_id, a.slot,
  date '2000-01-01' + nullif(p.plan_start[a.slot], 0) as plan_start, date '2000-01-01' + nullif(p.plan_end[a.slot], 0) as plan_end,
  date '2000-01-01' + nullif(p.actual_start[a.slot], 0) as actual_start, date '2000-01-01' + nullif(p.actual_end[a.slot], 0) as actual_end,
  date '2000-01-01' + nullif(p.baseline_start[a.slot], 0) as baseline_start, date '2000-01-01' + nullif(p.baseline_end[a.slot], 0) as baseline_end,
  date '2000-01-01' + nullif(p.released_start[a.slot], 0) as released_start, date '2000-01-01' + nullif(p.released_end[a.slot], 0) as released_end,
  (array['', 'NA', 'INV'])[(p.state[a.slot] >> 1 & 3) + 1] as na_flag,
  p.state[a.slot] & 8 <> 0 as fixed, p.state[a.slot] & 16 <> 0 as frozen, p.state[a.slot] & 32 <> 0 as tool_locked, p.state[a.slot] & 64 <> 0 as closed,
  p.state[a.slot] >> 7 & 7 as approval_state, p.state[a.slot] >> 10 & 7 as wo_status,
  po.user_ids as plan_owner_ids, ao.user_ids as actual_owner_ids, at.user_ids as attr_owner_ids,
  n.delay_reason, n.score, n.score_remark, n.closed_at
from activity_library a
join du_plan p on p.project_id = a.project_id and p.state[a.slot] & 1 = 1
left join owner_set po on po.id = p.plan_owner[a.slot]
left join owner_set ao on ao.id = p.actual_owner[a.slot]
left join owner_set at on at.id = p.attr_owner[a.slot]
left join du_activity_note n on n.du_id = p.du_id and n.slot = a.slot;

-- The tall form of the packed change log.
create view plan_log_cell with (security_invoker = true) as
select b.id as batch_id, b.seq, b.at, b.actor_id, b.source, b.reason, b.project_id, l.du_id, l.flow_id, a.id as activity_id,
  (array['planStart', 'planEnd', 'actualStart', 'actualEnd', 'baselineStart', 'baselineEnd', 'releasedStart', 'releasedEnd', 'state', 'planOwner', 'actualOwner', 'attrOwner'])[c.cell & 15] as field,
  case when c.cell & 15 <= 8 then (date '2000-01-01' + nullif(c.old, 0))::text else nullif(c.old, 0)::text end as old_value,
  case when c.cell & 15 <= 8 then (date '2000-01-01' + nullif(c.new, 0))::text else nullif(c.new, 0)::text end as new_value
from plan_batch b
join plan_log l on l.batch_id = b.id
cross join lateral unnest(l.cells, l.old, l.new) as c(cell, old, new)
join activity_library a on a.project_id = b.project_id and a.slot = c.cell >> 4
union all
select b.id, b.seq, b.at, b.actor_id, b.source, b.reason, b.project_id, l.du_id, l.flow_id, a.id, split_part(e.key, '@', 1), e.value ->> 0, e.value ->> 1
from plan_batch b
join plan_log l on l.batch_id = b.id
cross join lateral jsonb_each(l.attrs) as e(key, value)
left join activity_library a on e.key like '%@%' and a.project_id = b.project_id and a.slot = split_part(e.key, '@', 2)::smallint;
