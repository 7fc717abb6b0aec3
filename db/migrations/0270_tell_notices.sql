-- What the product tells a person inside itself. The title is a key of the texts with its values, so that it is read in the language of the moment.
create table notice (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  user_id bigint not null references app_user,
  kind varchar(60) not null,
  title varchar(120) not null,
  params jsonb not null,
  body varchar(1000),
  link varchar(500),
  -- The event it tells of: the same one is told to nobody twice.
  event char(64),
  created_at timestamptz not null,
  read_at timestamptz,
  constraint notice_event_unique unique (project_id, user_id, event)
);
create index notice_person on notice (user_id, project_id, id desc);
create index notice_unread on notice (project_id, user_id) where read_at is null;

-- Open screens hear that notices of a person came or were read.
create function announce_notices() returns trigger language plpgsql as $$
begin
  perform pg_notify('notice_changes', json_build_object('projectId', n.project_id, 'userId', n.user_id)::text)
  from (select distinct project_id, user_id from changed) n;
  return null;
end $$;
create trigger notice_announce_insert after insert on notice referencing new table as changed for each statement execute function announce_notices();
create trigger notice_announce_update after update on notice referencing new table as changed for each statement execute function announce_notices();

do $$
begin
  execute format(
    'create or replace function erased_tables() returns text[] language sql immutable as %L',
    format('select %L::text[]', array['notice'] || erased_tables()));
end $$;
