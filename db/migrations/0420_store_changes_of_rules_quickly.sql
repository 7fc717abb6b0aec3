-- A run of rules keeps a row for each of ten thousand DUs, whose three references looked up run, project and DU for every row by itself: half of what storing them
-- took. A statement looks them up for all its rows now, and asks that they are of one project (docs/decisions/026-references-by-statement.md).
alter table rule_run_change drop constraint rule_run_change_run_id_fkey, drop constraint rule_run_change_project_id_fkey,
  drop constraint rule_run_change_du_id_fkey;

create function demand_run() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from (select distinct run_id, project_id from made) m
      where not exists (select from rule_run r where r.id = m.run_id and r.project_id = m.project_id for key share)) then
    raise exception 'a row of % names no run of its project', tg_table_name using errcode = 'foreign_key_violation', table = tg_table_name;
  end if;
  return null;
end $$;
create trigger rule_run_change_run after insert on rule_run_change referencing new table as made for each statement execute function demand_run();
create trigger rule_run_change_du after insert on rule_run_change referencing new table as made for each statement execute function demand_du();
create trigger rule_run_change_stays before update of run_id, project_id, du_id on rule_run_change for each row execute function refuse_move();

-- They go with their run.
create function drop_run_changes() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from rule_run_change where run_id = old.id;
  return null;
end $$;
create trigger rule_run_drop_changes after delete on rule_run for each row execute function drop_run_changes();

drop trigger du_named on du;
create trigger du_named after delete on du for each row execute function refuse_named('du_plan.du_id', 'du_flow.du_id', 'rule_run_change.du_id');
