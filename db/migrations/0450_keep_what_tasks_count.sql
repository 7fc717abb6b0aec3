-- What a task keeps while it works, for an attempt after one that was killed: its result is written with its end.
alter table task add column kept jsonb;
