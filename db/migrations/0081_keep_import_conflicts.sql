-- Cells that were changed both in a file and in the project wait for a decision beside the changes of their row.
alter table import_row add column conflicts jsonb;
alter table import_row alter column conflicts set storage external;
alter table import_row drop constraint import_row_outcome,
  add constraint import_row_outcome check (outcome in ('new', 'changed', 'unchanged', 'conflict', 'rejected'));
