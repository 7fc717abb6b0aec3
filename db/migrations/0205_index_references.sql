-- What configuration names: which rule, template and the like uses which attribute, choice, activity, flow, region or milestone, and how.
-- The holder writes its rows in the transaction that saves it; a target is judged by one look here, whoever uses it.
create table config_ref (
  project_id bigint not null references project,
  holder_kind varchar(20) not null,
  holder_id bigint not null,
  target_kind varchar(10) not null
    constraint config_ref_target_kind check (target_kind in ('ATTRIBUTE', 'ENUM_VALUE', 'ACTIVITY', 'FLOW', 'REGION', 'MILESTONE')),
  target_id bigint not null,
  usage varchar(9) not null constraint config_ref_usage check (usage in ('CONDITION', 'SOURCE', 'TARGET', 'COLUMN', 'FILTER')),
  primary key (project_id, holder_kind, holder_id, target_kind, target_id, usage)
);
create index config_ref_target on config_ref (project_id, target_kind, target_id);

do $$
begin
  execute format('create or replace function erased_tables() returns text[] language sql immutable as %L',
    format('select %L::text[]', array['config_ref'] || erased_tables()));
end $$;
