-- What a template names, for the index of references: conditions, a foreign plan's mapping, and the flow and owners' columns of a plan.
-- Layouts of a grid and kept searches are not meant: a column or a flow that is gone drops out of them.
create function template_refs(kind text, body jsonb) returns table (target_kind text, target_id bigint, usage text) language sql stable as $$
  with keys as (
    select f ->> 'key' as key, f -> 'values' as given, 'FILTER' as usage from jsonb_array_elements(body -> 'filters') f where kind = 'filter'
    union all select s ->> 'key', null, 'FILTER' from jsonb_array_elements(body -> 'sort') s where kind = 'filter'
    union all select c ->> 'key', null, 'TARGET' from jsonb_array_elements(body -> 'columns') c where kind = 'reverse'
  ), read as (
    select substring(key from '^(\d{1,15}):') as activity, substring(key from '^(?:(?:\d+|\*):)?a(\d{1,15})$') as attribute,
      substring(key from '^(?:\d+:)?(.+)$') as field, usage, given from keys
  ), values as (
    select r.field, r.attribute, r.usage, v #>> '{}' as value from read r, jsonb_array_elements(r.given) v where v #>> '{}' ~ '^\d{1,15}$'
  )
  select 'ACTIVITY', activity::bigint, usage from read where activity is not null
  union select 'ATTRIBUTE', attribute::bigint, usage from read where attribute is not null
  union select 'ENUM_VALUE', e.id, v.usage from values v join attribute_enum e on e.attribute_id = v.attribute::bigint and e.id = v.value::bigint
  union select 'FLOW', value::bigint, usage from values where field = 'flow'
  union select 'REGION', value::bigint, usage from values where field = 'region'
  union select 'FLOW', (body ->> 'flowId')::bigint, 'TARGET' where kind = 'plan'
$$;

insert into config_ref (project_id, holder_kind, holder_id, target_kind, target_id, usage)
select t.project_id, 'TEMPLATE', t.id, r.target_kind, r.target_id, r.usage
from template t, template_refs(t.kind, t.body) r
on conflict do nothing;
