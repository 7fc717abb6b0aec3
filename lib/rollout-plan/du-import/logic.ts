import { z } from "zod";
import { dayNumber, isoDay } from "#lib/core/clock.ts";
import { zodProblems } from "#lib/core/zod-problems.ts";
import {
  type FieldProblem,
  type FieldType,
  type FieldValue,
  type ImportField,
  type ImportRow,
  isChangedSince,
  nameKey,
  rowMark,
  rowMarkField,
} from "#lib/imports/kind/logic.ts";
import { changedFields } from "#lib/rollout-plan/dus/logic.ts";
import { type DuField, duFieldNames, duFields, type SiteField, siteFieldNames, siteFields } from "#lib/rollout-plan/dus/schema.ts";
import type { PlanField } from "#lib/rollout-plan/plan-rows/limits.ts";
import { type NamedField, namedFields, otherNames, otherPlanNames, ownersMax, type PlanTarget, planTargets } from "./limits.ts";
import { type DuImportOptions, regionName } from "./schema.ts";

/** Titles of the fields in the reader's language, and their names in all. */
export type FieldTexts = {
  title: (key: string) => string;
  plan: (target: PlanTarget) => string;
  names: (key: string) => string[];
  planNames: (target: PlanTarget) => string[];
  valueNames: (field: string, value: string) => string[];
};

export type Activity = { id: number; slot: number; code: string; name: string };

const numbers = new Set<string>(["clusterPriority", "rfiPriority", "valueQty", "longitude", "latitude"]);
const choices: Record<string, readonly string[]> = {
  workType: duFields.workType.unwrap().options,
  valueUnit: duFields.valueUnit.unwrap().options,
  status: siteFields.status.options,
};

function fieldType(key: string): FieldType {
  if (numbers.has(key)) return "number";
  if (key in choices) return "choice";
  if (key === "allowDirectMoving") return "flag";
  return key === "eomonth" ? "month" : key === "owner" ? "accounts" : "text";
}

function field(key: string, group: string, texts: FieldTexts, required = false): ImportField {
  const type = fieldType(key);
  return {
    key,
    title: texts.title(key),
    type,
    group,
    names: [...texts.names(key), ...(otherNames[key] ?? [])],
    ...(required && { required }),
    ...(type === "choice" && { values: (choices[key] ?? []).map((value) => ({ value, names: texts.valueNames(key, value) })) }),
  };
}

const duKeys = [
  ...duFieldNames
    .map((name) => Object.entries(namedFields).find(([, column]) => column === name)?.[0] ?? name)
    .filter((name) => name !== "siteId")
    .flatMap((name) => (name === "region" ? ["region", "networkRegion"] : [name])),
  "flow",
  "owner",
];
/** Key of a site's field where the row is a DU. */
export const siteKey = (name: SiteField): string => (name === "code" ? "siteCode" : name === "name" ? "siteName" : name);
const siteKeysOfDu = siteFieldNames.filter((name) => name !== "status");
/** Fields of a DU that a row says as they are: the others are named. */
const direct = duFieldNames.filter((name) => name !== "siteId" && !(Object.values(namedFields) as string[]).includes(name)) as Exclude<
  DuField,
  "siteId"
>[];

/** Key of an activity's field: `a12.actualEnd`. */
export const planKey = (activityId: number, target: PlanField): string => `a${activityId}.${target}`;

const targets = new Map<string, { activityId: number; field: PlanTarget } | null>();

/** The activity and field of a key; null for keys of DUs and sites. */
function planTarget(key: string): { activityId: number; field: PlanTarget } | null {
  let target = targets.get(key);
  if (target === undefined) {
    const parts = /^a(\d+)\.(\w+)$/.exec(key);
    target = parts ? { activityId: Number(parts[1]), field: parts[2] as PlanTarget } : null;
    if (targets.size > 50_000) targets.clear();
    targets.set(key, target);
  }
  return target;
}

// Days are few, cells are many.
const daysOfNumbers: (string | null)[] = [];

function toIso(day: number): string | null {
  daysOfNumbers[day] ??= isoDay(day);
  return daysOfNumbers[day] ?? null;
}

/** The fields of a row that is a DU: its own, those of its site, and per activity its dates and owners. */
export function duImportFields(activities: readonly Activity[], texts: FieldTexts): ImportField[] {
  const plan = activities.flatMap((activity) =>
    planTargets.map((target): ImportField => {
      const words = [...texts.planNames(target), ...otherPlanNames[target]];
      return {
        key: planKey(activity.id, target),
        title: `${activity.name} · ${texts.plan(target)}`,
        type: target.endsWith("Owner") ? "accounts" : "day",
        group: activity.name,
        names: [activity.name, activity.code].flatMap((name) => words.map((word) => `${name} ${word}`)),
      };
    }),
  );
  return [
    ...duKeys.map((key) => field(key, "du", texts, key === "code")),
    ...siteKeysOfDu.map((name) => field(siteKey(name), "site", texts)),
    ...plan,
    rowMarkField,
  ];
}

/** The fields of a row that is a site. */
export const siteImportFields = (texts: FieldTexts): ImportField[] => [
  ...siteFieldNames.map((name) => ({
    ...field(siteKey(name), "site", texts, name === "code"),
    key: name,
    names: [...field(siteKey(name), "site", texts).names, ...(name === "name" ? (otherNames.name ?? []) : [])],
  })),
  rowMarkField,
];

export type StoredSite = { id: number; code: string; rowVersion: number } & Record<string, FieldValue>;
export type StoredDu = {
  id: number;
  rowVersion: number;
  /** Whether the person may edit it. */
  reachable: boolean;
  siteCode: string;
  flowId: number | null;
  flowName: string | null;
  names: Record<NamedField, string | null>;
  fields: Record<string, FieldValue>;
};
export type NamedThing = { id: number; name: string };
/** A region of the customer's network with the delivery region it is mapped to, where that is in use. */
export type NetworkThing = NamedThing & { region: NamedThing | null };
export type Account = { id: number; account: string; member: boolean };

/** What the rows of a file refer to, as far as it exists. Names are in match form. */
export type DuFacts = {
  dus: Map<string, StoredDu>;
  sites: Map<string, StoredSite>;
  named: Record<NamedField, Map<string, NamedThing>>;
  networkRegions: Map<string, NetworkThing>;
  flows: Map<string, NamedThing>;
  flowById: Map<number, NamedThing>;
  accounts: Map<string, Account>;
  owner: Account | null;
  slots: Map<number, number>;
  /** Wishes of rows read so far, by column and day. */
  dayWishes: Map<string, Map<string | null, PlanWish>>;
};

/** A cell of the plan a row asks for: a day number, or the persons who own the activity. */
export type PlanWish = Readonly<{ slot: number; field: PlanTarget; day?: number; owners?: readonly number[] }>;

/** What one row wants, before the plan is looked at. */
export type DuWork = {
  row: ImportRow;
  code: string;
  du: StoredDu | null;
  /** DU columns to write, by field; a new region stands in `newRegion`. */
  fields: Record<string, FieldValue>;
  changes: Record<string, [FieldValue, FieldValue]>;
  newRegion: string | null;
  /** The region of the customer's network the row names. */
  networkRegionId: number | null;
  site: { code: string; stored: StoredSite | null; fields: Record<string, FieldValue>; changes: Record<string, [FieldValue, FieldValue]> };
  flow: NamedThing | null;
  wishes: PlanWish[];
  owners: number[];
  shown: [string, FieldValue, FieldValue][];
  problems: FieldProblem[];
};

/** What earlier rows of the file have said, by DU and by site code; and the form of all rows, made of the keys of the first. */
export type Seen = {
  dus: Map<string, number>;
  sites: Map<string, { no: number; fields: Record<string, FieldValue> }>;
  form?: z.ZodType<Record<string, FieldValue>>;
};

/** Schemas of the form of DUs and sites, by the key of their column. */
const schemas: Record<string, z.ZodType> = {
  ...Object.fromEntries(siteKeysOfDu.map((name) => [siteKey(name), siteFields[name]])),
  ...Object.fromEntries(direct.map((name) => [name, duFields[name]])),
};

/** Fields of a row by the form, where all of them hold: a row read at once costs a fraction of its fields one by one. */
function readForm({ values }: ImportRow, seen: Seen): Record<string, FieldValue> | null {
  seen.form ??= z.object(
    Object.fromEntries(Object.keys(values).flatMap((key) => (schemas[key] ? [[key, schemas[key].nullable()] as const] : []))),
  ) as z.ZodType as z.ZodType<Record<string, FieldValue>>;
  const parsed = seen.form.safeParse(values);
  return parsed.success ? parsed.data : null;
}

/** What a row wants of the DU it names, its site, its flow and its plan, with everything that is wrong about it. */
export function planRow(row: ImportRow, facts: DuFacts, options: DuImportOptions, seen: Seen): DuWork {
  const problems: FieldProblem[] = [...row.problems];
  const code = String(row.values.code ?? "");
  const du = facts.dus.get(code) ?? null;
  const work: DuWork = {
    row,
    code,
    du,
    fields: {},
    changes: {},
    newRegion: null,
    networkRegionId: null,
    site: { code: "", stored: null, fields: {}, changes: {} },
    flow: null,
    wishes: [],
    owners: [],
    shown: [],
    problems,
  };
  if (code === "" && !problems.some((problem) => problem.path === "code")) problems.push({ path: "code", code: "VALUE_MISSING" });
  if (du && !du.reachable) problems.push({ path: "code", code: "NO_PERMISSION", params: { right: "du.edit" } });
  const first = seen.dus.get(code);
  if (code !== "" && first !== undefined) problems.push({ path: "code", code: "REPEATED_IN_FILE", params: { row: first } });
  else if (code !== "") seen.dus.set(code, row.no);

  const form = readForm(row, seen);
  readDuFields(work, form, options);
  readNames(work, facts, options);
  readNetworkRegion(work, facts);
  readSite(work, form, facts, options, seen);
  readFlow(work, facts, options);
  readPlan(work, facts, options);
  checkRevisions(work);
  return work;
}

/**
 * Whether rows that were judged by some facts would be judged the same by those of now.
 * @param before the facts of each part of the rows
 */
export function holdsStill(works: readonly DuWork[], before: readonly DuFacts[], now: DuFacts): boolean {
  const same = (left: unknown, right: unknown) => left === right || JSON.stringify(left) === JSON.stringify(right);
  const sameNames = <Key>(of: (facts: DuFacts) => ReadonlyMap<Key, unknown>) => {
    const present = of(now);
    const known = new Set<Key>();
    for (const facts of before)
      for (const [key, value] of of(facts)) {
        if (!present.has(key) || !same(value, present.get(key))) return false;
        known.add(key);
      }
    return known.size === present.size;
  };
  return (
    works.every(({ code, du, site }) => same(du, now.dus.get(code) ?? null) && same(site.stored, now.sites.get(site.code) ?? null)) &&
    [...Object.keys(namedFields)].every((key) => sameNames(({ named }) => named[key as NamedField])) &&
    [
      ({ networkRegions }: DuFacts) => networkRegions,
      ({ flows }: DuFacts) => flows,
      ({ flowById }: DuFacts) => flowById,
      ({ accounts }: DuFacts) => accounts,
      ({ slots }: DuFacts) => slots,
    ].every((of) => sameNames<unknown>(of)) &&
    before.every(({ owner }) => same(owner, now.owner))
  );
}

// An exported row is not written over what somebody else has changed since; what it leaves alone does not matter.
function checkRevisions({ row, du, site, changes, shown, problems }: DuWork): void {
  const mark = row.values[rowMark];
  const ofDu = Object.keys(changes).some((name) => name !== "code") || shown.some(([key]) => key === "siteCode" || key === "flow");
  if (du && ofDu && isChangedSince(mark, du)) problems.push({ path: "", code: "STALE" });
  else if (site.stored && Object.keys(site.changes).length > 0 && isChangedSince(mark, site.stored, 1))
    problems.push({ path: "", code: "STALE" });
}

// A value by the schema of the form; undefined when the row says nothing about the field or what it says is refused.
function fieldValue(
  work: DuWork,
  form: Record<string, FieldValue> | null,
  key: string,
  schema: z.ZodType,
  blanks: "keep" | "clear",
): FieldValue | undefined {
  const value = work.row.values[key];
  if (value === undefined) return undefined;
  if (value === null && (!work.du || blanks === "keep" || !schema.safeParse(null).success)) return undefined;
  if (form) return form[key];
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data as FieldValue;
  for (const { code, params } of zodProblems(parsed.error, value)) work.problems.push({ path: key, code, ...(params && { params }) });
  return undefined;
}

function readDuFields(work: DuWork, form: Record<string, FieldValue> | null, options: DuImportOptions): void {
  for (const name of direct) {
    const value = fieldValue(work, form, name, duFields[name], options.blanks);
    if (value !== undefined) work.fields[name] = value;
  }
  if (!work.du) work.fields.name ??= work.code;
  work.changes = changedFields(work.du?.fields ?? {}, work.fields) as DuWork["changes"];
  for (const name in work.changes) if (name !== "code") work.shown.push(shownChange(name, work.changes[name]));
}

const unknownCode = {
  region: "REGION_UNKNOWN",
  subcontractor: "SUBCONTRACTOR_UNKNOWN",
  directMigrationSite: "DU_NOT_FOUND",
  decomSite: "DU_NOT_FOUND",
} as const;

function readNames(work: DuWork, facts: DuFacts, options: DuImportOptions): void {
  for (const key of Object.keys(namedFields) as NamedField[]) {
    const value = work.row.values[key];
    if (value === undefined || (value === null && (options.blanks === "keep" || !work.du))) continue;
    const old = work.du?.names[key] ?? null;
    const text = value === null ? null : String(value);
    // What a DU has stays its own, even where it is out of use by now.
    if (text !== null && old !== null && nameKey(text) === nameKey(old)) continue;
    const isDu = key === "directMigrationSite" || key === "decomSite";
    const found = text === null ? null : facts.named[key].get(isDu ? text : nameKey(text));
    if (found === undefined || (isDu && text === work.code)) {
      if (key === "region" && options.createRegions && regionName.safeParse(text).success) work.newRegion = text;
      else {
        work.problems.push({ path: key, code: unknownCode[key], params: { value: text ?? "", code: text ?? "" } });
        continue;
      }
    }
    const name = found?.name ?? text;
    if (name === old) continue;
    const column = namedFields[key];
    work.fields[column] = found?.id ?? null;
    work.changes[column] = [work.du?.fields[column] ?? null, found?.id ?? null];
    work.shown.push([key, old, name]);
  }
}

// Where the row names no delivery region, that of its network region holds.
function readNetworkRegion(work: DuWork, { networkRegions }: DuFacts): void {
  const { row, du, problems } = work;
  const value = row.values.networkRegion;
  if (typeof value !== "string" || value === "") return;
  const path = "networkRegion";
  const found = networkRegions.get(nameKey(value));
  work.networkRegionId = found?.id ?? null;
  if (!found) problems.push({ path, code: "NETWORK_REGION_UNKNOWN", params: { value } });
  if (!found || row.values.region != null) return;
  const { region } = found;
  if (!region) {
    problems.push({ path, code: "NETWORK_REGION_UNMAPPED", params: { count: 1, names: found.name } });
    return;
  }
  const old = du?.names.region ?? null;
  if (old === region.name) return;
  work.fields.regionId = region.id;
  work.changes.regionId = [du?.fields.regionId ?? null, region.id];
  work.shown.push(["region", old, region.name]);
}

const shownChange = (key: string, change: [FieldValue, FieldValue] | undefined): DuWork["shown"][number] => [
  key,
  change?.[0] ?? null,
  change?.[1] ?? null,
];

function readSite(work: DuWork, form: Record<string, FieldValue> | null, facts: DuFacts, options: DuImportOptions, seen: Seen): void {
  const { row, du, site } = work;
  const asked = row.values.siteCode;
  site.code = typeof asked === "string" && asked !== "" ? asked : (du?.siteCode ?? work.code);
  site.stored = facts.sites.get(site.code) ?? null;
  for (const name of siteKeysOfDu) {
    if (name === "code") continue;
    const value = fieldValue(work, form, siteKey(name), siteFields[name], options.blanks);
    if (value !== undefined && !(value === null && !site.stored)) site.fields[name] = value;
  }
  if (fieldValue(work, form, "siteCode", siteFields.code, "keep") === undefined && typeof asked === "string") return;
  if (!site.stored) site.fields.name ??= work.fields.name ?? work.code;
  const earlier = seen.sites.get(site.code);
  if (earlier) {
    for (const name in site.fields) {
      if (name in earlier.fields && earlier.fields[name] !== site.fields[name] && row.values[siteKey(name as SiteField)] != null)
        work.problems.push({ path: siteKey(name as SiteField), code: "SITE_DIFFERS", params: { row: earlier.no } });
    }
  } else if (work.problems.length === 0) seen.sites.set(site.code, { no: row.no, fields: site.fields });
  site.changes = site.stored ? (changedFields(site.stored, site.fields) as DuWork["changes"]) : {};
  if (du && site.code !== du.siteCode) work.shown.push(["siteCode", du.siteCode, site.code]);
  if (!du) work.shown.push(["siteCode", null, site.code]);
  if (site.stored) for (const name in site.changes) work.shown.push(shownChange(siteKey(name as SiteField), site.changes[name]));
  else for (const name in site.fields) work.shown.push([siteKey(name as SiteField), null, site.fields[name] ?? null]);
}

function readFlow(work: DuWork, facts: DuFacts, options: DuImportOptions): void {
  const value = work.row.values.flow;
  const named = typeof value === "string" && value !== "" ? value : null;
  if (named !== null && work.du?.flowName != null && nameKey(named) === nameKey(work.du.flowName)) return;
  const found =
    named === null ? (options.flowId === null ? undefined : facts.flowById.get(options.flowId)) : facts.flows.get(nameKey(named));
  if (named !== null && !found) work.problems.push({ path: "flow", code: "FLOW_UNKNOWN", params: { value: named } });
  if (!found) return;
  if (work.du?.flowId == null) {
    work.flow = found;
    work.shown.push(["flow", null, found.name]);
  } else if (named !== null && work.du.flowId !== found.id) work.problems.push({ path: "flow", code: "ALREADY_BOUND" });
}

// The few days of a column are wished for by thousands of rows: each wish is made once.
function dayWish({ dayWishes }: DuFacts, key: string, slot: number, field: PlanTarget, day: string | null): PlanWish {
  let wishes = dayWishes.get(key);
  if (!wishes) {
    wishes = new Map();
    dayWishes.set(key, wishes);
  }
  let wish = wishes.get(day);
  if (!wish) {
    wish = { slot, field, day: day === null ? 0 : dayNumber(day) };
    wishes.set(day, wish);
  }
  return wish;
}

function readPlan(work: DuWork, facts: DuFacts, options: DuImportOptions): void {
  const { values } = work.row;
  for (const key in values) {
    const target = planTarget(key);
    if (!target) continue;
    const value = values[key] ?? null;
    const slot = facts.slots.get(target.activityId);
    if (slot === undefined || (value === null && (options.blanks === "keep" || !work.du))) continue;
    const { field } = target;
    if (field.endsWith("Owner")) {
      const owners = readAccounts(work, facts, key, value);
      if (owners) work.wishes.push({ slot, field, owners });
    } else work.wishes.push(dayWish(facts, key, slot, field, value as string | null));
  }
  const owners = readAccounts(work, facts, "owner", work.row.values.owner ?? null) ?? [];
  work.owners = owners.length > 0 ? owners : facts.owner ? [facts.owner.id] : [];
}

function readAccounts(work: DuWork, facts: DuFacts, path: string, value: FieldValue): number[] | null {
  const accounts = Array.isArray(value) ? value : [];
  if (accounts.length > ownersMax) {
    work.problems.push({ path, code: "TOO_MANY", params: { max: ownersMax } });
    return null;
  }
  const found: number[] = [];
  for (const account of accounts) {
    const known = facts.accounts.get(account.toLowerCase());
    if (!known) work.problems.push({ path, code: "ACCOUNT_MISSING", params: { account } });
    else if (!known.member) work.problems.push({ path, code: "NOT_MEMBER", params: { account } });
    else found.push(known.id);
  }
  return found.length === accounts.length ? [...new Set(found)] : null;
}

/** Every list of owners the rows ask for. */
export function ownerLists(works: readonly DuWork[]): (readonly number[])[] {
  const lists: (readonly number[])[] = [];
  for (const { wishes, owners } of works) {
    for (const wish of wishes) if (wish.owners && wish.owners.length > 0) lists.push(wish.owners);
    if (owners.length > 0) lists.push(owners);
  }
  return lists;
}

/** The value of a plan cell as a person reads it. */
export function planValue(field: PlanField, value: number, accountsOf: (setId: number) => string[]): FieldValue {
  if (value === 0) return null;
  return field.endsWith("Owner") ? accountsOf(value) : toIso(value);
}
