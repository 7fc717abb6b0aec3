import "server-only";
import { createTranslator } from "use-intl/core";
import { readHidden } from "#lib/attributes/modes/queries.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import type { Params } from "#lib/core/error.ts";
import { loadMessages } from "#lib/core/messages.ts";
import type { DependencyEvent, DependencyNode, DependencyRule } from "./logic.ts";

/** Effective rules of the project as a part of another statement, null when there is none: a write asks for them together with what it reads anyway. */
export function effectiveRules({ sql, project, today }: Pick<Ctx, "sql" | "project" | "today">) {
  return sql`(
    select json_agg(json_build_object('id', r.id, 'flowId', r.flow_id,
      'target', case r.target_kind when 'ACTIVITY' then json_build_object('slot', t.slot, 'event', r.target_event)
        else json_build_object('attributeId', r.target_id, 'event', r.target_event) end,
      'prerequisites', (
        select json_agg(case p.kind when 'ACTIVITY' then json_build_object('slot', l.slot, 'event', p.event)
          else json_build_object('attributeId', p.object_id, 'event', p.event) end order by p.seq)
        from dep_rule_prereq p left join activity_library l on p.kind = 'ACTIVITY' and l.id = p.object_id where p.rule_id = r.id)) order by r.id)
    from dep_rule r left join activity_library t on r.target_kind = 'ACTIVITY' and t.id = r.target_id
    where r.project_id = ${project.id} and r.status = 'EFFECTIVE' and (r.expire_date is null or r.expire_date >= ${today}::date))`;
}

/** Effective dependency rules of the project. */
export async function listEffectiveRules(ctx: Pick<Ctx, "sql" | "project" | "today">): Promise<DependencyRule[]> {
  const [row] = await ctx.sql<{ rules: DependencyRule[] | null }[]>`select ${effectiveRules(ctx)} as rules`;
  return row?.rules ?? [];
}

/** Which of the attributes hold a value in which DU. */
export async function readMaintained(
  { sql }: Pick<Ctx, "sql">,
  duIds: readonly number[],
  attributeIds: readonly number[],
): Promise<Map<number, Set<number>>> {
  if (attributeIds.length === 0 || duIds.length === 0) return new Map();
  const rows = await sql<{ id: number; held: number[] }[]>`
    select du.id, array(select a.id from unnest(${[...attributeIds]}::bigint[]) a(id) where coalesce(du.ext ->> ('a' || a.id), '') <> '')::bigint[] as held
    from du where du.id = any(${[...duIds]}::bigint[])`;
  return new Map(rows.map(({ id, held }) => [id, new Set(held)]));
}

/** Names of what rules name: activities by slot, attributes by id; an attribute that is not shown to the caller has none. */
export type NodeNames = { slots: Map<number, string>; attributes: Map<number, string> };

/** Reads the names of slots and attributes. */
export async function readNodeNames(ctx: Ctx, nodes: readonly DependencyNode[]): Promise<NodeNames> {
  const { sql, project } = ctx;
  const slots = nodes.flatMap((node) => (node.event === "MAINTAIN" ? [] : [node.slot]));
  const attributeIds = nodes.flatMap((node) => (node.event === "MAINTAIN" ? [node.attributeId] : []));
  const [activities, attributes] = await Promise.all([
    slots.length === 0
      ? []
      : sql<{ slot: number; name: string }[]>`
          select slot, name from activity_library where project_id = ${project.id} and slot = any(${slots}::smallint[])`,
    listShownAttributes(ctx, attributeIds),
  ]);
  return { slots: new Map(activities.map(({ slot, name }) => [slot, name])), attributes };
}

/** Names of those attributes that the caller may see. */
export async function listShownAttributes(ctx: Ctx, attributeIds: readonly number[]): Promise<Map<number, string>> {
  if (attributeIds.length === 0) return new Map();
  const { sql, project } = ctx;
  const [rows, hidden] = await Promise.all([
    sql<{ id: number; name: string }[]>`
      select id, name from attribute where project_id = ${project.id} and id = any(${[...attributeIds]}::bigint[]) and deleted_at is null`,
    readHidden(ctx),
  ]);
  return new Map(rows.filter(({ id }) => !hidden.has(id)).map(({ id, name }) => [id, name]));
}

const nameOf = ({ slots, attributes }: NodeNames, node: DependencyNode): string | undefined =>
  node.event === "MAINTAIN" ? attributes.get(node.attributeId) : slots.get(node.slot);

type Texts = (key: string, values?: Record<string, string>) => string;

function textsOf({ locale }: Pick<Ctx, "locale">): Texts {
  const messages = loadMessages(locale);
  return createTranslator({ locale, messages, namespace: "dependency-rules.refusal", onError: () => {} }) as unknown as Texts;
}

/**
 * What the refusal DEP_PREREQ_UNMET and the question DEP_CLEAR_CONFIRM say of targets and what they miss, in the caller's language.
 * A hidden attribute is never named.
 */
export async function describeUnmet(
  ctx: Ctx,
  found: readonly { target: DependencyNode; unmet: readonly DependencyNode[] }[],
): Promise<Params[]> {
  const names = await readNodeNames(
    ctx,
    found.flatMap(({ target, unmet }) => [target, ...unmet]),
  );
  const t = textsOf(ctx);
  const condition = (node: DependencyNode) => {
    const name = nameOf(names, node);
    return name === undefined ? t("hidden") : t(`unmet.${node.event}`, { name });
  };
  return found.map(({ target, unmet }) => ({
    name: nameOf(names, target) ?? t("hiddenTarget"),
    event: target.event satisfies DependencyEvent,
    // A condition that is not shown is said once, however many there are.
    missing: [...new Set(unmet.map(condition))].join(t("and")),
  }));
}
