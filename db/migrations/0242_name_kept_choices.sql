-- Choices that stored filters name: templates kept before they said what they name.
insert into config_ref (project_id, holder_kind, holder_id, target_kind, target_id, usage)
select distinct t.project_id, 'TEMPLATE', t.id, 'ENUM_VALUE', e.id, 'FILTER'
from template t
cross join lateral jsonb_array_elements(case when jsonb_typeof(t.body -> 'filters') = 'array' then t.body -> 'filters' else '[]' end) f
cross join lateral jsonb_array_elements(case when jsonb_typeof(f -> 'values') = 'array' then f -> 'values' else '[]' end) v
join attribute a on a.project_id = t.project_id and f ->> 'key' ~ ('^([0-9]+:)?a' || a.id || '$')
join attribute_enum e on e.attribute_id = a.id and e.id::text = v #>> '{}'
on conflict do nothing;
