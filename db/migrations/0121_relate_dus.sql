-- How DUs belong together: the parent of a DU, the pair of a swap, and what else a planner notes.
create table du_relation (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  du_id bigint not null references du,
  related_du_id bigint not null references du,
  kind varchar(12) not null constraint du_relation_kind check (kind in ('parent', 'swap_pair', 'migration', 'power', 'transmission', 'other')),
  note varchar(500),
  row_version int not null default 1,
  constraint du_relation_not_self check (du_id <> related_du_id),
  constraint du_relation_unique unique (du_id, related_du_id, kind)
);
create unique index du_relation_parent_unique on du_relation (du_id) where kind = 'parent';
create index du_relation_project on du_relation (project_id, kind);
create index du_relation_related on du_relation (related_du_id);

-- A closed project loses its relations before the DUs they join.
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
  -- Rows that point to others come first.
  foreach name in array array[
    'du_selection', 'home_page_state', 'plan_query', 'schedule_preview', 'plan_log', 'plan_batch', 'du_activity_note', 'plan_freeze', 'du_plan', 'owner_set',
    'copy_job', 'du_relation', 'du_flow', 'du_owner', 'du', 'customer_site', 'mail_outbox', 'mail_body', 'task', 'file_object'
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
