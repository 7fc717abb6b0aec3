import "server-only";
import type { PendingQuery, Row } from "postgres";
import { dayNumber, firstDay, isIsoDay } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { searchEntriesMax } from "#lib/core/filter-limits.ts";
import { searchEntries } from "#lib/core/search-entries.ts";
import {
  activityColumns,
  type ColumnType,
  type DuColumnKey,
  duColumns,
  type NoteField,
  noteFields,
} from "#lib/rollout-plan/columns/limits.ts";
import { attributeKey, isChoice } from "#lib/rollout-plan/columns/logic.ts";
import { duColumn, duColumnSql, listPlanAttributes, type PlanAttribute } from "#lib/rollout-plan/columns/queries.ts";
import { columnOf } from "#lib/rollout-plan/dus/logic.ts";
import { dateFields, ownerFields, soonDays } from "#lib/rollout-plan/plan-rows/limits.ts";
import { bitMask, duStatuses } from "#lib/rollout-plan/plan-rows/logic.ts";
import { planColumns } from "#lib/rollout-plan/plan-rows/queries.ts";
import { periodPresets, type StatusFilter, statusFilters } from "./limits.ts";
import { type DayRange, likeText, periodRange } from "./logic.ts";
import type { Condition, PlanQuestion, PlanSort } from "./schema.ts";

/** A piece of a statement. */
export type Fragment = PendingQuery<Row[]>;

/**
 * A question as SQL: where its DUs come from, which they are and in which order; all on the alias `du`.
 * `kept`: what a stored selection is known by, so that a result is used for no other one of the same key.
 */
export type CompiledQuestion = { source: Fragment; where: Fragment; order: Fragment; entries: string[]; kept: string | null };

const unknown = (field: string, value: unknown) =>
  new AppError("INVALID_INPUT", { field }, [{ path: "filters", code: "VALUE_UNKNOWN", params: { field, value: String(value) } }]);

/**
 * Compiles a question to one statement's parts. Slots and values are bound parameters.
 * @throws INVALID_INPUT for columns, activities and values there are not, SEARCH_TOO_MANY, SELECTION_EXPIRED
 */
export async function compileQuestion(ctx: Ctx, question: PlanQuestion): Promise<CompiledQuestion> {
  const compiler = new Compiler(ctx, await readSlots(ctx), await listPlanAttributes(ctx));
  const entries = question.search ? searchEntries(question.search.text) : [];
  if (entries.length > searchEntriesMax) throw new AppError("SEARCH_TOO_MANY", { max: searchEntriesMax });
  const parts: Fragment[] = [ctx.scope.where("rollout.view")];
  const kept = question.selection === undefined ? null : await findSelection(ctx, question.selection);
  if (kept) parts.push(ctx.sql`du.id = any(array(${kept.duIds}))`);
  if (question.flowIds) parts.push(ctx.sql`${compiler.use("f.flow_id")} = any(${question.flowIds}::bigint[])`);
  if (question.search && entries.length > 0) parts.push(compiler.search(question.search.field, entries));
  for (const condition of question.filters) parts.push(compiler.condition(condition));
  if (question.period) parts.push(compiler.period(question));
  const order = [...question.sort.map((sort) => compiler.sort(sort)), ctx.sql`du.code collate natural_order`, ctx.sql`du.id`];
  return {
    where: parts.reduce((left, right) => ctx.sql`${left} and (${right})`),
    order: order.reduce((left, right) => ctx.sql`${left}, ${right}`),
    source: compiler.source(),
    entries,
    kept: kept?.mark ?? null,
  };
}

/** A selection of one's own, or a list of DUs kept for everybody of the same rights, which is known by its id. */
async function findSelection(ctx: Ctx, key: string): Promise<{ duIds: Fragment; mark: string }> {
  const { sql, project, user, now } = ctx;
  const which = sql`k.project_id = ${project.id} and k.user_id = ${user.id} and k.key = ${key}`;
  const [own] = await sql<{ expiresAt: Date }[]>`
    select k.expires_at as "expiresAt" from du_selection k where ${which} and k.expires_at > ${now}`;
  if (own)
    return { duIds: sql`select unnest(k.du_ids) from du_selection k where ${which}`, mark: `${user.id} ${own.expiresAt.toISOString()}` };
  const [kept] = isUuid(key)
    ? await sql`
        select 1 from plan_query where id = ${key} and project_id = ${project.id} and fingerprint = ${ctx.scope.fingerprint("rollout.view")} and query ? 'ids'
          and expires_at > ${now}`
    : [];
  if (!kept) throw new AppError("SELECTION_EXPIRED");
  return { duIds: sql`select unnest(k.du_ids) from plan_query k where k.id = ${key}`, mark: key };
}

const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

/** The values a column takes, each once for every DU that has it: `value` of `source`, which joins what is needed. */
export type CompiledValues = { value: Fragment; source: Fragment; isDay: boolean };

/** Compiles the values of a column for a list of them: days as ISO texts, owners person by person, every status that holds. */
export async function compileValues(ctx: Ctx, field: string, activityId: number | undefined): Promise<CompiledValues> {
  const compiler = new Compiler(ctx, await readSlots(ctx), await listPlanAttributes(ctx));
  return compiler.values(field, activityId);
}

async function readSlots(ctx: Ctx): Promise<Map<number, number>> {
  const rows = await ctx.sql<{ id: number; slot: number }[]>`select id, slot from activity_library where project_id = ${ctx.project.id}`;
  return new Map(rows.map((row) => [row.id, row.slot]));
}

class Compiler {
  private readonly ctx: Ctx;
  private readonly slots: Map<number, number>;
  private readonly attributes: PlanAttribute[];
  private readonly today: number;
  private used = "";

  constructor(ctx: Ctx, slots: Map<number, number>, attributes: PlanAttribute[]) {
    this.ctx = ctx;
    this.slots = slots;
    this.attributes = attributes;
    this.today = dayNumber(ctx.today);
  }

  /** A constant expression, remembered so that its table is joined. */
  use(expression: string): Fragment {
    this.used += ` ${expression}`;
    return this.ctx.sql`${this.ctx.sql.unsafe(expression)}`;
  }

  /** A column of the DU as the caller may know it, its table joined. */
  private duColumn(key: DuColumnKey): Fragment {
    this.used += ` ${duColumnSql[key]}`;
    return duColumn(this.ctx, key);
  }

  source(): Fragment {
    const { sql } = this.ctx;
    const site = this.used.includes("s.") ? sql`join customer_site s on s.id = du.site_id` : sql``;
    const flow = this.used.includes("f.") ? sql`left join du_flow f on f.du_id = du.id and f.unbound_at is null` : sql``;
    return sql`du join du_plan p on p.du_id = du.id ${site} ${flow}`;
  }

  values(field: string, activityId: number | undefined): CompiledValues {
    const { sql, project } = this.ctx;
    if (activityId !== undefined && field === "status") {
      const slot = this.slot(field, activityId);
      const each = statusFilters
        .map((status) => sql`case when ${this.statusCondition(status, slot)} then ${status}::text end`)
        .reduce((left, right) => sql`${left}, ${right}`);
      const source = sql`${this.source()} cross join lateral unnest(array_remove(array[${each}], null)) v(value)`;
      return { value: sql`case when coalesce(p.state[${slot}::int], 0) & 1 = 1 then v.value end`, source, isDay: false };
    }
    if (activityId !== undefined && (ownerFields as readonly string[]).includes(field)) {
      const set = sql`p.${sql.unsafe(planColumns[field as "planOwner"])}[${this.slot(field, activityId)}::int]`;
      const source = sql`${this.source()} left join owner_set o on o.project_id = ${project.id} and o.id = ${set}
        left join lateral unnest(o.user_ids) v(value) on true`;
      return { value: sql`v.value`, source, isDay: false };
    }
    if (activityId === undefined && field === "status") {
      const number = this.duStatusNumber();
      return { value: sql`(${[...duStatuses]}::text[])[${number} + 1]`, source: this.source(), isDay: false };
    }
    const { value, type } = this.column(field, activityId);
    const isDay = type === "date";
    return { value: isDay ? sql`(date '2000-01-01' + nullif(${value}, 0)::int)::text` : value, source: this.source(), isDay };
  }

  search(field: DuColumnKey, entries: string[]): Fragment {
    const { sql } = this.ctx;
    const value = this.use(duColumnSql[field]);
    return entries.length === 1 ? sql`${value} ilike ${`%${likeText(entries[0] as string)}%`}` : sql`${value} = any(${entries}::text[])`;
  }

  period({ period, activityIds }: PlanQuestion): Fragment {
    const { sql } = this.ctx;
    if (!period) return sql`true`;
    const { from, to } =
      "preset" in period
        ? periodRange(period.preset, this.ctx.today)
        : { from: Math.max(firstDay, dayNumber(period.from)), to: dayNumber(period.to) };
    const shown = activityIds ? sql`and u.slot = any(${activityIds.map((id) => this.slot("period", id))}::int[])` : sql``;
    return sql`p.done_count < p.applicable_count and exists (
      select 1 from unnest(p.plan_start, p.plan_end, p.actual_end, p.state) with ordinality u(ps, pe, ae, st, slot)
      where u.st & ${7 | bitMask("closed")}::int = 1 and coalesce(u.ae, 0) = 0 and (u.ps between ${from} and ${to} or u.pe between ${from} and ${to}) ${shown})`;
  }

  condition(given: Condition): Fragment {
    const { field, activityId } = given;
    if (activityId !== undefined && field === "status") return this.activityStatus(given, this.slot(field, activityId));
    if (activityId !== undefined && (ownerFields as readonly string[]).includes(field))
      return this.owner(given, this.slot(field, activityId));
    const { value, type } = this.column(field, activityId);
    switch (type) {
      case "date":
        return this.date(given, value);
      case "status":
        return this.duStatus(given);
      case "integer":
      case "number":
      case "progress":
      case "reference":
        return this.number(given, value);
      case "boolean":
        return this.ctx.sql`${value} = ${given.values[0] === true}`;
      default:
        return this.text(given, value);
    }
  }

  sort({ field, activityId, dir }: PlanSort): Fragment {
    const { sql } = this.ctx;
    const direction = sql.unsafe(dir === "desc" ? "desc nulls last" : "asc nulls last");
    if (field === "status" && activityId === undefined) return sql`${this.duStatusNumber()} ${direction}`;
    const names: Record<string, string> = {
      flow: "(select name from activity_flow x where x.id =",
      region: "(select name from delivery_region x where x.id =",
      subcontractor: "(select name from subcontractor x where x.id =",
      cluster: "(select name from cluster x where x.id =",
      directMigrationSite: "(select code from du x where x.id =",
      decomSite: "(select code from du x where x.id =",
    };
    const name = activityId === undefined ? names[field] : undefined;
    if (name) return sql`${sql.unsafe(name)} ${this.duColumn(field as DuColumnKey)}) collate natural_order ${direction}`;
    const { value, type } = this.column(field, activityId);
    if (type === "date") return sql`nullif(${value}, 0) ${direction}`;
    return type === "text" ? sql`${value} collate natural_order ${direction}` : sql`${value} ${direction}`;
  }

  /** Value and type of a column; days of plan dates and of date attributes are day numbers. */
  column(field: string, activityId: number | undefined): { value: Fragment; type: ColumnType } {
    const { sql } = this.ctx;
    if (activityId !== undefined && (dateFields as readonly string[]).includes(field))
      return {
        value: sql`coalesce(p.${sql.unsafe(planColumns[field as "planEnd"])}[${this.slot(field, activityId)}::int], 0)`,
        type: "date",
      };
    const attribute = this.attributes.find(({ id, level }) => field === `a${id}` && (level === "ACTIVITY") === (activityId !== undefined));
    if (attribute) return this.attribute(attribute, activityId === undefined ? undefined : this.slot(field, activityId));
    const note = noteFields.find((name) => name === field);
    if (activityId !== undefined && note) return this.note(note, this.slot(field, activityId));
    if (activityId !== undefined || !(field in duColumns)) throw unknown(field, field);
    const key = field as DuColumnKey;
    const value = this.duColumn(key);
    return key === "releaseState"
      ? { value: sql`(array['unreleased', 'released', 'changed'])[p.release_state + 1]`, type: "choice" }
      : { value, type: duColumns[key].type };
  }

  private attribute({ id, type }: PlanAttribute, slot: number | undefined): { value: Fragment; type: ColumnType } {
    const { sql } = this.ctx;
    const key = attributeKey(id, slot);
    if (type === "NUMBER")
      return { value: sql`case when jsonb_typeof(du.ext -> ${key}) = 'number' then (du.ext ->> ${key})::numeric end`, type: "number" };
    // Canonical days and times are ordered as texts, so they are compared as texts.
    if (type === "DATE") return { value: sql`(du.ext ->> ${key})`, type: "month" };
    return { value: sql`(du.ext ->> ${key})`, type: isChoice(type) ? "choice" : "text" };
  }

  /** Few activities have a note: its row is looked for only where the state says that there is one. */
  private note(field: NoteField, slot: number): { value: Fragment; type: ColumnType } {
    const { sql } = this.ctx;
    const column = sql.unsafe(columnOf(field));
    const value = sql`case when p.state[${slot}::int] & ${bitMask("note")}::int <> 0 then (select n.${column} from du_activity_note n where n.du_id = du.id and n.slot = ${slot}::int) end`;
    return { value, type: activityColumns[field].type };
  }

  private slot(field: string, activityId: number): number {
    const slot = this.slots.get(activityId);
    if (slot === undefined) throw unknown(field, activityId);
    return slot;
  }

  private date({ field, type, values }: Condition, value: Fragment): Fragment {
    const { sql } = this.ctx;
    const between = ({ from, to }: DayRange) => sql`${value} between ${Math.max(firstDay, from)}::int and ${to}::int`;
    const day = (given: unknown, empty: number) => {
      if (given === null || given === undefined || given === "") return empty;
      if (typeof given !== "string" || !isIsoDay(given)) throw unknown(field, given);
      // No plan holds a day before its first one, and 0 stands for none.
      return dayNumber(given) || -1;
    };
    switch (type) {
      case "empty":
        return sql`${value} = 0`;
      case "notEmpty":
        return sql`${value} <> 0`;
      case "eq":
      case "in":
        return sql`${value} = any(${values.map((given) => day(given, 0))}::int[])`;
      case "range":
        return between({ from: day(values[0], 1), to: day(values[1], 40_000) });
      case "preset": {
        const preset = periodPresets.find((name) => name === values[0]);
        if (!preset) throw unknown(field, values[0]);
        return between(periodRange(preset, this.ctx.today));
      }
      default:
        throw unknown(field, type);
    }
  }

  private number({ field, type, values }: Condition, value: Fragment): Fragment {
    const { sql } = this.ctx;
    const number = (given: unknown) => {
      if (typeof given !== "number" || !Number.isFinite(given)) throw unknown(field, given);
      return given;
    };
    switch (type) {
      case "empty":
        return sql`${value} is null`;
      case "notEmpty":
        return sql`${value} is not null`;
      case "eq":
      case "in":
        return sql`${value} = any(${values.map(number).join(",") ? `{${values.map(number).join(",")}}` : "{}"}::numeric[])`;
      case "range": {
        const [from, to] = values;
        const low = from === null || from === undefined ? sql`true` : sql`${value} >= ${String(number(from))}::numeric`;
        const high = to === null || to === undefined ? sql`true` : sql`${value} <= ${String(number(to))}::numeric`;
        return sql`${low} and ${high}`;
      }
      default:
        throw unknown(field, type);
    }
  }

  private text({ field, type, values }: Condition, value: Fragment): Fragment {
    const { sql } = this.ctx;
    const texts = values.map((given) => {
      if (given === null || typeof given === "boolean") throw unknown(field, given);
      return String(given);
    });
    switch (type) {
      case "empty":
        return sql`coalesce(${value}, '') = ''`;
      case "notEmpty":
        return sql`coalesce(${value}, '') <> ''`;
      case "eq":
      case "in":
        return sql`${value} = any(${texts}::text[])`;
      case "like":
        return sql`${value} ilike ${`%${likeText(texts[0] ?? "")}%`}`;
      case "range":
        return sql`(${texts[0] ?? ""} = '' or ${value} >= ${texts[0] ?? ""}) and (${texts[1] ?? ""} = '' or ${value} <= ${texts[1] ?? ""}) and coalesce(${value}, '') <> ''`;
      case "preset":
        return this.presetText(field, values[0], value);
      default:
        throw unknown(field, type);
    }
  }

  private presetText(field: string, name: unknown, value: Fragment): Fragment {
    const preset = periodPresets.find((given) => given === name);
    if (!preset) throw unknown(field, name);
    const { from, to } = periodRange(preset, this.ctx.today);
    const day = (number: number) => new Date(Date.UTC(2000, 0, 1) + number * 86_400_000).toISOString().slice(0, 10);
    return this.ctx.sql`${value} between ${day(from)} and ${day(to)}`;
  }

  private owner({ field, type, values }: Condition, slot: number): Fragment {
    const { sql, project } = this.ctx;
    const value = sql`coalesce(p.${sql.unsafe(planColumns[field as "planOwner"])}[${slot}::int], 0)`;
    if (type === "empty") return sql`${value} = 0`;
    if (type === "notEmpty") return sql`${value} <> 0`;
    if (type !== "eq" && type !== "in") throw unknown(field, type);
    const people = values.map((given) => {
      if (typeof given !== "number" || !Number.isInteger(given)) throw unknown(field, given);
      return given;
    });
    return sql`${value} = any(array(select id from owner_set where project_id = ${project.id} and user_ids && ${people}::bigint[]))`;
  }

  private duStatusNumber(): Fragment {
    const { sql, today } = this;
    return sql`case when ${this.use("f.flow_id")} is null then 0 when p.applicable_count = 0 then 1 when p.done_count = p.applicable_count then 2
      when p.next_plan_end = 0 then 3 when p.next_plan_end < ${today}::int then 4 when p.next_plan_end <= ${today + soonDays}::int then 5 else 6 end`;
  }

  private get sql() {
    return this.ctx.sql;
  }

  private duStatus({ field, type, values }: Condition): Fragment {
    if (type !== "eq" && type !== "in") throw unknown(field, type);
    const numbers = values.map((given) => {
      const number = (duStatuses as readonly unknown[]).indexOf(given);
      if (number < 0) throw unknown(field, given);
      return number;
    });
    return this.sql`${this.duStatusNumber()} = any(${numbers}::int[])`;
  }

  private activityStatus({ field, type, values }: Condition, slot: number): Fragment {
    if (type !== "eq" && type !== "in") throw unknown(field, type);
    const asked = values.map((given) => {
      const status = statusFilters.find((name) => name === given);
      if (!status) throw unknown(field, given);
      return this.statusCondition(status, slot);
    });
    if (asked.length === 0) return this.sql`false`;
    return this.sql`coalesce(p.state[${slot}::int], 0) & 1 = 1 and (${asked.reduce((left, right) => this.sql`${left} or ${right}`)})`;
  }

  // The same order of tests as `activityStatus` of plan-rows: the first that fits.
  private statusCondition(status: StatusFilter, slot: number): Fragment {
    const { sql, today } = this;
    const state = sql`p.state[${slot}::int]`;
    const planEnd = sql`coalesce(p.plan_end[${slot}::int], 0)`;
    const actualEnd = sql`coalesce(p.actual_end[${slot}::int], 0)`;
    const na = sql`(${state} & 6)`;
    const open = sql`${na} = 0 and ${state} & ${bitMask("closed")}::int = 0`;
    const approving = sql`${state} & ${bitMask("approval")}::int = ${2 << 7}::int`;
    const undone = sql`${open} and not (${approving}) and ${actualEnd} = 0`;
    const incomplete = sql`${open} and (${approving} or ${actualEnd} = 0)`;
    const inside = ({ from, to }: DayRange) => sql`(${incomplete} and ${planEnd} between ${from}::int and ${to}::int)`;
    switch (status) {
      case "na":
        return sql`${na} = 2`;
      case "inv":
        return sql`${na} = 4`;
      case "closed":
        return sql`(${na} = 0 and ${state} & ${bitMask("closed")}::int <> 0)`;
      case "approving":
        return sql`(${open} and ${approving})`;
      case "completed":
        return sql`(${open} and not (${approving}) and ${actualEnd} <> 0)`;
      case "notPlanned":
        return sql`(${undone} and ${planEnd} = 0)`;
      case "delayed":
        return sql`(${undone} and ${planEnd} between 1 and ${today - 1}::int)`;
      case "within7":
        return sql`(${undone} and ${planEnd} between ${today}::int and ${today + soonDays}::int)`;
      case "after7":
        return sql`(${undone} and ${planEnd} > ${today + soonDays}::int)`;
      case "incomplete":
        return sql`(${incomplete})`;
      case "thisWeek":
        return inside(periodRange("thisWeek", this.ctx.today));
      case "thisMonth":
        return inside(periodRange("thisMonth", this.ctx.today));
      case "frozen":
        return sql`${state} & ${bitMask("frozen")}::int <> 0`;
      case "unfrozen":
        return sql`${state} & ${bitMask("frozen")}::int = 0`;
    }
  }
}
