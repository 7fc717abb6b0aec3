-- The many rows of a plan are written at once by the transaction that holds their run: looking up run, project and DU for each of them took as long as writing it.
alter table engine_out_du drop constraint engine_out_du_project_id_fkey;
alter table engine_out_alloc drop constraint engine_out_alloc_run_id_fkey, drop constraint engine_out_alloc_project_id_fkey,
  drop constraint engine_out_alloc_du_id_fkey, drop constraint engine_out_alloc_donor_du_id_fkey;
alter table engine_out_mrp drop constraint engine_out_mrp_run_id_fkey, drop constraint engine_out_mrp_project_id_fkey;
alter table engine_out_gap drop constraint engine_out_gap_run_id_fkey, drop constraint engine_out_gap_project_id_fkey,
  drop constraint engine_out_gap_du_id_fkey;
drop index engine_out_alloc_du, engine_out_alloc_donor, engine_out_gap_du;

-- They go with their run.
create function drop_engine_output() returns trigger language plpgsql as $$
begin
  delete from engine_out_alloc where run_id = old.id;
  delete from engine_out_mrp where run_id = old.id;
  delete from engine_out_gap where run_id = old.id;
  return null;
end $$;
create trigger engine_run_drop_output after delete on engine_run for each row execute function drop_engine_output();
