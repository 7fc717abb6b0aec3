-- Attributes that somebody appended to the fields of an object: a project has few of them.
alter table attribute add column custom boolean not null default false;

alter table du_tab add constraint du_tab_name check (btrim(name) <> '');

-- Objects that name an attribute or one of its choices in a stored layout, search or filter: templates kept before they said what they name.
insert into config_ref (project_id, holder_kind, holder_id, target_kind, target_id, usage)
select distinct t.project_id, 'TEMPLATE', t.id, 'ATTRIBUTE', a.id, case t.kind when 'filter' then 'FILTER' when 'search' then 'FILTER' else 'COLUMN' end
from template t
cross join lateral regexp_matches(t.body::text, '"(?:[0-9]+:)?a([0-9]{1,15})"', 'g') m
join attribute a on a.id = m[1]::bigint and a.project_id = t.project_id
on conflict do nothing;
