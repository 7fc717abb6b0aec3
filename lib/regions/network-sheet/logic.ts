import { type CheckedRow, type FieldProblem, type ImportField, type ImportRow, nameKey } from "#lib/imports/kind/logic.ts";
import { networkRegionNameChars } from "../networks/limits.ts";
import { otherNames, type SheetColumn, sheetColumns } from "./limits.ts";

/** Titles of the columns in the reader's language, and their names in all. */
export type SheetTexts = { title: (column: SheetColumn) => string; names: (column: SheetColumn) => string[] };

/** Fields a column of a file can be mapped to. */
export const networkFields = (texts: SheetTexts): ImportField[] =>
  sheetColumns.map((key) => ({
    key,
    title: texts.title(key),
    type: "text",
    group: "region",
    names: [...texts.names(key), ...otherNames[key]],
    required: key === "networkRegion",
  }));

export type Named = { id: number; name: string };
/** What is there: network regions with their delivery region, and delivery regions in use, by `nameKey`. */
export type NetworkFacts = { networks: Map<string, Named & { region: string | null }>; regions: Map<string, Named> };

/** What one row wants: a network region, mapped where the row names a delivery region. */
export type NetworkWork = {
  row: ImportRow;
  name: string;
  stored: (Named & { region: string | null }) | null;
  region: Named | null;
  changes: CheckedRow["changes"];
  problems: FieldProblem[];
};

/** What a row wants of the network region it names, with everything that is wrong about it. */
export function networkWork(row: ImportRow, facts: NetworkFacts, seen: Map<string, number>): NetworkWork {
  const name = String(row.values.networkRegion ?? "").trim();
  const asked = String(row.values.region ?? "").trim();
  const work: NetworkWork = { row, name, stored: null, region: null, changes: [], problems: [...row.problems] };
  const refuse = (path: string, problem: Omit<FieldProblem, "path">) => work.problems.push({ path, ...problem });
  if (name === "") {
    if (work.problems.length === 0) refuse("networkRegion", { code: "VALUE_MISSING" });
    return work;
  }
  if ([...name].length > networkRegionNameChars)
    refuse("networkRegion", { code: "NAME_TOO_LONG", params: { max: networkRegionNameChars } });
  const key = nameKey(name);
  const first = seen.get(key);
  if (first !== undefined) refuse("networkRegion", { code: "REPEATED_IN_FILE", params: { row: first } });
  else seen.set(key, row.no);
  work.stored = facts.networks.get(key) ?? null;
  work.region = asked === "" ? null : (facts.regions.get(nameKey(asked)) ?? null);
  if (asked !== "" && !work.region) refuse("region", { code: "REGION_UNKNOWN", params: { value: asked } });
  if (work.problems.length > 0) return work;
  if (!work.stored) work.changes.push(["networkRegion", null, name]);
  if (work.region && work.region.name !== work.stored?.region) work.changes.push(["region", work.stored?.region ?? null, work.region.name]);
  return work;
}

/** What would become of a row. */
export function checkedRow({ row, stored, changes, problems }: NetworkWork): CheckedRow {
  const outcome = problems.length > 0 ? "rejected" : stored === null ? "new" : changes.length > 0 ? "changed" : "unchanged";
  return { no: row.no, outcome, changes: problems.length > 0 ? [] : changes, problems };
}
