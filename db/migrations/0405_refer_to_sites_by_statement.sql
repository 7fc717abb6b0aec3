-- DUs of an import looked up their project and their site for each row by itself, and sites their project: a third of what the database does for both. A
-- statement looks them up for all its rows, and asks that a DU and its site are of one project (docs/decisions/026-references-by-statement.md). The project of
-- a DU is held by its site.
alter table du drop constraint du_project_id_fkey, drop constraint du_site_id_fkey;
alter table customer_site drop constraint customer_site_project_id_fkey;

create function demand_project() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from (select distinct project_id from made) m where not exists (select from project p where p.id = m.project_id for key share)) then
    raise exception 'a row of % names no project', tg_table_name using errcode = 'foreign_key_violation', table = tg_table_name;
  end if;
  return null;
end $$;
create trigger customer_site_project after insert on customer_site referencing new table as made for each statement execute function demand_project();

create function demand_site() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from made m where not exists (select from customer_site s where s.id = m.site_id and s.project_id = m.project_id for key share)) then
    raise exception 'a DU names no site of its project' using errcode = 'foreign_key_violation', table = tg_table_name;
  end if;
  return null;
end $$;
create trigger du_site after insert on du referencing new table as made for each statement execute function demand_site();

-- A DU moves to another site by itself.
create function demand_new_site() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from customer_site where id = new.site_id and project_id = new.project_id for key share;
  if not found then
    raise exception 'a DU names no site of its project' using errcode = 'foreign_key_violation', table = tg_table_name;
  end if;
  return null;
end $$;
create trigger du_new_site after update of site_id on du for each row when (old.site_id is distinct from new.site_id) execute function demand_new_site();

create trigger du_stays before update of project_id on du for each row execute function refuse_move();
create trigger customer_site_stays before update of project_id on customer_site for each row execute function refuse_move();
create trigger customer_site_named after delete on customer_site for each row execute function refuse_named('du.site_id');
create trigger project_named after delete on project for each row execute function refuse_named('customer_site.project_id', 'du.project_id');
