import type { GridColumn, GridHead } from "#components/grid/grid-model.ts";
import { siteStatuses, valueUnits, workTypes } from "#lib/rollout-plan/dus/limits.ts";
import { masterColumn } from "./master-list.ts";

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
  const plain = (key: string, width: number, more: Partial<GridColumn> = {}) => masterColumn(key, field(key), "text", width, more);
  const own: GridColumn[] = [
    plain("code", 140, { sortable: true }),
    plain("name", 200, { sortable: true }),
    masterColumn("regionId", field("region"), "choice", 130, { choices: named(choices.regions), sortable: true }),
    masterColumn("subcontractorId", field("subcontractor"), "choice", 140, { choices: named(choices.subcontractors), sortable: true }),
    plain("deliveryType", 110, { sortable: true }),
    masterColumn("workType", field("workType"), "choice", 120, { choices: fixed(workTypes, (one) => value(`workType.${one}`)) }),
    plain("productType", 110, { sortable: true }),
    plain("productLine", 110, { sortable: true }),
    plain("scenarioType", 110),
    plain("projectCode", 110),
    plain("subProjectCode", 120, { sortable: true }),
    masterColumn("clusterPriority", field("clusterPriority"), "number", 90),
    masterColumn("rfiPriority", field("rfiPriority"), "number", 90),
    masterColumn("allowDirectMoving", field("allowDirectMoving"), "flag", 110),
    plain("acceptance", 110),
    plain("poCompletenessNo", 130),
    plain("deliveryKey", 110),
    plain("deliveryBatchNo", 110),
    plain("rruIcsScene", 130),
    masterColumn("valueUnit", field("valueUnit"), "choice", 100, { choices: fixed(valueUnits, (one) => one) }),
    masterColumn("valueQty", field("valueQty"), "number", 110),
    masterColumn("eomonth", field("eomonth"), "month", 100),
    plain("rfcNumber", 110),
  ];
  const site: GridColumn[] = [
    plain("siteCode", 140, { ...shown, sortable: true }),
    plain("siteName", 180, { ...shown, sortable: true }),
    plain("city", 110, { ...shown, sortable: true }),
    plain("address", 220, shown),
    masterColumn("longitude", field("longitude"), "number", 110, shown),
    masterColumn("latitude", field("latitude"), "number", 110, shown),
    masterColumn("flowName", field("flow"), "text", 160, { ...shown, sortable: true }),
    masterColumn("directMigrationSiteCode", field("directMigrationSite"), "text", 130, shown),
    masterColumn("decomSiteCode", field("decomSite"), "text", 130, shown),
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
    masterColumn(key, text(`fields.${title}`), "text", width, more);
  const number = (key: string) => masterColumn(key, text(`fields.${key}`), "number", 110);
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
          masterColumn("status", text("fields.status"), "choice", 100, { choices: fixed(siteStatuses, (one) => value(`status.${one}`)) }),
          masterColumn("duCount", text("fields.duCount"), "number", 90, { editable: false, quiet: true }),
        ],
      },
    ],
  };
}

/** Columns that stay at the left. */
export const lockedColumns = ["code", "name"];
