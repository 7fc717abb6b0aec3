-- The people who may do the work of a project: own staff, leased people, crews of subcontractors, customer staff. A person's company follows from the active
-- row, so the list of company members gives way to it.
create table resource (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  user_id bigint not null references app_user,
  type varchar(12) not null constraint resource_type check (type in ('OWN', 'LEASE', 'SUBCONTRACT', 'CUSTOMER')),
  contractor varchar(200),
  subcontractor_id bigint references subcontractor,
  phone varchar(100) constraint resource_phone check (phone ~ '^[0-9,]*$'),
  auth_start date,
  auth_end date,
  visa_type varchar(60),
  visa_start date,
  visa_end date,
  skills varchar(60)[] not null default '{}',
  longitude double precision constraint resource_longitude check (longitude between -180 and 180),
  latitude double precision constraint resource_latitude check (latitude between -90 and 90),
  availability char(1) not null default 'Y' constraint resource_availability check (availability in ('Y', 'N')),
  presence char(1) not null default 'Y' constraint resource_presence check (presence in ('Y', 'N')),
  last_activity_at timestamptz,
  public_account boolean not null default false,
  data_owner boolean not null default false,
  status varchar(10) not null default 'ACTIVE' constraint resource_status check (status in ('ACTIVE', 'PENDING', 'REJECTED', 'INACTIVE')),
  row_version int not null default 1,
  created_by bigint references app_user,
  created_at timestamptz not null default now(),
  updated_by bigint references app_user,
  updated_at timestamptz not null default now(),
  constraint resource_user_unique unique (project_id, user_id),
  constraint resource_company check (subcontractor_id is null or type = 'SUBCONTRACT'),
  constraint resource_auth_whole check ((auth_start is null) = (auth_end is null)),
  constraint resource_auth_year check (auth_end > auth_start and auth_end <= (auth_start + interval '1 year')::date),
  constraint resource_visa_order check (visa_start <= visa_end),
  constraint resource_base check ((longitude is null) = (latitude is null))
);
create index resource_user on resource (user_id);
create index resource_subcontractor on resource (subcontractor_id) where subcontractor_id is not null;

insert into resource (project_id, user_id, type, subcontractor_id) select project_id, user_id, 'SUBCONTRACT', subcontractor_id from subcontractor_member;
insert into resource (project_id, user_id, type)
select distinct m.project_id, m.user_id, case u.kind when 'subcontractor' then 'SUBCONTRACT' when 'customer' then 'CUSTOMER' else 'OWN' end
from project_member m join app_user u on u.id = m.user_id on conflict do nothing;
drop table subcontractor_member;

-- What the daily look at idleness writes changes nobody's rights.
create trigger resource_trust after insert or delete or update of user_id, type, subcontractor_id, status on resource
  for each statement execute function announce_trust();

create table res_setting (
  project_id bigint primary key references project,
  availability_inactive_days int not null default 90 constraint res_setting_availability check (availability_inactive_days between 30 and 1000),
  presence_inactive_days int not null default 30 constraint res_setting_presence check (presence_inactive_days between 15 and 1000),
  key_roles varchar(30)[] not null default '{PM,PD,TD,TL,PCM}',
  key_role_switch boolean not null default false,
  row_version int not null default 1
);

create table res_group (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  name varchar(100) not null,
  scenario varchar(200),
  contractor varchar(200),
  row_version int not null default 1,
  created_by bigint not null references app_user,
  created_at timestamptz not null,
  updated_by bigint not null references app_user,
  updated_at timestamptz not null
);
create unique index res_group_name_unique on res_group (project_id, lower(name));

create table res_group_member (
  group_id bigint not null references res_group,
  resource_id bigint not null references resource,
  project_id bigint not null references project,
  member_type varchar(60),
  is_leader boolean not null default false,
  primary key (group_id, resource_id)
);
create index res_group_member_resource on res_group_member (resource_id);

create table res_introduction (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  subcontractor_id bigint not null references subcontractor,
  user_ids bigint[] not null constraint res_introduction_size check (cardinality(user_ids) between 1 and 20),
  status varchar(10) not null default 'PENDING' constraint res_introduction_status check (status in ('PENDING', 'APPROVED', 'REJECTED', 'WITHDRAWN')),
  applicant_id bigint not null references app_user,
  approver_id bigint references app_user,
  reason varchar(500),
  row_version int not null default 1,
  created_at timestamptz not null,
  decided_at timestamptz
);
create index res_introduction_project on res_introduction (project_id, status, id);

create table res_assignment (
  project_id bigint not null references project,
  activity_id bigint not null references activity_library,
  types varchar(12)[] not null default '{OWN,LEASE,SUBCONTRACT,CUSTOMER}',
  required_skill varchar(60),
  max_distance_km numeric(6, 1) constraint res_assignment_distance check (max_distance_km >= 0),
  row_version int not null default 1,
  primary key (project_id, activity_id)
);

do $$
begin
  execute format('create or replace function erased_tables() returns text[] language sql immutable as %L',
    format('select %L::text[]', array['res_assignment', 'res_group_member', 'res_group', 'res_introduction', 'res_setting', 'resource'] || erased_tables()));
end $$;
