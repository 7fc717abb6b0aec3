-- Steps below an activity: an activity of a flow with a sub-flow takes its actual dates from the steps done, DU by DU.
create table sub_flow (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  name varchar(100) not null constraint sub_flow_name_given check (btrim(name) <> ''),
  status varchar(8) not null default 'active' constraint sub_flow_status check (status in ('active', 'disabled')),
  row_version int not null default 1
);
create unique index sub_flow_name_unique on sub_flow (project_id, lower(name));

create table sub_flow_step (
  id bigint generated always as identity primary key,
  sub_flow_id bigint not null references sub_flow on delete cascade,
  name varchar(150) not null constraint sub_flow_step_name_given check (btrim(name) <> ''),
  seq int not null,
  weight numeric(5, 2) not null default 1 constraint sub_flow_step_weight check (weight > 0),
  need_deliverable boolean not null default false
);
create unique index sub_flow_step_name_unique on sub_flow_step (sub_flow_id, lower(name));

alter table flow_activity add constraint flow_activity_sub_flow foreign key (sub_flow_id) references sub_flow;
create index flow_activity_sub_flow on flow_activity (sub_flow_id) where sub_flow_id is not null;

-- A row stands for a step that is done; a step that is open again has none.
create table du_sub_step (
  project_id bigint not null references project,
  du_id bigint not null references du,
  slot smallint not null,
  step_id bigint not null references sub_flow_step,
  done_on date not null,
  done_by bigint references app_user,
  primary key (du_id, slot, step_id)
);
create index du_sub_step_project on du_sub_step (project_id);
create index du_sub_step_step on du_sub_step (step_id);

do $$
begin
  execute format('create or replace function erased_tables() returns text[] language sql immutable as %L',
    format('select %L::text[]', array['du_sub_step'] || erased_tables()));
end $$;
