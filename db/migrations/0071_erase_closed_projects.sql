-- A month after a project was closed its network data goes, the log of its plan included. Only this function removes rows of a log, and only then.
alter table project add column erased_at timestamptz;
alter table app_user add column erased_at timestamptz;

create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and tg_table_name in ('plan_batch', 'plan_log') and current_setting('milepost.erased_project', true) ~ '^[0-9]+$' then
    return null;
  end if;
  raise exception '% is append only', tg_table_name using errcode = 'insufficient_privilege';
end $$;

create function refuse_delete() returns trigger language plpgsql as $$
begin
  if current_setting('milepost.erased_project', true) = old.project_id::text
    and exists (select 1 from project p where p.id = old.project_id and p.status = 'closed' and p.closed_at + interval '1 month' <= now()) then
    return old;
  end if;
  raise exception '% is append only', tg_table_name using errcode = 'insufficient_privilege';
end $$;

create trigger plan_batch_delete before delete on plan_batch for each row execute function refuse_delete();
create trigger plan_log_delete before delete on plan_log for each row execute function refuse_delete();

create function erase_project(which bigint) returns jsonb language plpgsql security definer set search_path = public, pg_temp as $$
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
  -- Rows that point to others come first.
  foreach name in array array[
    'du_selection', 'home_page_state', 'plan_query', 'schedule_preview', 'plan_log', 'plan_batch', 'du_activity_note', 'plan_freeze', 'du_plan', 'owner_set',
    'du_flow', 'du_owner', 'du', 'customer_site', 'mail_outbox', 'mail_body', 'task', 'file_object'
  ] loop
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
