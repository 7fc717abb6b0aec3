-- Of a run by events: the DUs each of its rules looks at, by the rule's id.
alter table rule_run add column rule_dus jsonb;
