import "server-only";
import { blankDay } from "#lib/attributes/columns/limits.ts";
import type { AttributeColumn } from "#lib/attributes/columns/logic.ts";
import { readAttributeColumns } from "#lib/attributes/columns/queries.ts";
import { dayNumber } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { type ConditionColumn, conditionColumn } from "#lib/plan-rules/conditions/logic.ts";
import { type CompiledRun, isoOf, type RunWorld } from "#lib/plan-rules/programs/logic.ts";
import { blockDus } from "#lib/plan-rules/runs/limits.ts";
import { duColumnSql, duSource } from "#lib/rollout-plan/columns/queries.ts";
import { type RunGuards, readOwnerSets, readPlanRows, readRunGuards, writableFields } from "#lib/rollout-plan/plan-rows/queries.ts";
import type { BlockData, BlockFrame } from "./logic.ts";

/** What cells and rows of a run are judged by. */
export async function readFrame(ctx: Ctx): Promise<BlockFrame & Pick<RunGuards, "rows" | "standing">> {
  const { cell, rows, lastPlanDay, standing } = await readRunGuards(ctx);
  return { today: dayNumber(ctx.today), lastPlanDay, cell, rows, standing };
}

type DuRow = { id: number; version: number; region: number | null } & Record<`c${number}`, unknown>;

type BlockOptions = { only?: readonly number[] | undefined; rows?: RunGuards["rows"] | undefined };

/**
 * The DUs of a run with everything it reads, block by block in the order of their ids, without locks. Each block is asked for before the one in front of it is
 * given, so that the database reads while that is judged.
 * @param only these DUs alone
 * @param rows what rows are judged by; without it none is
 */
export async function* readBlocks(
  ctx: Pick<Ctx, "sql" | "project">,
  run: CompiledRun,
  world: Pick<RunWorld, "objects">,
  options: BlockOptions = {},
): AsyncGenerator<BlockData> {
  for (let next: Promise<BlockData> | null = readBlock(ctx, run, world, 0, options); next; ) {
    const data: BlockData = await next;
    const last = data.plan.duIds.length < blockDus ? undefined : data.plan.duIds.at(-1);
    next = last === undefined ? null : readBlock(ctx, run, world, last, options);
    // Told to who asks for it.
    next?.catch(() => {});
    yield data;
  }
}

/** The next block: one statement for the DUs, one for their attributes and one for their plan. */
async function readBlock(
  ctx: Pick<Ctx, "sql" | "project">,
  run: CompiledRun,
  world: Pick<RunWorld, "objects">,
  after: number,
  options: BlockOptions,
): Promise<BlockData> {
  const { only, rows: judges = null } = options;
  const { sql, project } = ctx;
  const fields = [...run.duFields];
  const source = fields.some((field) => duColumnSql[field].startsWith("s."))
    ? duSource
    : "du join du_plan p on p.du_id = du.id left join du_flow f on f.du_id = du.id and f.unbound_at is null";
  const columns = fields.map((field, at) => `, ${duColumnSql[field]} as c${at}`).join("");
  const dus = await sql<DuRow[]>`
    select du.id, du.row_version as version, du.region_id as region ${sql.unsafe(columns)} from ${sql.unsafe(source)}
    where du.project_id = ${project.id} and du.deleted_at is null ${run.flowIds ? sql`and f.flow_id = any(${run.flowIds}::bigint[])` : sql``} and du.id > ${after}
      ${only ? sql`and du.id = any(${[...only]}::bigint[])` : sql``} order by du.id limit ${blockDus}`;
  const ids = dus.map(({ id }) => id);
  const attributes = run.attributes.size === 0 ? null : await readAttributes(ctx, run, ids);
  const plan = await readPlanRows(ctx, ids, {
    fields: [...new Set([...writableFields, ...run.dates, ...(run.owners ? (["planOwner", "actualOwner"] as const) : [])])],
  });
  // A DU that was deleted between the statements is in none of them.
  const present = new Set(plan.duIds);
  const rows = dus.filter(({ id }) => present.has(id));
  if (rows.length !== dus.length || plan.duIds.some((id, row) => rows[row]?.id !== id)) return readBlock(ctx, run, world, after, options);
  const owners = run.owners
    ? await readOwnerSets(ctx, [...new Set([...plan.planOwner, ...plan.actualOwner])].filter(Boolean))
    : new Map<number, number[]>();
  return {
    plan,
    judge: judges === null ? null : await judges(plan),
    versions: rows.map(({ version }) => version),
    regionIds: rows.map(({ region }) => region),
    attributes: attributes ?? new Map(),
    fields: new Map(
      fields.map((field, at): [string, ConditionColumn] => [
        `du.${field}`,
        conditionColumn(
          world.objects.get(`du.${field}`)?.type ?? "text",
          rows.map((row) => row[`c${at}`]),
        ),
      ]),
    ),
    people: new Map([...owners].map(([set, users]) => [set, users.map(String)])),
  };
}

async function readAttributes(
  ctx: Pick<Ctx, "sql" | "project">,
  run: CompiledRun,
  ids: readonly number[],
): Promise<BlockData["attributes"]> {
  const asked = [...run.attributes].map(([key, { attribute, slot }]) => ({
    key,
    ask: slot === null ? attribute.id : { id: attribute.id, slot },
  }));
  const { columns } = await readAttributeColumns(
    ctx,
    ids,
    asked.map(({ ask }) => ask),
  );
  return new Map(
    asked.map(({ key }) => {
      const column = columns.get(key);
      return [key, column ? codesOf(column) : { codes: new Int32Array(ids.length), values: [null] }];
    }),
  );
}

const two = (number: number) => String(number).padStart(2, "0");

/** A typed column as places in a dictionary of the values as they are stored. */
function codesOf(column: AttributeColumn): { codes: Int32Array; values: (string | number | null)[] } {
  switch (column.kind) {
    case "codes":
      return { codes: column.values, values: column.texts };
    case "numbers":
      return distinct(column.values, Number.isNaN, (value) => value);
    case "days":
      return distinct(column.values, (value) => value === blankDay, isoOf);
    case "minutes":
      return distinct(
        column.values,
        (value) => value < 0,
        (value) => `${two(Math.floor(value / 60))}:${two(value % 60)}`,
      );
    case "seconds":
      return distinct(column.values, Number.isNaN, (value) => {
        const day = Math.floor(value / 86_400);
        const rest = value - day * 86_400;
        const iso = new Date(Date.UTC(2000, 0, 1) + day * 86_400_000).toISOString().slice(0, 10);
        return `${iso}T${two(Math.floor(rest / 3600))}:${two(Math.floor(rest / 60) % 60)}:${two(rest % 60)}`;
      });
  }
}

function distinct(
  given: ArrayLike<number>,
  isBlank: (value: number) => boolean,
  stored: (value: number) => string | number,
): { codes: Int32Array; values: (string | number | null)[] } {
  const codes = new Int32Array(given.length);
  const values: (string | number | null)[] = [null];
  const places = new Map<number, number>();
  for (let row = 0; row < codes.length; row++) {
    const value = given[row]!;
    if (isBlank(value)) continue;
    let place = places.get(value);
    if (place === undefined) {
      place = values.push(stored(value)) - 1;
      places.set(value, place);
    }
    codes[row] = place;
  }
  return { codes, values };
}
