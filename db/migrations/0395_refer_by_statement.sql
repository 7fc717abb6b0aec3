-- Every DU of an import brings a plan row and a binding, whose six references looked up project, DU, flow and person for each row by itself: a quarter of what
-- the database does for them. A statement looks them up for all its rows now, and asks that they are of one project
-- (docs/decisions/026-references-by-statement.md).
alter table du_plan drop constraint du_plan_du_id_fkey, drop constraint du_plan_project_id_fkey;
alter table du_flow drop constraint du_flow_du_id_fkey, drop constraint du_flow_project_id_fkey, drop constraint du_flow_flow_id_fkey,
  drop constraint du_flow_bound_by_fkey;

-- What is referred to is held until the transaction ends, as a reference does.
create function demand_du() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from made m where not exists (select from du where du.id = m.du_id and du.project_id = m.project_id for key share)) then
    raise exception 'a row of % names no DU of its project', tg_table_name using errcode = 'foreign_key_violation', table = tg_table_name;
  end if;
  return null;
end $$;
create trigger du_plan_du after insert on du_plan referencing new table as made for each statement execute function demand_du();
create trigger du_flow_du after insert on du_flow referencing new table as made for each statement execute function demand_du();

create function demand_flow() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from (select distinct flow_id, project_id from made) m
      where not exists (select from activity_flow f where f.id = m.flow_id and f.project_id = m.project_id for key share))
    or exists (select from (select distinct bound_by from made where bound_by is not null) m
      where not exists (select from app_user u where u.id = m.bound_by for key share)) then
    raise exception 'a binding names no flow of its project, or nobody' using errcode = 'foreign_key_violation', table = tg_table_name;
  end if;
  return null;
end $$;
create trigger du_flow_flow after insert on du_flow referencing new table as made for each statement execute function demand_flow();

create function refuse_move() returns trigger language plpgsql as $$
begin
  raise exception 'a row of % stays with what it was made for', tg_table_name using errcode = 'foreign_key_violation', table = tg_table_name;
end $$;
create trigger du_plan_stays before update of du_id, project_id on du_plan for each row execute function refuse_move();
create trigger du_flow_stays before update of du_id, project_id, flow_id, bound_by on du_flow for each row execute function refuse_move();

-- The other end: what a row names is not removed. The arguments are the places that may name it.
create function refuse_named() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  place text;
  is_named boolean;
begin
  foreach place in array tg_argv loop
    execute format('select exists (select from %I where %I = $1)', split_part(place, '.', 1), split_part(place, '.', 2)) into is_named using old.id;
    if is_named then
      raise exception '% still names what is removed from %', place, tg_table_name using errcode = 'foreign_key_violation', table = split_part(place, '.', 1);
    end if;
  end loop;
  return null;
end $$;
create trigger du_named after delete on du for each row execute function refuse_named('du_plan.du_id', 'du_flow.du_id');
create trigger activity_flow_named after delete on activity_flow for each row execute function refuse_named('du_flow.flow_id');
create trigger app_user_named after delete on app_user for each row execute function refuse_named('du_flow.bound_by');
