import { type Cell, cellText } from "#lib/core/workbook-cell.ts";
import type { AttributeRow } from "../queries.ts";
import type { DefinitionColumn } from "./limits.ts";

/** A row of the workbook: the attribute it stands for and its cells by column. */
export type DefinitionRow = { no: number; id: number | null; cells: Partial<Record<DefinitionColumn, Cell>> };

const titleOf = ({ type, enums }: AttributeRow, value: string | null): string | null =>
  type === "ENUM" || type === "LOOKUP_ENUM" ? (enums.find(({ id }) => String(id) === value)?.value ?? null) : value;

/** Cells of an attribute in the order of the columns; choices stand one a line, those that are not offered are left out. */
export function definitionCells(attribute: AttributeRow): Cell[] {
  return [
    attribute.id,
    attribute.name,
    attribute.standardName,
    attribute.type,
    attribute.classification,
    attribute.required,
    attribute.visibleCustomer,
    attribute.visibleSubcon,
    attribute.editableSubcon,
    attribute.mobileDisplay,
    attribute.inRolloutPlan,
    attribute.type === "ENUM"
      ? attribute.enums
          .filter(({ active }) => active)
          .map(({ value }) => value)
          .join("\n")
      : null,
    titleOf(attribute, attribute.defaultValue),
    titleOf(attribute, attribute.projectDefaultValue),
    attribute.sortNo,
    attribute.remark,
  ];
}

const flagColumns = ["required", "visibleCustomer", "visibleSubcon", "editableSubcon", "mobileDisplay", "inRolloutPlan"] as const;
const yes = /^(true|yes|y|1|是|はい)$/i;

/** What saving the attribute takes once the cells of its row are put in place of what it holds; columns the file does not have stay. */
export function inputOfRow(attribute: AttributeRow, { cells }: DefinitionRow): Record<string, unknown> {
  const text = (column: DefinitionColumn, present: string | null) =>
    column in cells ? cellText(cells[column] ?? null).trim() : (present ?? "");
  const flags = Object.fromEntries(
    flagColumns.map((flag) => [flag, flag in cells ? yes.test(cellText(cells[flag] ?? null).trim()) : attribute[flag]]),
  );
  const lines = text("choices", null)
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean);
  const known = new Map(attribute.enums.map((choice) => [choice.value.toLowerCase(), choice]));
  const offered = lines.map((value) => ({
    ...(known.has(value.toLowerCase()) ? { id: known.get(value.toLowerCase())?.id } : {}),
    value,
    active: true,
  }));
  const kept = new Set(offered.map(({ id }) => id));
  // A choice that is no longer named stays where it is stored, and is not offered any more.
  const withdrawn = attribute.enums.filter(({ id }) => !kept.has(id)).map(({ id, value }) => ({ id, value, active: false }));
  const sortNo = "sortNo" in cells ? Number(cellText(cells.sortNo ?? null)) : attribute.sortNo;
  return {
    id: attribute.id,
    rowVersion: attribute.rowVersion,
    name: text("name", attribute.name),
    standardName: text("standardName", attribute.standardName),
    type: text("type", attribute.type).toUpperCase(),
    level: attribute.level,
    classification: text("classification", attribute.classification),
    valueLimit: attribute.valueLimit,
    duTabId: attribute.duTabId,
    lookupListId: attribute.lookupListId,
    lookupParentId: attribute.lookupParentId,
    ...flags,
    enums: attribute.type === "ENUM" ? ("choices" in cells ? [...offered, ...withdrawn] : attribute.enums) : offered,
    defaultValue: text("defaultValue", titleOf(attribute, attribute.defaultValue)),
    projectDefaultValue: text("projectDefaultValue", titleOf(attribute, attribute.projectDefaultValue)),
    editablePersonControl: attribute.editablePersonControl,
    editablePersonIds: attribute.editablePersons.map(({ id }) => id),
    users: attribute.users.map(({ id, mode }) => ({ userId: id, mode })),
    flowIds: attribute.flows.map(({ id }) => id),
    sortNo,
    remark: text("remark", attribute.remark),
  };
}

/** Whether a row says anything else than what the attribute holds. */
export function isChanged(attribute: AttributeRow, row: DefinitionRow, columns: readonly DefinitionColumn[]): boolean {
  const present = definitionCells(attribute);
  const plain = (cell: Cell) => cellText(cell).trim().replace(/\r\n/g, "\n");
  return columns.some((column, at) => column in row.cells && plain(row.cells[column] ?? null) !== plain(present[at] ?? null));
}
