-- Open screens hear of every change of a task, whoever writes it; a retried task gets further attempts without using a number twice.
alter table task add column attempt_limit int not null default 3;
create index task_open on task (project_id, kind) where status in ('queued', 'running');
create index task_expires on task (expires_at) where expires_at is not null;
create index file_object_expires on file_object (expires_at) where expires_at is not null;

create function announce_task() returns trigger language plpgsql as $$
begin
  perform pg_notify('task_changes', json_build_object(
    'id', new.id, 'projectId', new.project_id, 'createdBy', new.created_by, 'direction', new.direction, 'status', new.status, 'progress', new.progress)::text);
  return null;
end $$;

create trigger task_announce_insert after insert on task for each row execute function announce_task();
create trigger task_announce_update after update on task for each row
  when (old.status is distinct from new.status or old.progress is distinct from new.progress or old.done_count is distinct from new.done_count
    or old.failed_count is distinct from new.failed_count or old.cancel_requested is distinct from new.cancel_requested)
  execute function announce_task();
