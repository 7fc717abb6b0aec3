-- Which DUs a mail tells of and whose eyes it is meant for: isolation may change while it waits.
alter table mail_body add column du_ids bigint[] not null default '{}';
alter table mail_outbox add column viewer_id bigint references app_user;
