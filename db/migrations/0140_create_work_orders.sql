-- Orders somebody was asked to carry out. What is only scheduled has no row: its status stands in the state bits of the plan row alone.
create table work_order (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  number int not null,
  du_id bigint not null references du,
  slot smallint,
  name varchar(100),
  status varchar(9) not null
    constraint work_order_status check (status in ('scheduled', 'assigned', 'accepted', 'started', 'suspended', 'completed', 'cancelled')),
  redone boolean not null default false,
  redo_count int not null default 0,
  assignee_id bigint references app_user,
  subcontractor_id bigint references subcontractor,
  assigned_at timestamptz,
  accepted_at timestamptz,
  started_at timestamptz,
  completed_at timestamptz,
  suspended_at timestamptz,
  cancelled_at timestamptz,
  suspended_from varchar(9) constraint work_order_suspended_from check ((suspended_from is not null) = (status = 'suspended')),
  -- Where the order returns to when the actual end is cleared again.
  completed_from varchar(9),
  temp boolean not null default false,
  temp_process_id bigint,
  temp_start date,
  temp_end date,
  row_version int not null default 1,
  constraint work_order_number_unique unique (project_id, number),
  constraint work_order_slot_unique unique (du_id, slot),
  constraint work_order_temp check (temp = (slot is null) and (temp or (name is null and temp_process_id is null and temp_start is null and temp_end is null)))
);
create index work_order_assignee on work_order (project_id, assignee_id, status);
create index work_order_subcontractor on work_order (subcontractor_id);

-- History of the orders. It outlives an order that a change of the flow removed, hence no reference to it.
create table work_order_event (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  work_order_id bigint not null,
  number int not null,
  du_id bigint not null references du,
  slot smallint,
  event varchar(12) not null,
  from_status varchar(9) not null,
  to_status varchar(9) not null,
  actor_id bigint references app_user,
  reason varchar(2000),
  at timestamptz not null,
  batch_id bigint references plan_batch
);
create index work_order_event_order on work_order_event (work_order_id, id);
create index work_order_event_number on work_order_event (project_id, number);
create index work_order_event_du on work_order_event (du_id);
create index work_order_event_batch on work_order_event (batch_id);
create index work_order_event_actor on work_order_event (project_id, actor_id, event, id) where reason is not null;

create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and tg_table_name = any (erased_tables()) and current_setting('milepost.erased_project', true) ~ '^[0-9]+$' then
    return null;
  end if;
  raise exception '% is append only', tg_table_name using errcode = 'insufficient_privilege';
end $$;
create trigger work_order_event_append_only before update or delete or truncate on work_order_event for each statement execute function refuse_change();
create trigger work_order_event_delete before delete on work_order_event for each row execute function refuse_delete();

-- A closed project loses its orders before the DUs and batches they name; the list keeps what other migrations put into it.
do $do$
begin
  execute format('create or replace function erased_tables() returns text[] language sql immutable as $f$ select %L::text[] $f$',
    array['work_order_event', 'work_order'] || erased_tables());
end $do$;
