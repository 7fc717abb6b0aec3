-- What an order was before an event, so that an undone redo gives it back to whom it belonged.
alter table work_order_event
  add column was_assignee_id bigint references app_user,
  add column was_redone boolean;
