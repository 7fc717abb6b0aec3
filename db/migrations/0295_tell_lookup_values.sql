-- Values of lookup lists have a kind of their own in the index of references: their ids and those of an attribute's own choices meet.
alter table config_ref drop constraint config_ref_target_kind;
alter table config_ref alter column target_kind type varchar(12);
alter table config_ref add constraint config_ref_target_kind
  check (target_kind in ('ATTRIBUTE', 'ENUM_VALUE', 'LOOKUP_VALUE', 'ACTIVITY', 'FLOW', 'REGION', 'MILESTONE'));

-- As before, and with the values of lookup lists.
create or replace function template_refs(kind text, body jsonb) returns table (target_kind text, target_id bigint, usage text) language sql stable as $$
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
  union select 'LOOKUP_VALUE', l.id, v.usage from values v join attribute a on a.id = v.attribute::bigint and a.type = 'LOOKUP_ENUM'
    join lookup_value l on l.list_id = a.lookup_list_id and l.id = v.value::bigint
  union select 'FLOW', value::bigint, usage from values where field = 'flow'
  union select 'REGION', value::bigint, usage from values where field = 'region'
  union select 'FLOW', (body ->> 'flowId')::bigint, 'TARGET' where kind = 'plan'
$$;

-- What was written under the kind of choices is told apart by the attributes that the same object names.
insert into config_ref (project_id, holder_kind, holder_id, target_kind, target_id, usage)
select c.project_id, c.holder_kind, c.holder_id, 'LOOKUP_VALUE', c.target_id, c.usage
from config_ref c join config_ref n using (project_id, holder_kind, holder_id)
  join attribute a on n.target_kind = 'ATTRIBUTE' and a.id = n.target_id and a.type = 'LOOKUP_ENUM'
  join lookup_value l on l.list_id = a.lookup_list_id and l.id = c.target_id
where c.target_kind = 'ENUM_VALUE'
on conflict do nothing;

delete from config_ref c where c.target_kind = 'ENUM_VALUE'
  and exists (select from config_ref l where (l.project_id, l.holder_kind, l.holder_id, l.target_id, l.usage)
    = (c.project_id, c.holder_kind, c.holder_id, c.target_id, c.usage) and l.target_kind = 'LOOKUP_VALUE')
  and not exists (select from config_ref n join attribute_enum e on e.attribute_id = n.target_id and e.id = c.target_id
    where (n.project_id, n.holder_kind, n.holder_id) = (c.project_id, c.holder_kind, c.holder_id) and n.target_kind = 'ATTRIBUTE');

-- Templates and details of isolation did not name them at all.
insert into config_ref (project_id, holder_kind, holder_id, target_kind, target_id, usage)
select t.project_id, 'TEMPLATE', t.id, r.target_kind, r.target_id, r.usage
from template t, template_refs(t.kind, t.body) r where r.target_kind = 'LOOKUP_VALUE'
on conflict do nothing;

insert into config_ref (project_id, holder_kind, holder_id, target_kind, target_id, usage)
select d.project_id, 'ISOLATION', d.id, 'LOOKUP_VALUE', v.id, 'CONDITION'
from isolation_detail d join attribute a on a.id = d.attribute_id and a.type = 'LOOKUP_ENUM'
  join lookup_value v on v.list_id = a.lookup_list_id and v.id::text = d.value
on conflict do nothing;
