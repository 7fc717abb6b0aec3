import { columnKeyChars, type TemplateKind, templateLimits } from "../limits.ts";

/** Things of a project that a template names by id. */
export const refThings = ["activity", "attribute", "choice", "cluster", "flow", "region", "subcontractor"] as const;
export type RefThing = (typeof refThings)[number];

/** What stands for a thing in another project: its id there, null without a partner, and the text it is known by. */
export type Partner = { id: number | null; label: string };
export type Partners = (thing: RefThing, id: number) => Partner;

type Filter = { key: string; type: string; values: (string | number | boolean | null)[]; titles?: string[] };
type Body = {
  columns?: { key: string }[];
  folded?: string[];
  filters?: Filter[];
  sort?: { key: string }[];
  flowIds?: number[];
  flowId?: number;
};

const valueThings: Record<string, RefThing> = { cluster: "cluster", flow: "flow", region: "region", subcontractor: "subcontractor" };
/** Columns whose values are DUs or people: DUs have no partner elsewhere. */
const duColumns = ["directMigrationSite", "decomSite"];

/**
 * A body for another project: ids become those of their partners. A column without partner stays as text, which grids pass over;
 * a condition or a flow without partner goes. `unmapped` names what had none.
 * @param isChoice whether an attribute's values are ids of choices
 */
export function mapBody(
  given: unknown,
  partner: Partners,
  isChoice: (attributeId: number) => boolean,
): { body: unknown; unmapped: string[] } {
  const unmapped = new Set<string>();
  const find = (thing: RefThing, id: number) => {
    const found = partner(thing, id);
    if (found.id === null) unmapped.add(found.label);
    return found;
  };
  const field = (text: string): string => {
    const attribute = /^a(\d+)$/.exec(text);
    if (!attribute) return text;
    const found = find("attribute", Number(attribute[1]));
    return found.id === null ? `[${found.label}]` : `a${found.id}`;
  };
  const mapKey = (key: string): string => {
    const group = /^activity:(\d+)$/.exec(key);
    const column = /^(\d+|\*):(.+)$/.exec(key);
    const id = group?.[1] ?? (column?.[1] === "*" ? undefined : column?.[1]);
    const found = id === undefined ? null : find("activity", Number(id));
    const activity = found ? (found.id === null ? `[${found.label}]` : String(found.id)) : "*";
    if (group) return cut(`activity:${activity}`);
    return cut(column ? `${activity}:${field(column[2] as string)}` : field(key));
  };
  const mapFilter = (filter: Filter): Filter[] => {
    const name = /^(?:\d+:)?(.+)$/.exec(filter.key)?.[1] ?? filter.key;
    const attribute = /^a(\d+)$/.exec(name);
    const thing = valueThings[name] ?? (attribute && isChoice(Number(attribute[1])) ? "choice" : null);
    const key = mapKey(filter.key);
    if (key.includes("[")) return [];
    if (filter.type === "empty" || filter.type === "notEmpty") return [{ ...filter, key }];
    if (duColumns.includes(name)) {
      unmapped.add(name);
      return [];
    }
    if (!thing) return [{ ...filter, key }];
    const pairs = filter.values.flatMap((value, at) => {
      const found = find(thing, Number(value));
      return found.id === null
        ? []
        : [{ value: typeof value === "string" ? String(found.id) : found.id, title: filter.titles?.[at] ?? found.label }];
    });
    if (pairs.length === 0) return [];
    return [
      {
        key,
        type: filter.type,
        values: pairs.map(({ value }) => value),
        ...(filter.titles && { titles: pairs.map(({ title }) => title) }),
      },
    ];
  };
  const { columns, folded, filters, sort, flowIds, flowId, ...rest } = given as Body;
  const body = {
    ...rest,
    ...(columns && { columns: columns.map((column) => ({ ...column, key: mapKey(column.key) })) }),
    ...(folded && { folded: folded.map(mapKey) }),
    ...(filters && { filters: filters.flatMap(mapFilter) }),
    ...(sort && { sort: sort.map((one) => ({ ...one, key: mapKey(one.key) })).filter(({ key }) => !key.includes("[")) }),
    ...(flowIds && { flowIds: flowIds.flatMap((id) => find("flow", id).id ?? []) }),
    ...(flowId !== undefined && { flowId: find("flow", flowId).id ?? 0 }),
  };
  return { body, unmapped: [...unmapped] };
}

const cut = (key: string) => [...key].slice(0, columnKeyChars).join("");

/** Ids of things a body names. Values of conditions are taken for every thing they may be. */
export function refsOf(given: unknown): Record<RefThing, number[]> {
  const refs: Record<RefThing, Set<number>> = {
    activity: new Set(),
    attribute: new Set(),
    choice: new Set(),
    cluster: new Set(),
    flow: new Set(),
    region: new Set(),
    subcontractor: new Set(),
  };
  mapBody(
    given,
    (thing, id) => {
      if (Number.isSafeInteger(id) && id > 0) refs[thing].add(id);
      return { id: 1, label: "" };
    },
    () => true,
  );
  return Object.fromEntries(refThings.map((thing) => [thing, [...refs[thing]]])) as Record<RefThing, number[]>;
}

/** A name that is free: with the lowest number behind it that makes it so, cut to the length its kind may have. */
export function freeName(kind: TemplateKind, name: string, isTaken: (name: string) => boolean): string {
  if (!isTaken(name)) return name;
  for (let number = 2; ; number++) {
    const suffix = ` (${number})`;
    const next =
      [...name]
        .slice(0, templateLimits[kind].nameChars - suffix.length)
        .join("")
        .trimEnd() + suffix;
    if (!isTaken(next)) return next;
  }
}
