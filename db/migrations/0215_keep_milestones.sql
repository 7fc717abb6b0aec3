-- Milestones of a project, which activities of which flows they stand for, temporary milestones with dates of their own, and temporary processes.
create table temp_milestone (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  name varchar(100) not null,
  product_code varchar(60),
  product varchar(200),
  deliverable varchar(200),
  status varchar(8) not null constraint temp_milestone_status check (status in ('draft', 'released')),
  row_version int not null default 1,
  created_by bigint not null references app_user,
  created_at timestamptz not null,
  constraint temp_milestone_released check (status = 'draft' or (product is not null and deliverable is not null))
);
create unique index temp_milestone_name_unique on temp_milestone (project_id, lower(name));

create table temp_milestone_du (
  temp_milestone_id bigint not null references temp_milestone,
  du_id bigint not null references du,
  project_id bigint not null references project,
  plan_date date,
  actual_date date,
  primary key (temp_milestone_id, du_id)
);
create index temp_milestone_du_du on temp_milestone_du (du_id);
create index temp_milestone_du_project on temp_milestone_du (project_id);

create table milestone (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  number varchar(30) not null,
  name_zh varchar(100) not null,
  name_en varchar(100) not null,
  name_ja varchar(100),
  flag varchar(10) not null constraint milestone_flag check (flag in ('normal', 'revenue', 'acceptance')),
  color varchar(2) not null constraint milestone_color check (color in ('c1', 'c2', 'c3', 'c4', 'c5', 'c6')),
  sort int not null,
  enabled boolean not null,
  row_version int not null default 1
);
create unique index milestone_number_unique on milestone (project_id, lower(number));
create unique index milestone_name_zh_unique on milestone (project_id, lower(name_zh));
create unique index milestone_name_en_unique on milestone (project_id, lower(name_en));
create unique index milestone_name_ja_unique on milestone (project_id, lower(name_ja));

-- What a milestone means for the DUs of a delivery type; the row without type is for all others.
create table milestone_info (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  milestone_id bigint not null references milestone on delete cascade,
  delivery_type varchar(40),
  target varchar(14) not null constraint milestone_info_kind check (target in ('activity', 'temp_milestone')),
  -- Only what no enabled milestone needs is ever deleted.
  temp_milestone_id bigint references temp_milestone on delete cascade,
  weight numeric(5, 2) constraint milestone_info_weight check (weight > 0 and weight <= 100),
  date_field varchar(10) not null constraint milestone_info_date check (date_field in ('plan_end', 'actual_end')),
  constraint milestone_info_target check ((target = 'temp_milestone') = (temp_milestone_id is not null))
);
create unique index milestone_info_type_unique on milestone_info (milestone_id, lower(delivery_type)) nulls not distinct;
create index milestone_info_temp on milestone_info (temp_milestone_id);
create index milestone_info_project on milestone_info (project_id);

-- The activity of a flow that a milestone stands for; an empty cell of the matrix has no row.
create table milestone_mapping (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  milestone_id bigint not null references milestone,
  flow_id bigint not null references activity_flow,
  activity_id bigint not null references activity_library,
  constraint milestone_mapping_unique unique (milestone_id, flow_id),
  constraint milestone_mapping_target_unique unique (flow_id, activity_id)
);
create index milestone_mapping_project on milestone_mapping (project_id);
create index milestone_mapping_activity on milestone_mapping (activity_id);

create table temp_process (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  name varchar(100) not null,
  flow_id bigint references activity_flow,
  steps jsonb not null,
  status varchar(8) not null constraint temp_process_status check (status in ('draft', 'released', 'disabled')),
  row_version int not null default 1
);
create index temp_process_project on temp_process (project_id);
create index temp_process_flow on temp_process (flow_id);

alter table work_order add constraint work_order_temp_process foreign key (temp_process_id) references temp_process;
create index work_order_temp_process on work_order (temp_process_id) where temp_process_id is not null;
create index work_order_temp on work_order (du_id, lower(name)) where temp;

-- A closed project loses the orders of a process before the process.
do $$
declare
  list text[] := erased_tables();
  orders int := array_position(list, 'work_order');
begin
  list := array['milestone_mapping', 'milestone_info', 'milestone', 'temp_milestone_du', 'temp_milestone']
    || list[:orders] || array['temp_process'] || list[orders + 1:];
  execute format('create or replace function erased_tables() returns text[] language sql immutable as %L', format('select %L::text[]', list));
end $$;
