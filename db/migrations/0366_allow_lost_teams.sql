-- A resource whose teams are all lost stays in the list with none.
alter table engine_skill_resource drop constraint engine_skill_resource_teams,
  add constraint engine_skill_resource_teams check (team_count >= 0);
