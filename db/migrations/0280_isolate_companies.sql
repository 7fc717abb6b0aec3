-- What a company is, beyond its name; which DUs a company sees: its own, and with isolation on those whose attributes name it.
alter table subcontractor
  add column type_ids bigint[] not null default '{}',
  add column countries char(2)[] not null default '{}',
  add column dpa_required boolean not null default false,
  add column dpa_expires date,
  add column created_by bigint references app_user,
  add column created_at timestamptz,
  add column updated_by bigint references app_user,
  add column updated_at timestamptz,
  add constraint subcontractor_status check (status in ('ACTIVE', 'INVALID'));
create unique index subcontractor_name_unique on subcontractor (project_id, lower(name));

create table isolation (
  project_id bigint primary key references project,
  enabled boolean not null,
  version int not null,
  updated_by bigint references app_user,
  updated_at timestamptz not null
);

create table isolation_detail (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  attribute_id bigint not null references attribute,
  value varchar(250) not null constraint isolation_detail_value check (value <> ''),
  subcontractor_id bigint not null references subcontractor,
  created_by bigint references app_user,
  created_at timestamptz not null,
  constraint isolation_detail_unique unique (project_id, attribute_id, value, subcontractor_id)
);
create index isolation_detail_attribute on isolation_detail (attribute_id);
create index isolation_detail_subcontractor on isolation_detail (subcontractor_id);

-- What a person of a company sees follows from these.
create trigger isolation_trust after insert or update or delete on isolation for each statement execute function announce_trust();
create trigger isolation_detail_trust after insert or update or delete on isolation_detail for each statement execute function announce_trust();
create trigger subcontractor_trust after update on subcontractor for each statement execute function announce_trust();

do $$
begin
  execute format('create or replace function erased_tables() returns text[] language sql immutable as %L',
    format('select %L::text[]', array['isolation_detail', 'isolation'] || erased_tables()));
end $$;
