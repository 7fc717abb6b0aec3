-- A joint date of an activity for two DUs of one site, one of each network. The DU with the smaller id stands first, so that a pair has one row.
create table special_plan (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  site_id bigint not null references customer_site,
  du_a_id bigint not null references du,
  du_b_id bigint not null references du,
  activity_id bigint not null references activity_library,
  joint_date date,
  -- The number both DUs carry, empty where they carry none.
  rfc_number varchar(60) not null,
  row_version int not null default 1,
  constraint special_plan_pair_unique unique (du_a_id, du_b_id, activity_id),
  constraint special_plan_order check (du_a_id < du_b_id)
);
create index special_plan_project on special_plan (project_id, site_id);
create index special_plan_site on special_plan (site_id);
create index special_plan_du_b on special_plan (du_b_id);
create index special_plan_activity on special_plan (activity_id);

-- Applications for permits of outside authorities; their answers are recorded by hand.
create table permit_application (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  du_ids bigint[] not null constraint permit_application_dus check (cardinality(du_ids) between 1 and 15),
  kind varchar(12) not null constraint permit_application_kind check (kind in ('landlord', 'municipality', 'road', 'power', 'other')),
  reason varchar(2000) not null constraint permit_application_reason check (btrim(reason) <> ''),
  status varchar(9) not null default 'submitted' constraint permit_application_status check (status in ('submitted', 'approved', 'rejected')),
  answered_on date,
  remark varchar(2000),
  applicant_id bigint not null references app_user,
  created_at timestamptz not null,
  row_version int not null default 1,
  constraint permit_application_answer check ((status = 'submitted') = (answered_on is null))
);
create index permit_application_project on permit_application (project_id, id);

do $$
begin
  execute format('create or replace function erased_tables() returns text[] language sql immutable as %L',
    format('select %L::text[]', array['special_plan', 'permit_application'] || erased_tables()));
end $$;
