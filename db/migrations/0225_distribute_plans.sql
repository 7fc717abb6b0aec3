-- A published version sent to somebody who is to answer: a person, a company, or an address outside. It holds the DUs he was told of.
create table plan_distribution (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  version_id bigint not null references plan_version,
  recipient_user_id bigint references app_user,
  subcontractor_id bigint references subcontractor,
  email varchar(254),
  filters jsonb not null,
  du_ids bigint[] not null,
  activity_count int not null,
  message varchar(2000),
  due_date date,
  -- Language an address outside is written to, and the workbook it was sent.
  lang char(2) not null,
  file_id uuid references file_object,
  sent_by bigint not null references app_user,
  sent_at timestamptz not null,
  reminded_at timestamptz,
  status varchar(8) not null default 'sent' constraint plan_distribution_status check (status in ('sent', 'opened', 'answered', 'closed')),
  constraint plan_distribution_recipient check (num_nonnulls(recipient_user_id, subcontractor_id, email) = 1)
);
create index plan_distribution_project on plan_distribution (project_id, id);
create index plan_distribution_version on plan_distribution (version_id);
create index plan_distribution_user on plan_distribution (recipient_user_id) where recipient_user_id is not null;
create index plan_distribution_company on plan_distribution (subcontractor_id) where subcontractor_id is not null;
create index plan_distribution_file on plan_distribution (file_id) where file_id is not null;

-- What a recipient answers about an activity of a DU, in his words; it is mapped once both are known in the version.
create table plan_feedback (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  distribution_id bigint not null references plan_distribution on delete cascade,
  raw_du varchar(250) not null,
  raw_activity varchar(250) not null,
  proposed_start date,
  proposed_end date,
  remark varchar(2000),
  du_id bigint references du,
  slot smallint,
  mapping varchar(10) not null constraint plan_feedback_mapping check (mapping in ('mapped', 'not_mapped')),
  late boolean not null,
  submitted_by bigint not null references app_user,
  submitted_at timestamptz not null,
  decision varchar(8) not null default 'open' constraint plan_feedback_decision check (decision in ('open', 'accepted', 'refused')),
  decided_by bigint references app_user,
  decided_at timestamptz,
  comment varchar(2000),
  -- The change of the plan that took it over; once that is undone the answer is open again.
  batch_id bigint references plan_batch,
  constraint plan_feedback_mapped check ((mapping = 'mapped') = (du_id is not null and slot is not null)),
  constraint plan_feedback_says check (num_nonnulls(proposed_start, proposed_end, remark) > 0)
);
create index plan_feedback_distribution on plan_feedback (distribution_id);
create index plan_feedback_project on plan_feedback (project_id, id);
create index plan_feedback_du on plan_feedback (du_id) where du_id is not null;
create index plan_feedback_batch on plan_feedback (batch_id) where batch_id is not null;
create index plan_batch_undo on plan_batch (undo_of) where undo_of is not null;

-- Words of recipients that somebody has said the meaning of, in lower case.
create table feedback_mapping (
  project_id bigint not null references project,
  kind varchar(8) not null constraint feedback_mapping_kind check (kind in ('du', 'activity')),
  raw_text varchar(250) not null,
  du_id bigint references du,
  activity_id bigint references activity_library,
  primary key (project_id, kind, raw_text),
  constraint feedback_mapping_meaning check (case kind when 'du' then du_id is not null and activity_id is null else activity_id is not null and du_id is null end)
);
create index feedback_mapping_du on feedback_mapping (du_id) where du_id is not null;
create index feedback_mapping_activity on feedback_mapping (activity_id) where activity_id is not null;

do $$
begin
  execute format('create or replace function erased_tables() returns text[] language sql immutable as %L',
    format('select %L::text[]', array['plan_feedback', 'feedback_mapping', 'plan_distribution'] || erased_tables()));
end $$;
