-- The logs only grow: nobody changes or removes a row, the application's own login included.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append only', tg_table_name using errcode = 'insufficient_privilege';
end $$;

create trigger audit_log_append_only before update or delete or truncate on audit_log for each statement execute function refuse_change();
create trigger plan_batch_append_only before update or delete or truncate on plan_batch for each statement execute function refuse_change();
create trigger plan_log_append_only before update or delete or truncate on plan_log for each statement execute function refuse_change();
