-- The plan of a project by its name, and the versions kept of it: what was promised, what was told to others, and what these were before.
create table rollout_plan (
  id bigint generated always as identity primary key,
  project_id bigint not null references project constraint rollout_plan_project_unique unique,
  name varchar(100) not null,
  version int not null default 1,
  row_version int not null default 1,
  created_by bigint references app_user,
  created_at timestamptz not null,
  updated_by bigint references app_user,
  updated_at timestamptz not null
);

-- Every project has one plan, from its first moment on.
create function make_rollout_plan() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into rollout_plan (project_id, name, created_at, updated_at) values (new.id, left(new.name, 100), now(), now());
  return null;
end $$;
create trigger project_rollout_plan after insert on project for each row execute function make_rollout_plan();
insert into rollout_plan (project_id, name, created_at, updated_at) select id, left(name, 100), now(), now() from project;

create table plan_version (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  plan_id bigint not null references rollout_plan,
  kind varchar(10) not null constraint plan_version_kind check (kind in ('baseline', 'published', 'historical')),
  former_kind varchar(10) constraint plan_version_former_kind check (former_kind in ('baseline', 'published')),
  name varchar(100) not null constraint plan_version_name_given check (btrim(name) <> ''),
  code varchar(30) not null,
  scope varchar(9) not null constraint plan_version_scope check (scope in ('project', 'selection')),
  in_force boolean not null,
  du_count int not null default 0,
  activity_count int not null default 0,
  slot_count smallint not null,
  source varchar(11) not null constraint plan_version_source check (source in ('release', 'manual', 'automation', 'flow_change', 'import')),
  remark varchar(2000),
  -- The background task that fills it.
  task_id uuid,
  row_version int not null default 1,
  created_by bigint not null references app_user,
  created_at timestamptz not null,
  constraint plan_version_code_unique unique (project_id, code),
  constraint plan_version_history check ((kind = 'historical') = (not in_force) and (former_kind is null or kind = 'historical'))
);
-- A version that became history keeps its name among those it was made with.
create unique index plan_version_name_unique on plan_version (project_id, coalesce(former_kind, kind), lower(name));
create unique index plan_version_in_force_unique on plan_version (project_id, kind) where scope = 'project' and in_force;
create index plan_version_task on plan_version (task_id) where task_id is not null;
create index plan_version_plan on plan_version (plan_id);

-- One row per DU with the arrays of its plan row. Written once by the statement that copies them: no references, which would be looked up row by row.
create table plan_version_row (
  version_id bigint not null,
  project_id bigint not null,
  du_id bigint not null,
  du_code varchar(60) not null,
  du_name varchar(200) not null,
  flow_id bigint,
  plan_start smallint[] storage main,
  plan_end smallint[] storage main,
  actual_start smallint[] storage main,
  actual_end smallint[] storage main,
  baseline_start smallint[] storage main,
  baseline_end smallint[] storage main,
  state int[] storage main not null,
  plan_owner int[] storage main,
  actual_owner int[] storage main,
  primary key (version_id, du_id)
) with (toast_tuple_target = 8160);

-- A closed project loses its versions; the head of its plan stays.
do $$
declare
  list text[] := array['plan_version_row', 'plan_version'] || erased_tables();
begin
  execute format('create or replace function erased_tables() returns text[] language sql immutable as %L', format('select %L::text[]', list));
end $$;
