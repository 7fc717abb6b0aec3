-- A deleted site keeps its row while deleted DUs refer to it; its code is free again.
alter table customer_site add column deleted_at timestamptz;
alter table customer_site drop constraint customer_site_code_unique;
create unique index customer_site_code_unique on customer_site (project_id, code) where deleted_at is null;
create index du_direct_migration_site on du (direct_migration_site_id) where direct_migration_site_id is not null;
create index du_decom_site on du (decom_site_id) where decom_site_id is not null;
