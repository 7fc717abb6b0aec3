-- A declaration at a border holds for one session or one API token; those made for nobody's token are asked for again.
delete from cross_border_consent c where not exists (select 1 from user_session s where s.sid = c.sid);
alter table cross_border_consent drop constraint cross_border_consent_pkey;
alter table cross_border_consent alter column sid drop not null;
alter table cross_border_consent add column token_id bigint references api_token;
alter table cross_border_consent add constraint cross_border_consent_bearer check (num_nonnulls(sid, token_id) = 1);
create unique index cross_border_consent_session on cross_border_consent (sid, project_id) where sid is not null;
create unique index cross_border_consent_token on cross_border_consent (token_id, project_id) where token_id is not null;
