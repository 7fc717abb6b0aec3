-- Changes of frozen and of controlled plan dates, each with its reason. They are history: nothing of them is changed later.
create table plan_change (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  number int not null,
  reason varchar(500) not null,
  status varchar(8) not null constraint plan_change_status check (status in ('applied', 'refused')),
  batch_id bigint references plan_batch,
  created_by bigint not null references app_user,
  created_at timestamptz not null,
  constraint plan_change_number_unique unique (project_id, number)
);
create index plan_change_batch on plan_change (batch_id);

create table plan_change_item (
  change_id bigint not null references plan_change,
  project_id bigint not null references project,
  du_id bigint not null references du,
  slot smallint not null,
  field varchar(10) not null constraint plan_change_item_field check (field in ('plan_start', 'plan_end')),
  old smallint not null,
  new smallint not null,
  code varchar(40),
  primary key (change_id, du_id, slot, field)
);
create index plan_change_item_du on plan_change_item (du_id);

create trigger plan_change_append_only before update or delete or truncate on plan_change for each statement execute function refuse_change();
create trigger plan_change_item_append_only before update or delete or truncate on plan_change_item for each statement execute function refuse_change();
create trigger plan_change_delete before delete on plan_change for each row execute function refuse_delete();
create trigger plan_change_item_delete before delete on plan_change_item for each row execute function refuse_delete();

create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and tg_table_name in ('plan_batch', 'plan_log', 'plan_change', 'plan_change_item')
    and current_setting('milepost.erased_project', true) ~ '^[0-9]+$' then
    return null;
  end if;
  raise exception '% is append only', tg_table_name using errcode = 'insufficient_privilege';
end $$;

-- Tables a closed project is emptied of; rows that point to others come first. A table that is added to the plan is added here.
create function erased_tables() returns text[] language sql immutable as $$
  select array[
    'du_selection', 'home_page_state', 'plan_query', 'schedule_preview', 'plan_change_item', 'plan_change', 'plan_log', 'plan_batch',
    'du_activity_note', 'plan_freeze', 'du_plan', 'owner_set', 'copy_job', 'du_relation', 'du_flow', 'du_owner', 'du', 'customer_site', 'mail_outbox', 'mail_body', 'task', 'file_object'
  ]
$$;

create or replace function erase_project(which bigint) returns jsonb language plpgsql security definer set search_path = public, pg_temp as $$
declare
  counts jsonb := '{}';
  files jsonb;
  removed int;
  name text;
begin
  perform 1 from project p where p.id = which and p.status = 'closed' and p.erased_at is null and p.closed_at + interval '1 month' <= now() for update;
  if not found then
    raise exception 'project % has not been closed for a month', which using errcode = 'insufficient_privilege';
  end if;
  perform set_config('milepost.erased_project', which::text, true);
  select coalesce(jsonb_agg(f.id), '[]') into files from file_object f where f.project_id = which;
  foreach name in array erased_tables() loop
    if name in ('du_activity_note', 'du_owner', 'du_plan') then
      execute format('delete from %I where du_id in (select id from du where project_id = $1)', name) using which;
    else
      execute format('delete from %I where project_id = $1', name) using which;
    end if;
    get diagnostics removed = row_count;
    counts := counts || jsonb_build_object(name, removed);
  end loop;
  update project set erased_at = now() where id = which;
  perform set_config('milepost.erased_project', '', true);
  return jsonb_build_object('counts', counts, 'files', files);
end $$;
