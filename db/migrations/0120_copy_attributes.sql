-- Copies of attribute values from one DU to others, each followed DU by DU, and of the flow with them where that was asked for.
create table copy_job (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  source_du_id bigint not null references du,
  attribute_ids bigint[] not null,
  also_bind boolean not null,
  overwrite boolean not null,
  created_by bigint not null references app_user,
  created_at timestamptz not null
);
create index copy_job_project on copy_job (project_id, id desc);
create index copy_job_source on copy_job (source_du_id);

create table copy_job_item (
  job_id bigint not null references copy_job on delete cascade,
  target_code varchar(60) not null,
  target_du_id bigint references du,
  progress varchar(12) not null default 'unprocessed'
    constraint copy_job_item_progress check (progress in ('unprocessed', 'processing', 'completed', 'failed')),
  association varchar(12) not null default 'unassociated' constraint copy_job_item_association check (association in ('unassociated', 'associated')),
  code smallint constraint copy_job_item_code check (code between 1001 and 1005),
  detail varchar(2000),
  primary key (job_id, target_code)
);
create index copy_job_item_target on copy_job_item (target_du_id);

-- A closed project loses its copies before the DUs they name.
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
    'copy_job', 'du_flow', 'du_owner', 'du', 'customer_site', 'mail_outbox', 'mail_body', 'task', 'file_object'
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
