import type { GridColumn, GridHead } from "#components/grid/grid-model.ts";
import { listColumn } from "#components/grid/paged-list.ts";
import { siteStatuses, valueUnits, workTypes } from "#lib/rollout-plan/dus/limits.ts";

type Text = (key: string) => string;
type Choice = { id: number; name: string };
/** Names under which the lists order by columns that show something else than they keep. */
export const sortNames: Readonly<Record<string, string>> = { regionId: "region", subcontractorId: "subcontractor", flowName: "flow" };

/** What the cells of a DU can be chosen from. */
export type DuChoices = { regions: Choice[]; subcontractors: Choice[] };

const named = (choices: readonly Choice[]) => choices.map(({ id, name }) => ({ value: String(id), label: name }));
const fixed = (values: readonly string[], text: (value: string) => string) => values.map((value) => ({ value, label: text(value) }));
const shown = { editable: false, quiet: true };

/** Columns of the DUs: their own, then what their site and flow say. */
export function duHead(text: Text, value: Text, choices: DuChoices): GridHead {
  const field = (key: string) => text(`fields.${key}`);
  const plain = (key: string, width: number, more: Partial<GridColumn> = {}) => listColumn(key, field(key), "text", width, more);
  const own: GridColumn[] = [
    plain("code", 140, { sortable: true }),
    plain("name", 200, { sortable: true }),
    listColumn("regionId", field("region"), "choice", 130, { choices: named(choices.regions), sortable: true }),
    listColumn("subcontractorId", field("subcontractor"), "choice", 140, { choices: named(choices.subcontractors), sortable: true }),
    plain("deliveryType", 110, { sortable: true }),
    listColumn("workType", field("workType"), "choice", 120, { choices: fixed(workTypes, (one) => value(`workType.${one}`)) }),
    plain("productType", 110, { sortable: true }),
    plain("productLine", 110, { sortable: true }),
    plain("scenarioType", 110),
    plain("projectCode", 110),
    plain("subProjectCode", 120, { sortable: true }),
    listColumn("clusterPriority", field("clusterPriority"), "number", 90),
    listColumn("rfiPriority", field("rfiPriority"), "number", 90),
    listColumn("allowDirectMoving", field("allowDirectMoving"), "flag", 110),
    plain("acceptance", 110),
    plain("poCompletenessNo", 130),
    plain("deliveryKey", 110),
    plain("deliveryBatchNo", 110),
    plain("rruIcsScene", 130),
    listColumn("valueUnit", field("valueUnit"), "choice", 100, { choices: fixed(valueUnits, (one) => one) }),
    listColumn("valueQty", field("valueQty"), "number", 110),
    listColumn("eomonth", field("eomonth"), "month", 100),
    plain("rfcNumber", 110),
  ];
  const site: GridColumn[] = [
    plain("siteCode", 140, { sortable: true }),
    plain("siteName", 180, { ...shown, sortable: true }),
    plain("city", 110, { ...shown, sortable: true }),
    plain("address", 220, shown),
    listColumn("longitude", field("longitude"), "number", 110, shown),
    listColumn("latitude", field("latitude"), "number", 110, shown),
    listColumn("flowName", field("flow"), "text", 160, { ...shown, sortable: true }),
    listColumn("directMigrationSiteCode", field("directMigrationSite"), "text", 130),
    listColumn("decomSiteCode", field("decomSite"), "text", 130),
  ];
  return {
    groups: [
      { key: "du", title: text("groups.du"), columns: own },
      { key: "site", title: text("groups.site"), columns: site },
    ],
  };
}

/** Columns of the sites. */
export function siteHead(text: Text, value: Text): GridHead {
  const field = (key: string, title = key, width = 120, more: Partial<GridColumn> = {}) =>
    listColumn(key, text(`fields.${title}`), "text", width, more);
  const number = (key: string) => listColumn(key, text(`fields.${key}`), "number", 110);
  return {
    groups: [
      {
        key: "site",
        title: text("groups.place"),
        columns: [
          field("code", "siteCode", 140, { sortable: true }),
          field("name", "siteName", 200, { sortable: true }),
          field("siteNumber"),
          field("country"),
          field("province", "province", 120, { sortable: true }),
          field("city", "city", 120, { sortable: true }),
          field("town", "town", 120, { sortable: true }),
          field("address", "address", 260, { multiline: true }),
          field("postCode", "postCode", 90),
          number("longitude"),
          number("latitude"),
          field("siteScenario"),
          field("stateId"),
          field("stateName"),
          listColumn("status", text("fields.status"), "choice", 100, { choices: fixed(siteStatuses, (one) => value(`status.${one}`)) }),
          listColumn("duCount", text("fields.duCount"), "number", 90, { editable: false, quiet: true }),
        ],
      },
    ],
  };
}

/** Columns that stay at the left. */
export const lockedColumns = ["code", "name"];
