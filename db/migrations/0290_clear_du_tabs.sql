-- Values of a tab go when the type of their attribute changes; the history says so.
alter table du_tab_history
  drop constraint du_tab_history_source,
  add constraint du_tab_history_source check (source in ('UI', 'IMPORT', 'DELETE', 'RESTORE', 'CLEAR'));
