-- Rows of a check are shown and read back as they came: nothing of them needs to be taken apart, and their task is looked up by the statement that stores them.
alter table import_row alter column "values" type json using "values"::json, alter column changes type json using changes::json,
  alter column conflicts type json using conflicts::json;
alter table import_row drop constraint import_row_task_id_fkey;

create function drop_checked_rows() returns trigger language plpgsql as $$
begin
  delete from import_row where task_id = old.id;
  return null;
end $$;
create trigger task_drop_checked_rows after delete on task for each row execute function drop_checked_rows();
