-- A preview is read a page at a time: stored without compression its parts can be fetched alone.
alter table schedule_preview alter result set storage external;
create index schedule_preview_owner on schedule_preview (project_id, user_id, expires_at);
create index plan_freeze_project on plan_freeze (project_id, frozen_at desc);
