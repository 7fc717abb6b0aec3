-- Attributes that somebody appended to the fields of an object: a project has few of them.
alter table attribute add column custom boolean not null default false;

alter table du_tab add constraint du_tab_name check (btrim(name) <> '');
