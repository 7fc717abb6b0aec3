-- The settings of a project's mails stand in the index of references, under the project, with the attributes they map; one that was deleted is mapped no longer.
update rem_setting s set
  equipment_account_attr_id = (select a.id from attribute a where a.id = s.equipment_account_attr_id and a.deleted_at is null),
  product_name_attr_id = (select a.id from attribute a where a.id = s.product_name_attr_id and a.deleted_at is null)
where exists (select 1 from attribute a where a.id in (s.equipment_account_attr_id, s.product_name_attr_id) and a.deleted_at is not null);

insert into config_ref (project_id, holder_kind, holder_id, target_kind, target_id, usage)
select s.project_id, 'REM_SETTING', s.project_id, 'ATTRIBUTE', a.id, 'CONDITION'
from rem_setting s join attribute a on a.id in (s.equipment_account_attr_id, s.product_name_attr_id)
on conflict do nothing;
