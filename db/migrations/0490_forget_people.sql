-- Five years without activity count from here for who has left no other trace: the account was made, or lost a role or its place in a pool.
-- Null: older than this column, and what the account has left behind says when it was active.
alter table app_user add column kept_from timestamptz;
alter table app_user alter column kept_from set default now();
update app_user u set kept_from = now()
where u.erased_at is null and not exists (select from project_member m where m.user_id = u.id) and not exists (select from audit_log a where a.actor_id = u.id)
  and not exists (select from user_session s where s.user_id = u.id) and not exists (select from resource r where r.user_id = u.id);

create function note_lost_roles() returns trigger language plpgsql as $$
begin
  perform from app_user u where u.id in (select user_id from gone) order by u.id for no key update;
  update app_user u set kept_from = greatest(u.kept_from, g.until)
  from (select user_id, max(least(valid_to::timestamptz, now())) as until from gone group by user_id) g where u.id = g.user_id;
  return null;
end $$;
create trigger project_member_lost after delete on project_member referencing old table as gone for each statement execute function note_lost_roles();

create function note_left_pools() returns trigger language plpgsql as $$
begin
  perform from app_user u where u.id in (select user_id from gone) order by u.id for no key update;
  update app_user u set kept_from = greatest(u.kept_from, g.until)
  from (
    select user_id, max(case when status in ('ACTIVE', 'PENDING') then now() else greatest(updated_at, last_activity_at) end) as until from gone group by user_id
  ) g where u.id = g.user_id;
  return null;
end $$;
create trigger resource_left after delete on resource referencing old table as gone for each statement execute function note_left_pools();

-- Who has done nothing since a moment, and since then held no role and stood in no pool that was in use. Roles and pools end with the closing of their project.
create function forgotten_people(since timestamptz) returns setof bigint language sql stable as $$
  select u.id from app_user u
  where u.erased_at is null and (u.kept_from is null or u.kept_from <= since)
    and not exists (
      select from project_member m join project p on p.id = m.project_id
      where m.user_id = u.id and (m.granted_at > since
        or coalesce(least(m.valid_to, case p.status when 'closed' then p.closed_at end::date), 'infinity') >= since::date))
    and not exists (
      select from resource r join project p on p.id = r.project_id
      where r.user_id = u.id and (greatest(r.updated_at, r.last_activity_at) > since
        or (r.status in ('ACTIVE', 'PENDING') and coalesce(case p.status when 'closed' then p.closed_at end, 'infinity') > since)))
    and not exists (select from role_delegation d where d.delegate_id = u.id and least(d.valid_to, d.revoked_at::date) >= since::date)
    and not exists (select from audit_log a where a.actor_id = u.id and a.at > since)
    and not exists (select from user_session s where s.user_id = u.id and s.last_seen_at > since)
    and not exists (select from api_token t where t.user_id = u.id and (t.created_at > since or t.last_used_at > since))
    and not exists (select from feed_token t where t.user_id = u.id and (t.created_at > since or t.last_used_at > since))
    and not exists (select from task t where t.created_by = u.id and t.created_at > since)
    and not exists (select from plan_distribution d where d.sent_at > since and (d.recipient_user_id = u.id or lower(d.email) = lower(u.email)))
$$;

-- Lines of the audit log whose values name people.
create function names_people(object text) returns boolean language sql immutable as $$
  select object ~ '^((resource|introduction|delegation|calendar feed|plan_distribution|mail optout) |reminder test$)'
$$;

-- The words before the account, address or subject an audit line is about; null where it is about nobody.
create function named_as(object text) returns text language sql immutable as $$
  select substring(object from '^(account|owner|api token of|role \S+ of|identity|mail address) ')
$$;

-- Values of an audit line with other words in place of the given ones.
create function with_other_words(side jsonb, words jsonb) returns jsonb language sql immutable as $$
  select case when jsonb_typeof(side) = 'object' then side || coalesce((
    select jsonb_object_agg(e.key, case jsonb_typeof(e.value)
      when 'array' then (select coalesce(jsonb_agg(coalesce(words -> lower(v #>> '{}'), v) order by n), '[]') from jsonb_array_elements(e.value) with ordinality as t(v, n))
      else coalesce(words -> lower(e.value #>> '{}'), e.value) end)
    from jsonb_each(side) e where e.key in ('account', 'accounts', 'user', 'to', 'mailed', 'address')
  ), '{}') else side end
$$;

-- What an audit line of a person of the pool tells of himself.
create function without_own(side jsonb) returns jsonb language sql immutable as $$
  select case when jsonb_typeof(side) = 'object' then side - '{phone,visaType,visaStart,visaEnd,longitude,latitude}'::text[] else side end
$$;

-- The lines of people who are forgotten lose their names and the addresses they came from; nothing else of a line changes, and no other line.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and tg_table_name = any (erased_tables()) and current_setting('milepost.erased_project', true) ~ '^[0-9]+$' then
    return null;
  end if;
  if tg_op = 'UPDATE' and tg_table_name = 'audit_log' and current_setting('milepost.erased_people', true) ~ '^[0-9]+(,[0-9]+)*$' then
    return null;
  end if;
  raise exception '% is append only', tg_table_name using errcode = 'insufficient_privilege';
end $$;

create function refuse_rewriting() returns trigger language plpgsql as $$
declare
  people text[] := string_to_array(current_setting('milepost.erased_people', true), ',');
begin
  if ((new.id, new.at, new.actor_id, new.request_id, new.project_id, new.event, new.address)
      is not distinct from (old.id, old.at, old.actor_id, old.request_id, old.project_id, old.event, old.address)
    and (new.ip is not distinct from old.ip
      or (new.ip is null and old.actor_id::text = any (people) and old.at <= now() - interval '5 years' + interval '1 day'))
    and (new.object is not distinct from old.object
      or (substring(new.object from '^(.*) removed-[0-9]+(?:@localhost)?$') = named_as(old.object)
        and substring(new.object from ' removed-([0-9]+)(?:@localhost)?$') = any (people)))
    and (new.detail is not distinct from old.detail or names_people(old.object))) is not true then
    raise exception '% is append only', tg_table_name using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger audit_log_rewrite before update on audit_log for each row execute function refuse_rewriting();

-- Puts numbers in place of the names of people in the audit log, as long as their accounts still hold them. A clock may be ahead by less than a day.
create function forget_in_audit_log(which bigint[], since timestamptz) returns int language plpgsql security definer set search_path = public, pg_temp as $$
declare
  words jsonb;
  own text[];
  written int;
begin
  if (since <= now() - interval '5 years' + interval '1 day' and which <@ array(select forgotten_people(since))) is not true then
    raise exception 'not all of these people have been without activity for five years' using errcode = 'insufficient_privilege';
  end if;
  if cardinality(which) = 0 then
    return 0;
  end if;
  -- An address that somebody else has too stays his.
  select jsonb_object_agg(w.word, w.other) into words from (
    select lower(u.email) as word, min('removed-' || u.id || '@localhost') as other from app_user u
    where u.id = any (which) and not exists (select from app_user o where lower(o.email) = lower(u.email) and o.id <> all (which)) group by 1
    union all
    select lower(u.account), 'removed-' || u.id from app_user u where u.id = any (which)
  ) w;
  own := array(select 'resource ' || r.id from resource r where r.user_id = any (which));
  perform set_config('milepost.erased_people', array_to_string(which, ','), true);
  update audit_log a set ip = n.ip, object = n.object, detail = n.detail
  from (
    select l.id, case when l.actor_id = any (which) then null else l.ip end as ip,
      case
        when h.head = 'identity' then case when l.actor_id = any (which) then 'identity removed-' || l.actor_id else l.object end
        when words ? h.name then h.head || ' ' || (words ->> h.name)
        else l.object end as object,
      case when names_people(l.object) then coalesce(l.detail || jsonb_build_object(
        'before', with_other_words(case when l.object = any (own) then without_own(l.detail -> 'before') else l.detail -> 'before' end, words),
        'after', with_other_words(case when l.object = any (own) then without_own(l.detail -> 'after') else l.detail -> 'after' end, words)), l.detail)
        else l.detail end as detail
    from audit_log l
    cross join lateral (select named_as(l.object) as head) k
    cross join lateral (select k.head, lower(btrim(substring(l.object from length(k.head) + 2))) as name) h
    where l.actor_id = any (which) or h.head is not null or names_people(l.object)
  ) n
  where n.id = a.id and (n.ip, n.object, n.detail) is distinct from (a.ip, a.object, a.detail);
  get diagnostics written = row_count;
  perform set_config('milepost.erased_people', '', true);
  return written;
end $$;
