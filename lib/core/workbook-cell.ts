/** A cell as it travels: text, number, truth, nothing, or a day or moment in ISO form. */
export type Cell = string | number | boolean | null | { d: string };

/** A row with its number in the file, counted from 1; `json` is the text of its cells where it came as one. */
export type SheetRow = { no: number; cells: Cell[]; json?: string };

const errorCells = new Set(["#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A", "#GETTING_DATA", "#SPILL!", "#CALC!"]);

/** Whether the cell shows one of the error marks of a spreadsheet program. */
export const isErrorCell = (cell: Cell): boolean => typeof cell === "string" && errorCells.has(cell);

/** A cell as the text a person would type for it. */
export function cellText(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "string") return cell;
  if (typeof cell === "number") return numberText(cell);
  if (typeof cell === "boolean") return cell ? "TRUE" : "FALSE";
  return cell.d;
}

/** Whether the cell holds nothing but blanks. */
export const isBlank = (cell: Cell): boolean => cell === null || (typeof cell === "string" && cell.trim() === "");

// Spreadsheets keep 15 figures; more are noise of the binary form (0.1 + 0.2).
function numberText(value: number): string {
  const rounded = Number(value.toPrecision(15));
  if (Number.isInteger(rounded) && Math.abs(rounded) < 1e21) return BigInt(rounded).toString();
  const text = String(rounded);
  return text.includes("e") ? rounded.toFixed(12).replace(/0+$/, "").replace(/\.$/, "") : text;
}

const dayMs = 86_400_000;

/** The ISO form of a spreadsheet date: a day, or day and time when it has one. A time is a share of a day and may miss its second by a hair. */
export function momentText(date: Date): string {
  const time = Math.round(date.getTime() / 1000) * 1000;
  const iso = new Date(time).toISOString();
  return time % dayMs === 0 ? iso.slice(0, 10) : iso.slice(0, 19);
}

/** The serial number spreadsheets give an ISO day (2000-01-01 = 36526) or moment. */
export function serialOf(iso: string): number {
  return Date.parse(iso.length === 10 ? `${iso}T00:00:00Z` : `${iso}Z`) / dayMs + 25_569;
}

/** The ISO day of a serial number of a spreadsheet (1900 system). */
export const dayOfSerial = (serial: number): string => new Date((Math.floor(serial) - 25_569) * dayMs).toISOString().slice(0, 10);
