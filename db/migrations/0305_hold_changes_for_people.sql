-- Who has had the mails of a rule that one project day allows, by address in lower case, with the change number up to which he was told: the rest waits for
-- the full hour.
alter table mail_rule
  add column held jsonb not null default '{}',
  add column held_until timestamptz,
  add constraint mail_rule_held check ((held = '{}') = (held_until is null));
