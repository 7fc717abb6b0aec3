import { barWidth } from "#components/grid/column-layout.ts";
import type { CellKind, GridColumn, GridGroup, GridHead } from "#components/grid/grid-model.ts";
import type { ColumnType } from "#lib/rollout-plan/columns/limits.ts";
import { columnKey, everyActivity, groupKey, isAttribute, isNote } from "./plan-keys.ts";

/** The head as the server gives it. */
export type HeadColumn = {
  key: string;
  title: string;
  type: ColumnType;
  editable: boolean;
  width: number;
  choices?: { value: string; title: string; parent?: string }[];
  parentKey?: string;
};
export type HeadFlow = { flowId: number; name: string; version: number; activityIds: number[] };
export type HeadActivity = { activityId: number; slot: number; name: string; kind: string };
export type PlanHead = {
  flows: HeadFlow[];
  activities: HeadActivity[];
  activityColumns: HeadColumn[];
  fields: HeadColumn[];
  attributes: (HeadColumn & { attributeId: number; level: "DU" | "ACTIVITY" })[];
  /** Dependency rules or warnings are in force: cells may carry their marks. */
  marked?: boolean;
};

/** Choices the head does not carry: what references can point to. */
export type ReferenceChoices = Partial<Record<string, readonly { value: string; label: string }[]>>;

export type ColumnTexts = { fields: string; attributes: string; bar: string; barTitle: string };

/** Key of the group of DU columns; of the group of DU attributes. */
export const fieldGroup = "fields";
export const attributeGroup = "attributes";

/** Columns that only accompany the dates. */
const quietFields = new Set(["region", "subcontractor", "planOwner", "actualOwner", "attrOwner", "flow"]);
const ownerFields = new Set(["planOwner", "actualOwner", "attrOwner"]);
/** Widths of the everyday columns: just what their values need, so that the activities get the room. Other columns keep the width of the head. */
const denseWidths: Partial<Record<string, number>> = {
  code: 104,
  name: 148,
  status: 104,
  region: 92,
  subcontractor: 104,
  planOwner: 84,
  actualOwner: 84,
  attrOwner: 84,
};
/** A date and a lock glyph beside it. */
const dateWidth = 100;

const kinds: Record<ColumnType, CellKind> = {
  text: "text",
  integer: "number",
  number: "number",
  boolean: "flag",
  date: "date",
  time: "text",
  datetime: "text",
  month: "month",
  choice: "choice",
  reference: "choice",
  status: "status",
  progress: "number",
};

/** Room for the days a date moved, where a version stands beside the plan. */
const shiftWidth = 44;

function gridColumn(given: HeadColumn, activityId: number | null, references: ReferenceChoices, compared = false): GridColumn {
  const kind: CellKind = ownerFields.has(given.key) ? "people" : kinds[given.type];
  const choices =
    given.choices?.map(({ value, title, parent }) => ({ value, label: title, ...(parent ? { parent } : {}) })) ?? references[given.key];
  // A reference can only be chosen where its choices are known.
  const editable = given.editable && (kind !== "choice" || choices !== undefined);
  return {
    key: columnKey(given.key, activityId),
    title: given.title,
    kind,
    width: denseWidths[given.key] ?? (kind === "date" ? dateWidth + (compared && activityId !== null ? shiftWidth : 0) : given.width),
    editable,
    sortable: !ownerFields.has(given.key) && !(activityId !== null && given.key === "status"),
    filterable: true,
    ...(kind === "number" ? { align: "end" as const } : {}),
    ...(choices ? { choices } : {}),
    ...(given.parentKey ? { parentKey: columnKey(given.parentKey, activityId) } : {}),
    ...(quietFields.has(given.key) ? { quiet: true } : {}),
  };
}

/**
 * Activities of several flows in one order that keeps the order of each flow as far as they agree: an activity new to the list stands right after the one
 * before it in its flow.
 */
export function mergeOrders(orders: readonly (readonly number[])[]): number[] {
  const merged: number[] = [];
  for (const order of orders) {
    let at = 0;
    for (const id of order) {
      const known = merged.indexOf(id);
      if (known >= 0) at = Math.max(at, known + 1);
      else merged.splice(at++, 0, id);
    }
  }
  return merged;
}

/** Order of the activities in the grid. */
export function activityOrder(head: PlanHead): HeadActivity[] {
  const byId = new Map(head.activities.map((activity) => [activity.activityId, activity]));
  const orders = [...head.flows].sort((a, b) => b.activityIds.length - a.activityIds.length).map((flow) => flow.activityIds);
  return mergeOrders(orders).flatMap((id) => byId.get(id) ?? []);
}

/** Columns of an activity's group, as the head gives them. */
export function activityFields(head: PlanHead): HeadColumn[] {
  return [...head.activityColumns, ...head.attributes.filter((attribute) => attribute.level === "ACTIVITY")];
}

/** The columns of the grid: DU columns, a foldable group per activity, DU attributes. */
export function planGridHead(head: PlanHead, texts: ColumnTexts, references: ReferenceChoices, compared = false): GridHead {
  const fields = activityFields(head);
  const groups: GridGroup[] = [
    { key: fieldGroup, title: texts.fields, columns: head.fields.map((column) => gridColumn(column, null, references)) },
    ...activityOrder(head).map(
      (activity): GridGroup => ({
        key: groupKey(activity.activityId),
        title: activity.name,
        columns: fields.map((column) => gridColumn(column, activity.activityId, references, compared)),
        bar: {
          key: columnKey("bar", activity.activityId),
          title: `${activity.name}: ${texts.barTitle}`,
          short: texts.bar,
          kind: "bar",
          width: barWidth,
        },
      }),
    ),
  ];
  const attributes = head.attributes.filter((attribute) => attribute.level === "DU");
  if (attributes.length > 0)
    groups.push({
      key: attributeGroup,
      title: texts.attributes,
      columns: attributes.map((column) => gridColumn(column, null, references)),
    });
  return { groups };
}

const shownFields = new Set(["code", "name", "status", "region", "subcontractor"]);
const shownActivityFields = new Set(["planStart", "planEnd", "actualStart", "actualEnd", "planOwner", "status"]);

/** Columns hidden until somebody shows them: all that the everyday work does not need. Attributes are in the plan because somebody put them there. */
export function hiddenByDefault(head: PlanHead): string[] {
  return [
    ...head.fields.filter((column) => !shownFields.has(column.key)).map((column) => column.key),
    ...head.activityColumns.filter((column) => !shownActivityFields.has(column.key)).map((column) => everyActivity(column.key)),
  ];
}

/** Title of a column with its activity: `Installation · Plan end`. */
export function columnTitle(head: GridHead, key: string): string {
  for (const group of head.groups) {
    const column = group.columns.find((given) => given.key === key);
    if (column) return group.key === fieldGroup || group.key === attributeGroup ? column.title : `${group.title} · ${column.title}`;
  }
  return key;
}

/** What a tile carries besides dates, owners and states: DU columns, attributes as the server names them, slots whose notes are shown. */
export type TileParts = { fields: string[]; attrs: string[]; notes: number[] };

/** Which values a tile has to carry for the shown columns. */
export function tileParts(shown: readonly string[], slots: ReadonlyMap<number, number>): TileParts {
  const fields = new Set<string>(["code", "name", "status"]);
  const attrs = new Set<string>();
  const notes = new Set<number>();
  for (const key of shown) {
    const at = key.indexOf(":");
    const field = key.slice(at + 1);
    if (at < 0) (isAttribute(field) ? attrs : fields).add(field);
    else {
      const slot = slots.get(Number(key.slice(0, at)));
      if (slot === undefined) continue;
      if (isAttribute(field)) attrs.add(`${field}@${slot}`);
      else if (isNote(field)) notes.add(slot);
    }
  }
  return { fields: [...fields], attrs: [...attrs], notes: [...notes] };
}
