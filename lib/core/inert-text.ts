// Spreadsheet programs take these at the start of a cell for a formula; in the wide forms of Chinese and Japanese keyboards too.
const formulaStart = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** Whether a spreadsheet program could take a text for a formula. */
export const looksLikeFormula = (text: string): boolean => formulaStart.test(text);

/** One line of a csv file: cells that look like formulas get a mark that makes them text, and everything is quoted that needs it. */
export function csvLine(cells: readonly string[]): string {
  return cells
    .map((cell) => (looksLikeFormula(cell) ? `'${cell}` : cell))
    .map((cell) => (/[",;\t\r\n]/.test(cell) || cell !== cell.trim() ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(",");
}
