-- Filters, layouts and layouts of foreign plans are of no single type of object: they are the project's.
update template set object_type = 'project' where object_type is null;
alter table template alter column object_type set not null;
