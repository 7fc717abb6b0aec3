import type { GridColumn, GridHead } from "#components/grid/grid-model.ts";
import { listColumn } from "#components/grid/paged-list.ts";
import { duTypes } from "#lib/planning-engine/inputs/limits.ts";
import type { BlockName } from "#lib/planning-engine/inputs/logic.ts";
import { warehouseTypes } from "#lib/planning-engine/warehouses/limits.ts";

type Choice = { value: string; label: string };
type Texts = {
  field: (key: string) => string;
  /** Word of a value, by field and value. */
  value: (field: string, value: string) => string;
  title: string;
};

/** Columns that stay at the left. */
export const lockedColumns: Partial<Record<BlockName, string[]>> = {
  du: ["duCode"],
  activity: ["workflowName", "activityName"],
  duMaterial: ["duCode"],
  inventory: ["warehouseId"],
  itemSubstitute: ["designItemCode"],
  reuseMaterial: ["itemCode"],
  skillResource: ["skillType"],
  warehouse: ["name"],
  warehouseMapping: ["sourceSystem", "sourceCode"],
};

const shown = { editable: false, quiet: true };

/** Columns of an input. What a row cannot be without is marked with a star. */
export function inputHead(name: BlockName, { field, value, title }: Texts, warehouses: readonly Choice[]): GridHead {
  const column = (key: string, kind: GridColumn["kind"], width: number, more: Partial<GridColumn> = {}) =>
    listColumn(key, field(key), kind, width, more);
  const must = (made: GridColumn): GridColumn => ({ ...made, title: `${made.title} *` });
  const text = (key: string, width = 130, more: Partial<GridColumn> = {}) => column(key, "text", width, more);
  const number = (key: string, width = 110) => column(key, "number", width);
  const flag = (key: string, width = 110) => column(key, "flag", width);
  const choice = (key: string, values: readonly string[], width = 120) =>
    column(key, "choice", width, { choices: values.map((one) => ({ value: one, label: value(key, one) })) });
  const warehouse = must(column("warehouseId", "choice", 180, { choices: warehouses }));
  const heads: Record<BlockName, () => GridColumn[]> = {
    du: () => [
      must(text("duCode", 140)),
      text("duName", 180, shown),
      must(text("workflowName", 160)),
      must(choice("duType", duTypes)),
      flag("inScope", 90),
      text("region"),
      number("rfiPriority", 100),
      column("planEndDate", "date", 110),
      column("eomonth", "month", 110),
      text("cluster"),
      number("clusterPriority", 100),
      text("customerSite"),
      text("directMigrationSite", 150),
      flag("allowDirectMoving", 130),
      number("longitude"),
      number("latitude"),
      column("icActualEndDate", "date", 130),
      column("decomActualEndDate", "date", 130),
      text("decomSite"),
    ],
    activity: () => [
      must(text("workflowName", 160)),
      must(text("activityName", 180)),
      must(number("sort", 80)),
      must(number("durationDays", 110)),
      text("predecessors", 260, { multiline: true }),
      flag("materialRelated", 120),
      flag("assembly", 90),
      flag("disassembly", 100),
      flag("needSubcontractor", 130),
      text("skillType"),
      text("resourceName", 140),
      text("coTeam", 180),
      text("coResource", 180),
    ],
    skillResource: () => [must(text("skillType", 160)), must(text("resourceName", 200)), text("region", 140), must(number("teamCount"))],
    duMaterial: () => [
      must(text("duCode", 140)),
      must(text("itemCode", 140)),
      text("description", 240),
      number("installQty", 120),
      number("decomQty", 120),
      text("materialCategory", 150),
    ],
    inventory: () => [
      warehouse,
      must(text("itemCode", 140)),
      number("inventoryQty", 120),
      number("planQty", 120),
      column("planInboundDate", "date", 130),
      { ...choice("origin", ["sync", "addition"], 140), ...shown },
    ],
    itemSubstitute: () => [
      must(text("designItemCode", 150)),
      text("designDescription", 200),
      must(number("designQty")),
      must(number("designPriority")),
      must(text("groupName", 120)),
      must(number("substitutionPriority", 130)),
      must(text("warehouseItemCode", 150)),
      text("warehouseDescription", 200),
      must(number("warehouseQty", 120)),
    ],
    reuseMaterial: () => [
      must(text("itemCode", 150)),
      text("materialCategory", 150),
      number("damageRate"),
      number("reuseRate"),
      number("bufferRate"),
      number("turnaroundDays", 150),
    ],
    warehouse: () => [
      must(text("name", 200)),
      text("principalName", 180),
      must(number("priority", 90)),
      must(choice("type", warehouseTypes)),
      text("region", 140),
    ],
    warehouseMapping: () => [must(text("sourceSystem", 160)), must(text("sourceCode", 160)), warehouse],
  };
  return { groups: [{ key: name, title, columns: heads[name]() }] };
}
