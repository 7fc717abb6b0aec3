-- The last schedule and release of a DU; whether its plan changed since stands in its plan row. The version is named without a reference: a release writes
-- thousands of these rows, and a deleted version is taken out here by the call that deletes it.
create table du_release (
  du_id bigint primary key references du,
  project_id bigint not null,
  scheduled_at timestamptz,
  released_at timestamptz not null,
  released_by bigint not null,
  version_id bigint
);
create index du_release_project on du_release (project_id);

do $$
begin
  execute format('create or replace function erased_tables() returns text[] language sql immutable as %L',
    format('select %L::text[]', array['du_release'] || erased_tables()));
end $$;
