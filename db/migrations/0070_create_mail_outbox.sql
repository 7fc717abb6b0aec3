-- The outbox is the queue of mails: a row is inserted with the event it tells of and sent by whichever worker claims it.
create table mail_body (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  hash char(64) not null,
  subject varchar(200) not null,
  html text not null,
  "text" text not null,
  created_at timestamptz not null,
  constraint mail_body_hash_unique unique (project_id, hash)
);

create table mail_outbox (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  dedupe_key char(64) not null constraint mail_outbox_dedupe_unique unique,
  kind varchar(60) not null,
  rule_id bigint,
  to_user_id bigint references app_user,
  to_address varchar(254) not null,
  to_name varchar(200),
  cc boolean not null default false,
  lang char(2) not null,
  body_id bigint not null references mail_body,
  attachment_ids uuid[] not null default '{}',
  status varchar(10) not null default 'QUEUED' constraint mail_outbox_status
    check (status in ('QUEUED', 'SENDING', 'SENT', 'RETRY', 'FAILED', 'UNCERTAIN', 'BOUNCED', 'CANCELLED')),
  attempts int not null default 0,
  next_attempt_at timestamptz not null,
  expires_at timestamptz not null,
  last_error varchar(500),
  message_id varchar(200),
  claimed_by uuid,
  created_at timestamptz not null,
  sent_at timestamptz
);
create index mail_outbox_due on mail_outbox (project_id, next_attempt_at, id) where status in ('QUEUED', 'RETRY');
create index mail_outbox_sending on mail_outbox (claimed_by) where status = 'SENDING';
create index mail_outbox_project on mail_outbox (project_id, created_at desc, id desc);
create index mail_outbox_message on mail_outbox (project_id, message_id) where message_id is not null;
create index mail_outbox_body on mail_outbox (body_id);

-- What is known of an address, in lower case: three permanent failures without a success between them block it.
create table mail_address (
  address varchar(254) primary key,
  failures int not null default 0,
  last_error varchar(500),
  blocked boolean not null default false
);

create table mail_optout (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  kind varchar(60) not null,
  user_id bigint references app_user,
  address varchar(254),
  created_at timestamptz not null,
  constraint mail_optout_who check (num_nonnulls(user_id, address) = 1),
  constraint mail_optout_unique unique nulls not distinct (project_id, kind, user_id, address)
);

-- Mails of a project in a minute: all workers together keep to its share.
create unlogged table mail_minute (
  project_id bigint not null references project,
  minute timestamptz not null,
  mails int not null,
  primary key (project_id, minute)
);

-- Workers listen: a mail leaves a moment after its event is committed, not at the next tick.
create function announce_mail() returns trigger language plpgsql as $$
begin
  perform pg_notify('mail_queued', '');
  return null;
end $$;

create trigger mail_outbox_announce after insert on mail_outbox for each statement execute function announce_mail();
