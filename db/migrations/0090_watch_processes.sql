-- Several processes: a change of sessions, rights or settings is told to all of them; a task remembers the call that started it; a process says how much
-- memory it holds; a scheduled slot is marked in the transaction of its work.
alter table task add column request_id varchar(64);
alter table process_heartbeat add column memory_bytes bigint;
alter table schedule_slot add column ran_at timestamptz;

create function announce_trust() returns trigger language plpgsql as $$
begin
  perform pg_notify('trust_changes', tg_table_name);
  return null;
end $$;

create trigger user_session_trust after update of revoked_at or delete on user_session for each statement execute function announce_trust();
create trigger api_token_trust after update of revoked_at or delete on api_token for each statement execute function announce_trust();
create trigger app_user_trust after update of active on app_user for each statement execute function announce_trust();
create trigger project_trust after update on project for each statement execute function announce_trust();
create trigger project_member_trust after insert or update or delete on project_member for each statement execute function announce_trust();
create trigger role_permission_trust after insert or update or delete on role_permission for each statement execute function announce_trust();
create trigger role_delegation_trust after insert or update or delete on role_delegation for each statement execute function announce_trust();
create trigger subcontractor_member_trust after insert or update or delete on subcontractor_member for each statement execute function announce_trust();
create trigger region_owner_trust after insert or update or delete on region_owner for each statement execute function announce_trust();
create trigger du_owner_trust after insert or update or delete on du_owner for each statement execute function announce_trust();
create trigger project_switch_trust after insert or update or delete on project_switch for each statement execute function announce_trust();
create trigger limit_setting_trust after insert or update or delete on limit_setting for each statement execute function announce_trust();
