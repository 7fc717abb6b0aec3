-- What must have happened before an activity is started, completed or closed, or an attribute is maintained: each rule has one target and up to five prerequisites.
create table dep_rule (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  flow_id bigint references activity_flow,
  target_kind varchar(9) not null constraint dep_rule_target_kind check (target_kind in ('ACTIVITY', 'ATTRIBUTE')),
  target_id bigint not null,
  target_event varchar(8) not null,
  status varchar(9) not null default 'EFFECTIVE' constraint dep_rule_status check (status in ('EFFECTIVE', 'EXPIRED')),
  expire_date date,
  row_version int not null default 1,
  created_by bigint not null references app_user,
  created_at timestamptz not null,
  updated_by bigint not null references app_user,
  updated_at timestamptz not null,
  constraint dep_rule_target_event check (
    case target_kind when 'ACTIVITY' then target_event in ('START', 'COMPLETE', 'CLOSE') else target_event = 'MAINTAIN' end)
);
create index dep_rule_project on dep_rule (project_id, status);
create index dep_rule_flow on dep_rule (flow_id) where flow_id is not null;

create table dep_rule_prereq (
  rule_id bigint not null references dep_rule on delete cascade,
  project_id bigint not null references project,
  seq smallint not null constraint dep_rule_prereq_seq check (seq between 1 and 5),
  kind varchar(9) not null constraint dep_rule_prereq_kind check (kind in ('ACTIVITY', 'ATTRIBUTE')),
  object_id bigint not null,
  event varchar(8) not null,
  primary key (rule_id, seq),
  constraint dep_rule_prereq_unique unique (rule_id, kind, object_id, event),
  constraint dep_rule_prereq_event check (case kind when 'ACTIVITY' then event in ('START', 'COMPLETE', 'CLOSE') else event = 'MAINTAIN' end)
);
create index dep_rule_prereq_project on dep_rule_prereq (project_id);

do $$
begin
  execute format(
    'create or replace function erased_tables() returns text[] language sql immutable as %L',
    format('select %L::text[]', array['dep_rule_prereq', 'dep_rule'] || erased_tables()));
end $$;
