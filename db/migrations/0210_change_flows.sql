-- Which data of a DU survives when it gets another flow: pairs of activities with the kinds that are taken over.
create table retention_mapping (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  name varchar(100) not null constraint retention_mapping_name_given check (btrim(name) <> ''),
  from_flow_id bigint not null references activity_flow,
  to_flow_id bigint not null references activity_flow,
  is_default boolean not null default false,
  row_version int not null default 1,
  updated_by bigint not null references app_user,
  updated_at timestamptz not null,
  constraint retention_mapping_flows check (from_flow_id <> to_flow_id)
);
create unique index retention_mapping_name_unique on retention_mapping (project_id, lower(name));
create unique index retention_mapping_default_unique on retention_mapping (project_id, from_flow_id, to_flow_id) where is_default;
create index retention_mapping_from on retention_mapping (from_flow_id);
create index retention_mapping_to on retention_mapping (to_flow_id);

create table retention_mapping_row (
  mapping_id bigint not null references retention_mapping on delete cascade,
  project_id bigint not null references project,
  from_activity_id bigint not null references activity_library,
  to_activity_id bigint not null references activity_library,
  keep_plan boolean not null,
  keep_actual boolean not null,
  keep_owner boolean not null,
  keep_baseline boolean not null,
  keep_deliverables boolean not null,
  keep_attributes boolean not null,
  primary key (mapping_id, to_activity_id),
  constraint retention_mapping_row_from_unique unique (mapping_id, from_activity_id)
);

-- A change of the flow of DUs, or its removal, with who is asked. What it keeps is copied when it is submitted: what is approved is what is done.
create table du_change (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  number int not null,
  kind varchar(6) not null constraint du_change_kind check (kind in ('change', 'unbind')),
  delivery_type varchar(40),
  reason varchar(2000) not null,
  mapping_id bigint references retention_mapping on delete set null,
  mapping_name varchar(100),
  pairs jsonb not null default '[]',
  needs_approval boolean not null,
  status varchar(11) not null constraint du_change_status check (status in ('approving', 'applying', 'done', 'partly_done', 'rejected', 'withdrawn')),
  row_version int not null default 1,
  submitter_id bigint not null references app_user,
  submitted_at timestamptz not null,
  approver_id bigint references app_user,
  tl_approver_id bigint references app_user,
  tl_approved_at timestamptz,
  decided_by bigint references app_user,
  decided_at timestamptz,
  comment varchar(2000),
  version_id bigint,
  constraint du_change_number_unique unique (project_id, number),
  constraint du_change_approver_given check (status <> 'approving' or approver_id is not null),
  constraint du_change_other_approver check (approver_id <> submitter_id and tl_approver_id <> submitter_id)
);
create index du_change_status on du_change (project_id, status);
create index du_change_mapping on du_change (mapping_id) where mapping_id is not null;

create table du_change_item (
  change_id bigint not null references du_change,
  project_id bigint not null references project,
  du_id bigint not null references du,
  old_flow_id bigint not null references activity_flow,
  new_flow_id bigint references activity_flow,
  result varchar(7) not null constraint du_change_item_result check (result in ('pending', 'done', 'refused')),
  code varchar(40),
  impact jsonb not null,
  primary key (change_id, du_id)
);
create unique index du_change_item_open_unique on du_change_item (du_id) where result = 'pending';
create index du_change_item_du on du_change_item (du_id);

-- What happened to a change: who asked whom, and who decided.
create table du_change_event (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  change_id bigint not null references du_change,
  event varchar(10) not null
    constraint du_change_event_event check (event in ('submit', 'tlApprove', 'approve', 'reject', 'transfer', 'withdraw', 'apply')),
  actor_id bigint not null references app_user,
  to_user_id bigint references app_user,
  comment varchar(2000),
  at timestamptz not null
);
create index du_change_event_change on du_change_event (change_id);

do $$
begin
  execute format('create or replace function erased_tables() returns text[] language sql immutable as %L', format('select %L::text[]',
    array['du_change_event', 'du_change_item', 'du_change', 'retention_mapping_row', 'retention_mapping'] || erased_tables()));
end $$;
