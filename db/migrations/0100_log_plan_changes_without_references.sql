-- Log rows are written in the statement that makes their batch, for DUs that are locked, and never change: checking three references a row took
-- two thirds of the time of a large batch (docs/decisions/009-no-references-in-the-plan-log.md).
alter table plan_log drop constraint plan_log_du_id_fkey, drop constraint plan_log_batch_id_fkey, drop constraint plan_log_project_id_fkey;
