-- Texts of plan rows as a tile carries them, prepared beside the plan: writing the arrays of a row out is nine tenths of what reading it costs. A text belongs to
-- one version of its row and of the flow; one of another version is passed over, so nothing refers to it and nothing keeps it true.
create table du_plan_text (
  du_id bigint primary key,
  project_id bigint not null,
  version int not null,
  flow_id bigint not null,
  flow_version int not null,
  text text not null,
  sets int[] not null
);
create index du_plan_text_project on du_plan_text (project_id, du_id);

do $$
begin
  execute format('create or replace function erased_tables() returns text[] language sql immutable as %L',
    format('select %L::text[]', array['du_plan_text'] || erased_tables()));
end $$;
