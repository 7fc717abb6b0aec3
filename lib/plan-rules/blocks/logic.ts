import { blankDay } from "#lib/attributes/columns/limits.ts";
import { firstDay, isoDay, lastDay } from "#lib/core/clock.ts";
import type { ErrorCode } from "#lib/errors.ts";
import { type ConditionColumn, holdConditions, normalValue } from "#lib/plan-rules/conditions/logic.ts";
import { dateColumns } from "#lib/plan-rules/limits.ts";
import { type FieldRef, isPlanDate, type RuleAction, type SourceRef, valueKind } from "#lib/plan-rules/logic.ts";
import {
  type CompiledRun,
  convertValue,
  dayOf,
  type Place,
  placeOf,
  planDay,
  type RunAttribute,
  type RunWorld,
  ValueColumn,
} from "#lib/plan-rules/programs/logic.ts";
import { type Outcome, outcomes } from "#lib/plan-rules/runs/limits.ts";
import { type BlockedCell, outcomeNumber, type RunBlock } from "#lib/plan-rules/runs/logic.ts";
import type { DateField, PlanField } from "#lib/rollout-plan/plan-rows/limits.ts";
import { activityStatus, activityStatuses, type PlanBefore, type PlanBlock, stateValue } from "#lib/rollout-plan/plan-rows/logic.ts";

/** What a block of a run was read with: DUs in the order of their ids. */
export type BlockData = {
  /** The plan with the values as read; it is given new ones while the run is computed. */
  plan: PlanBlock;
  /** What the whole row does not allow, by slot and field; null where there are no such rules. */
  judge:
    | ((
        row: number,
        filled: (attributeId: number) => boolean | undefined,
      ) => readonly { code: ErrorCode; places: readonly { slot: number; field: string }[] }[])
    | null;
  /** `du.row_version` as read. */
  versions: readonly number[];
  regionIds: readonly (number | null)[];
  /** Attributes by their key in `du.ext`; never changed. */
  attributes: ReadonlyMap<string, { codes: Int32Array; values: readonly (string | number | null)[] }>;
  /** Fields of DUs by the key conditions ask them by. */
  fields: ReadonlyMap<string, ConditionColumn>;
  /** People of owner sets, as conditions ask them. */
  people: ReadonlyMap<number, readonly string[]>;
};

/** What a run judges cells by. */
export type BlockFrame = {
  today: number;
  lastPlanDay: number;
  cell: (plan: PlanBlock, row: number, slot: number, field: PlanField, value: number) => ErrorCode | null;
};

/** Which DUs rules look at: none of `without`, and where `only` has the rule, those alone. */
export type BlockScope = { without?: ReadonlySet<number>; only?: ReadonlyMap<number, ReadonlySet<number>> };

const partners: Partial<Record<DateField, { other: DateField; code: Outcome }>> = {
  planStart: { other: "planEnd", code: "PLAN_ORDER" },
  planEnd: { other: "planStart", code: "PLAN_ORDER" },
  actualStart: { other: "actualEnd", code: "ACTUAL_ORDER" },
  actualEnd: { other: "actualStart", code: "ACTUAL_ORDER" },
};

/** A block of DUs as the engine fills it, over their plan and attributes. */
export class PlanRunBlock implements RunBlock {
  readonly duIds: readonly number[];
  private readonly run: CompiledRun;
  private readonly world: RunWorld;
  private readonly data: BlockData;
  private readonly frame: BlockFrame;
  private readonly only: BlockScope;
  /** Attributes the run reads or fills, with the values it has given them. */
  private readonly columns: Map<string, ValueColumn>;
  private readonly scopes: (Uint8Array | undefined)[] = [];
  private readonly truths: (Uint8Array | undefined)[] = [];
  private readonly asked = new Map<string, ConditionColumn>();
  private readonly memos: Map<number, number>[];

  constructor(run: CompiledRun, world: RunWorld, data: BlockData, frame: BlockFrame, only: BlockScope = {}) {
    this.run = run;
    this.world = world;
    this.data = data;
    this.frame = frame;
    this.only = only;
    this.duIds = data.plan.duIds;
    this.columns = new Map([...data.attributes].map(([key, { codes, values }]) => [key, new ValueColumn(codes.slice(), [...values])]));
    this.memos = run.targets.map(() => new Map());
    const before = data.plan.before as PlanBefore;
    for (const { place } of run.targets) if (place.kind === "date") data.plan[place.field].set(before[place.field]);
  }

  scope(rule: number): Uint8Array {
    let scope = this.scopes[rule];
    if (scope) return scope;
    const { rule: given, filter } = this.run.rules[rule]!;
    const { plan, regionIds } = this.data;
    const size = this.duIds.length;
    scope = holdConditions(filter, { get: (key) => this.conditionColumn(key) }, size);
    const regions = new Set(given.regionIds);
    const dus = this.only.only?.get(given.id);
    for (let row = 0; row < size; row++) {
      const inside =
        plan.flowIds[row] === given.flowId &&
        (regions.size === 0 || regions.has(regionIds[row] ?? 0)) &&
        (dus === undefined || dus.has(this.duIds[row]!)) &&
        !this.only.without?.has(row);
      if (!inside) scope[row] = 0;
    }
    this.scopes[rule] = scope;
    return scope;
  }

  truth(rule: number): Uint8Array {
    let truth = this.truths[rule];
    if (truth) return truth;
    const scope = this.scope(rule);
    truth = holdConditions(this.run.rules[rule]!.conditions, { get: (key) => this.conditionColumn(key) }, this.duIds.length);
    for (let row = 0; row < truth.length; row++) truth[row]! &= scope[row]!;
    this.truths[rule] = truth;
    return truth;
  }

  before(target: number): Int32Array {
    const { place } = this.run.targets[target]!;
    if (place.kind === "attribute") return this.data.attributes.get(place.key)!.codes.slice();
    return this.days(place, this.data.plan.before as PlanBefore);
  }

  put(target: number, values: Int32Array): void {
    const { place, key, ref } = this.run.targets[target]!;
    if (place.kind === "attribute") this.columns.get(place.key)!.codes.set(values);
    else {
      const { plan } = this.data;
      const column = plan[place.field];
      for (let row = 0, at = place.slot; row < values.length; row++, at += plan.width) column[at] = values[row]!;
    }
    const changed = ref.k === "ACT" && place.kind === "date" ? [key, `act.${ref.a}.STATUS`] : [key];
    for (const one of changed) this.asked.delete(one);
    this.run.rules.forEach(({ keys }, rule) => {
      if (changed.some((one) => keys.includes(one))) this.truths[rule] = undefined;
    });
  }

  candidate(target: number, arm: number): Int32Array {
    const { place, arms } = this.run.targets[target]!;
    const { action } = arms[arm]!;
    const [source] = action.sources as [SourceRef];
    if (source.k === "FIXED") return new Int32Array(this.duIds.length).fill(this.fixed(source.value, place));
    if (action.aggregate !== null || isPlanDate(source) || place.kind === "date") return this.fromDays(action, place);
    const from = placeOf(source, this.world) as Place & { kind: "attribute" };
    return this.fromValues(this.columns.get(from.key)!, from.attribute, action.offset, place);
  }

  guard(target: number, row: number, value: number): number {
    const { place } = this.run.targets[target]!;
    const { plan } = this.data;
    const before = plan.before as PlanBefore;
    if (place.kind === "attribute") {
      if (place.slot === null) return 0;
      return stateValue(before.state[row * plan.width + place.slot] ?? 0, "inFlow") === 1 ? 0 : noActivity;
    }
    const at = row * plan.width + place.slot;
    // Rules ask no more of a cell than its state, whether it is done, released or owned, and where its new date lies: few cells differ in that.
    const { today, lastPlanDay } = this.frame;
    const range = value < firstDay || value > lastDay ? 3 : value > lastPlanDay ? 2 : value > today ? 1 : 0;
    const done = before.actualEnd[at] === 0 ? 0 : 4;
    const released = plan.releaseStates[row] === 0 ? 0 : 8;
    const owned = (plan.planOwner[at] ?? 0) === 0 && (plan.actualOwner[at] ?? 0) === 0 ? 0 : 16;
    const facts = before.state[at]! * 32 + range + done + released + owned;
    const memo = this.memos[target]!;
    let reason = memo.get(facts);
    if (reason === undefined) {
      const code = this.frame.cell(plan, row, place.slot, place.field, value);
      reason = code === null ? 0 : reasonOf(code);
      memo.set(facts, reason);
    }
    return reason;
  }

  unmet(rows: Iterable<number>, isChanged: (target: number, row: number) => boolean): BlockedCell[] {
    const { plan } = this.data;
    const found: BlockedCell[] = [];
    const changed = [...rows];
    const dates = this.run.targets.flatMap(({ place }, target) => (place.kind === "date" ? [{ place, target }] : []));
    for (const { place, target } of dates) {
      const partner = partners[place.field];
      if (!partner) continue;
      const starts = place.field.endsWith("Start") ? plan[place.field] : plan[partner.other];
      const ends = place.field.endsWith("Start") ? plan[partner.other] : plan[place.field];
      for (const row of changed) {
        const at = row * plan.width + place.slot;
        if (ends[at] !== 0 && starts[at]! > ends[at]! && isChanged(target, row))
          found.push({ row, target, reason: outcomeNumber(partner.code) });
      }
    }
    const { judge } = this.data;
    if (!judge) return found;
    const ordered = new Set(found.map(({ row }) => row));
    for (const row of changed) {
      // A row whose dates are out of order is looked at again without them.
      if (ordered.has(row)) continue;
      const filled = (attributeId: number) => {
        const column = this.columns.get(`a${attributeId}`);
        return column ? column.codes[row] !== 0 : undefined;
      };
      for (const { code, places } of judge(row, filled)) {
        const mine = this.run.targets.flatMap(({ place }, target) => (isChanged(target, row) ? [{ place, target }] : []));
        const named = mine.filter(({ place }) =>
          places.some(({ slot, field }) => (place.kind === "date" ? place.slot === slot && place.field === field : place.key === field)),
        );
        for (const { target } of named.length > 0 ? named : mine) found.push({ row, target, reason: reasonOf(code) });
      }
    }
    return found;
  }

  /** The stored value of a code of a target that is an attribute; null for dates. */
  valueOf(target: number, code: number): string | number | null {
    const { place } = this.run.targets[target]!;
    return place.kind === "attribute" ? (this.columns.get(place.key)!.values[code] ?? null) : null;
  }

  /** The code under which a target that is an attribute holds a value, given as text. */
  codeOfText(target: number, text: string): number {
    const { place } = this.run.targets[target]!;
    if (place.kind === "date") return Number(text);
    return this.columns.get(place.key)!.placeFor(place.attribute.type === "NUMBER" ? Number(text) : text);
  }

  private days({ slot, field }: { slot: number; field: DateField }, from: Pick<PlanBlock, DateField>, blank = 0): Int32Array {
    const { width } = this.data.plan;
    const column = from[field];
    const days = new Int32Array(this.duIds.length);
    for (let row = 0, at = slot; row < days.length; row++, at += width) days[row] = column[at] || blank;
    return days;
  }

  /** Days of a source, `blankDay` where there is none: an attribute may hold the day that stands for none in a plan. */
  private dayColumn(ref: FieldRef): Int32Array {
    const place = placeOf(ref, this.world);
    if (place.kind === "date") return this.days(place, this.data.plan, blankDay);
    const { codes, values } = this.columns.get(place.key)!;
    const known = values.map(dayOf);
    const days = new Int32Array(codes.length);
    for (let row = 0; row < days.length; row++) days[row] = known[codes[row]!]!;
    return days;
  }

  private fromDays({ sources, aggregate, blanks, offset }: RuleAction, place: Place): Int32Array {
    const columns = sources.map((source) => this.dayColumn(source as FieldRef));
    const days = columns[0]!;
    for (const other of columns.slice(1))
      for (let row = 0; row < days.length; row++) {
        const [one, two] = [days[row]!, other[row]!];
        if (one === blankDay || two === blankDay) days[row] = blanks === "IGNORE" ? Math.max(one, two) : blankDay;
        else days[row] = aggregate === "EARLIEST" ? Math.min(one, two) : Math.max(one, two);
      }
    const made = new Map<number, number>();
    for (let row = 0; row < days.length; row++) {
      const day = days[row]!;
      if (day === blankDay) days[row] = 0;
      else if (place.kind === "date") days[row] = planDay(day + offset);
      else {
        let code = made.get(day);
        if (code === undefined) {
          code = this.made(convertValue(day, null, place.attribute, offset), place);
          made.set(day, code);
        }
        days[row] = code;
      }
    }
    return days;
  }

  private fromValues({ codes, values }: ValueColumn, from: RunAttribute, offset: number, place: Place): Int32Array {
    const made = new Int32Array(codes.length);
    if (place.kind === "date") return made;
    const known = values.map((value) => (value === null ? 0 : undefined)) as (number | undefined)[];
    for (let row = 0; row < made.length; row++) {
      const code = codes[row]!;
      let value = known[code];
      if (value === undefined) {
        value = this.made(convertValue(values[code]!, from, place.attribute, offset), place);
        known[code] = value;
      }
      made[row] = value;
    }
    return made;
  }

  private made(value: { value: string | number } | number, place: Place & { kind: "attribute" }): number {
    return typeof value === "number" ? value : this.columns.get(place.key)!.placeFor(value.value);
  }

  private fixed(value: string | number, place: Place): number {
    if (place.kind === "date") return 0;
    const kind = valueKind(place.attribute.type);
    const same: RunAttribute = { ...place.attribute, type: kind === "text" ? "TEXT" : place.attribute.type, limit: null };
    return this.made(convertValue(value, same, place.attribute, 0), place);
  }

  private conditionColumn(key: string): ConditionColumn | undefined {
    let column = this.data.fields.get(key) ?? this.asked.get(key);
    if (!column) {
      column = this.makeColumn(key);
      this.asked.set(key, column);
    }
    return column;
  }

  private makeColumn(key: string): ConditionColumn {
    const [, activity, field = ""] = /^act\.(\d+)\.(.+)$/.exec(key) ?? [];
    const slot = activity === undefined ? null : this.world.slots.get(Number(activity))!;
    if (slot === null || /^a\d+$/.test(field)) return this.attributeColumn(slot === null ? key : `${field}@${slot}`);
    if (field in dateColumns) return dayValues(this.days({ slot, field: dateColumns[field as keyof typeof dateColumns] }, this.data.plan));
    return this.stateColumn(slot, field);
  }

  private attributeColumn(key: string): ConditionColumn {
    const { codes, values } = this.columns.get(key)!;
    const type = this.run.attributes.get(key)!.attribute.type;
    const asked = { day: "date", datetime: "datetime", time: "time", number: "number", text: "text", enum: "choice" } as const;
    const normal = values.map((value) => normalValue(asked[valueKind(type)], value));
    return { codes, values: normal };
  }

  private stateColumn(slot: number, field: string): ConditionColumn {
    const { plan, people } = this.data;
    const size = this.duIds.length;
    const codes = new Int32Array(size);
    if (field === "PLAN_OWNER" || field === "ACTUAL_OWNER") {
      const owners = field === "PLAN_OWNER" ? plan.planOwner : plan.actualOwner;
      const places = new Map<number, number>([[0, 0]]);
      const values: (readonly string[] | null)[] = [null];
      for (let row = 0; row < size; row++) {
        const set = owners[row * plan.width + slot]!;
        let place = places.get(set);
        if (place === undefined) {
          place = values.push(people.get(set) ?? []) - 1;
          places.set(set, place);
        }
        codes[row] = place;
      }
      return { codes, values };
    }
    for (let row = 0; row < size; row++) {
      const at = row * plan.width + slot;
      const state = plan.state[at]!;
      if (stateValue(state, "inFlow") === 0) continue;
      codes[row] =
        field === "STATUS"
          ? 1 + activityStatuses.indexOf(activityStatus(state, plan.planEnd[at]!, plan.actualEnd[at]!, this.frame.today))
          : 1 + stateValue(state, "fixed");
    }
    return { codes, values: field === "STATUS" ? [null, ...activityStatuses] : [null, "N", "Y"] };
  }
}

/** Days as conditions ask them. */
function dayValues(days: Int32Array): ConditionColumn {
  const places = new Int32Array(lastDay + 1);
  const values: (string | null)[] = [null];
  const codes = new Int32Array(days.length);
  for (let row = 0; row < days.length; row++) {
    const day = days[row]!;
    if (day === 0) continue;
    if (places[day] === 0) places[day] = values.push(isoDay(day)) - 1;
    codes[row] = places[day]!;
  }
  return { codes, values };
}

const noActivity = outcomeNumber("NO_ACTIVITY");

/** Number of the reason of a refusal; one that runs do not know is as good as a right that is missing. */
function reasonOf(code: ErrorCode): number {
  const number = (outcomes as readonly string[]).indexOf(code);
  return number > 0 ? number : outcomeNumber("NO_PERMISSION");
}
