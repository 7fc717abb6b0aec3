import "server-only";
import { queueRechecks } from "#lib/attributes/config-refs/commands.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import type { Choice } from "../schema.ts";
import { findChoiceUses } from "./queries.ts";

/** What choices of an attribute are judged with. */
export type ChoiceOwner = Parameters<typeof findChoiceUses>[1] & { enums: readonly { id: number; value: string }[] };

/**
 * Brings the choices of an attribute into the given form: new ones are made, others changed, those left out removed.
 * @param path where the choices stand in the input, for problems
 * @returns ids of the choices in the order given
 * @throws ENUM_REFERENCED for one that is stored, a default, or named by configuration; NOT_FOUND
 */
export async function writeChoices(ctx: Ctx, attribute: ChoiceOwner, values: readonly Choice[], path: string): Promise<number[]> {
  const { sql } = ctx;
  const known = new Set(attribute.enums.map(({ id }) => id));
  const unknown = values.flatMap(({ id }, index): Problem[] =>
    id === undefined || known.has(id) ? [] : [{ path: `${path}.${index}.id`, code: "NOT_FOUND", params: { object: id } }],
  );
  if (unknown[0]) throw new AppError("NOT_FOUND", unknown[0].params, unknown);
  const kept = new Set(values.flatMap(({ id }) => id ?? []));
  const gone = attribute.enums.filter(({ id }) => !kept.has(id));
  await refuseUsed(
    ctx,
    attribute,
    gone.map(({ id }) => id),
    path,
  );
  await queueRechecks(
    ctx,
    "ENUM_VALUE",
    gone.map(({ id }) => id),
  );
  await sql`delete from attribute_enum where attribute_id = ${attribute.id} and id = any(${gone.map(({ id }) => id)}::bigint[])`;
  const rows = values.map(({ id, value, active, sortNo }, at) => ({ id: id ?? null, at, value, active, sortNo: sortNo ?? at + 1 }));
  // A text that moves from one choice to another must not meet itself on the way.
  await sql`update attribute_enum set active = false where attribute_id = ${attribute.id}`;
  await sql`
    update attribute_enum e set value = n.value, sort_no = n."sortNo", active = n.active
    from jsonb_to_recordset(${sql.json(rows)}) as n(id bigint, value text, "sortNo" int, active boolean) where e.id = n.id and e.attribute_id = ${attribute.id}`;
  const made = await sql<{ id: number; at: number }[]>`
    with n as (select * from jsonb_to_recordset(${sql.json(rows)}) as n(id bigint, at int, value text, "sortNo" int, active boolean) where n.id is null),
    made as (
      insert into attribute_enum (attribute_id, value, sort_no, active)
      select ${attribute.id}, n.value, n."sortNo", n.active from n order by n.at returning id, value, active)
    select made.id, n.at from made join n on n.value = made.value and n.active = made.active`;
  const ids = new Map(made.map(({ id, at }) => [at, id]));
  return rows.map(({ id, at }) => id ?? (ids.get(at) as number));
}

/** Refuses to take choices away that something uses. @throws ENUM_REFERENCED */
export async function refuseUsed(ctx: Ctx, attribute: ChoiceOwner, ids: readonly number[], path: string): Promise<void> {
  const uses = await findChoiceUses(ctx, attribute, ids);
  const problems = [...uses].map(([id, by]): Problem => {
    const value = attribute.enums.find((choice) => choice.id === id)?.value ?? "";
    return { path, code: "ENUM_REFERENCED", params: { by: `${value}: ${by}` } };
  });
  if (problems[0]) throw new AppError("ENUM_REFERENCED", problems[0].params, problems);
}
