-- Plan auto rules stand in the index of references with the regions of their filters, and with the choices they fill in as fixed values.
insert into config_ref (project_id, holder_kind, holder_id, target_kind, target_id, usage)
select r.project_id, 'PLAN_RULE', r.id, 'REGION', (v #>> '{}')::bigint, 'CONDITION'
from plan_rule r, jsonb_array_elements(r.du_filter) f, jsonb_array_elements(f -> 'values') v
where r.deleted_at is null and f ->> 'field' = 'region' and v #>> '{}' ~ '^\d{1,15}$'
on conflict do nothing;

insert into config_ref (project_id, holder_kind, holder_id, target_kind, target_id, usage)
select r.project_id, 'PLAN_RULE', r.id, case a.types ->> (a.target ->> 'key') when 'ENUM' then 'ENUM_VALUE' else 'LOOKUP_VALUE' end,
  (s ->> 'value')::bigint, 'SOURCE'
from plan_rule r join plan_rule_action a on a.rule_id = r.id, jsonb_array_elements(a.sources) s
where r.deleted_at is null and s ->> 'k' = 'FIXED' and s ->> 'value' ~ '^\d{1,15}$'
  and a.types ->> (a.target ->> 'key') in ('ENUM', 'LOOKUP_ENUM')
on conflict do nothing;
