-- Requests to declare an activity not applicable or invalid, or to take that back.
create table na_request (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  number int not null,
  du_id bigint not null references du,
  slot smallint not null,
  kind varchar(6) not null constraint na_request_kind check (kind in ('NA', 'INV', 'cancel')),
  reason varchar(2000) not null,
  applicant_id bigint not null references app_user,
  approver_id bigint references app_user,
  flow_no varchar(60),
  status varchar(10) not null constraint na_request_status check (status in ('approving', 'processing', 'done', 'rejected', 'failed')),
  decided_by bigint references app_user,
  decided_at timestamptz,
  comment varchar(2000),
  -- Why it could not be carried out.
  code varchar(40),
  created_at timestamptz not null,
  done_at timestamptz,
  constraint na_request_number_unique unique (project_id, number)
);
create unique index na_request_open_unique on na_request (du_id, slot) where status in ('approving', 'processing');
create index na_request_du on na_request (du_id);

do $do$
begin
  execute format('create or replace function erased_tables() returns text[] language sql immutable as $f$ select %L::text[] $f$',
    array['na_request'] || erased_tables());
end $do$;
