-- Secret addresses under which a calendar program reads a person's own activities of a project. The secret is kept as its sha256 only.
create table feed_token (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  user_id bigint not null references app_user,
  hash char(64) not null constraint feed_token_hash_unique unique,
  created_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index feed_token_person on feed_token (project_id, user_id) where revoked_at is null;

do $$
begin
  execute format('create or replace function erased_tables() returns text[] language sql immutable as %L',
    format('select %L::text[]', array['feed_token'] || erased_tables()));
end $$;
