-- Rows of a checked file are written and read once or twice: packing them costs more than it saves.
alter table import_row alter column "values" set storage external, alter column changes set storage external;
