import type { CellKind, GridColumn, GridHead } from "#components/grid/grid-model.ts";
import { listColumn } from "#components/grid/paged-list.ts";
import type { FixedColumn } from "#lib/du-tabs/limits.ts";
import type { TabColumns } from "#lib/du-tabs/queries.ts";
import type { AttributeType } from "#lib/rollout-plan/columns/limits.ts";

const kinds: Partial<Record<AttributeType, CellKind>> = { NUMBER: "number", DATE: "date", ENUM: "choice", LOOKUP_ENUM: "choice" };
const widths: Partial<Record<FixedColumn, number>> = { code: 140, sn: 140, name: 180, siteCode: 130, siteName: 160 };
const sortable = new Set<string>(["code", "sn", "name", "siteCode", "siteName", "deliveryType", "productLine", "productType"]);

/** Columns that stay at the left. */
export const lockedColumns = ["code", "sn"];

type Texts = { field: (key: string) => string; groups: { du: string; tab: string; site: string } };

/** Columns of a tab: DU and serial number, the attributes, then what else is known of the DU and its site. */
export function tabHead({ fixed, attributes }: TabColumns, mayEdit: boolean, { field, groups }: Texts): GridHead {
  const own = (key: FixedColumn): GridColumn =>
    listColumn(key, field(key), "text", widths[key] ?? 120, {
      editable: key === "sn" && mayEdit,
      quiet: key !== "sn" && key !== "code",
      sortable: sortable.has(key),
    });
  const keys: readonly FixedColumn[] = fixed.filter((key) => key === "code" || key === "sn");
  const values = attributes.map(({ key, name, type, mode, required, choices, parentKey }) =>
    listColumn(key, required ? `${name} *` : name, kinds[type] ?? "text", kinds[type] === "number" ? 110 : 140, {
      editable: mayEdit && mode === "RW",
      multiline: type === "LONG_TEXT" || type === "TEXT_AREA",
      ...(kinds[type] === "choice" && {
        choices: choices.flatMap(({ id, value, parent, isRetired }) =>
          isRetired ? [] : [{ value: String(id), label: value, ...(parent !== undefined && { parent: String(parent) }) }],
        ),
      }),
      ...(parentKey && { parentKey }),
    }),
  );
  return {
    groups: [
      { key: "du", title: groups.du, columns: keys.map(own) },
      ...(values.length > 0 ? [{ key: "tab", title: groups.tab, columns: values }] : []),
      { key: "site", title: groups.site, columns: fixed.filter((key) => !keys.includes(key)).map(own) },
    ],
  };
}
