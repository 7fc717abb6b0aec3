-- What a mail lists, as rows whose first one holds the headings: its workbook is made once, when the first mail with these words is sent.
alter table mail_body
  add column rows jsonb,
  add column attribute_ids bigint[] not null default '{}',
  add column file_id uuid references file_object;
create index mail_body_file on mail_body (file_id) where file_id is not null;

-- Who is told when a mail of a rule is not delivered, and the send time it belongs to.
alter table mail_outbox
  add column responsible_id bigint references app_user,
  add column occurrence_local timestamp;
create index mail_outbox_rule on mail_outbox (project_id, rule_id) where rule_id is not null and status in ('QUEUED', 'RETRY');

-- How the mails of a project are sent, and which attributes say whether a DU may be written about.
create table rem_setting (
  project_id bigint primary key references project,
  sender_name varchar(100),
  reply_to varchar(254),
  default_send_time time not null,
  equipment_account_attr_id bigint references attribute,
  product_name_attr_id bigint references attribute,
  row_version int not null default 1
);
create index rem_setting_equipment on rem_setting (equipment_account_attr_id) where equipment_account_attr_id is not null;
create index rem_setting_product on rem_setting (product_name_attr_id) where product_name_attr_id is not null;

-- Words of a project in place of the standard ones; where no row is, the standard text is sent.
create table mail_template (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  kind varchar(40) not null,
  lang char(2) not null constraint mail_template_lang check (lang in ('zh', 'en', 'ja')),
  subject varchar(200) not null,
  body varchar(4000) not null,
  row_version int not null default 1,
  constraint mail_template_unique unique (project_id, kind, lang)
);

do $$
begin
  execute format(
    'create or replace function erased_tables() returns text[] language sql immutable as %L',
    format('select %L::text[]', array['rem_setting', 'mail_template'] || erased_tables()));
end $$;
