-- The installation's own value of every limit that a project may narrow; a project without a row of its own follows it.
insert into limit_setting (project_id, key, value, min, max) values
  (null, 'attribute.customMax', 10, 1, 50),
  (null, 'attribute.totalMax', 300, 50, 1000),
  (null, 'edit.du', 10000, 1000, 10000),
  (null, 'export.du', 9999, 100, 9999),
  (null, 'export.rows', 2000, 100, 2000),
  (null, 'rule.validMax', 50, 1, 200),
  (null, 'select.du', 200, 20, 200);
