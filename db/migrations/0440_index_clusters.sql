-- Clusters stand in the index of references with the activity of their cutover: it stays in its flows and in the library as long as one names it.
insert into config_ref (project_id, holder_kind, holder_id, target_kind, target_id, usage)
select project_id, 'CLUSTER', id, 'ACTIVITY', cutover_activity_id, 'TARGET' from cluster where cutover_activity_id is not null
on conflict do nothing;
