/** Splits tab-separated text as spreadsheets put it on the clipboard: cells with breaks or quotes stand in double quotes. */
export function parseTable(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let quoted = false;
  const endCell = () => {
    row.push(cell);
    cell = "";
  };
  const endRow = () => {
    endCell();
    rows.push(row);
    row = [];
  };
  const plain = text.replace(/\r\n?/g, "\n");
  for (let at = 0; at < plain.length; at++) {
    const char = plain[at];
    if (quoted) {
      if (char !== '"') cell += char;
      else if (plain[at + 1] === '"') {
        cell += '"';
        at++;
      } else quoted = false;
    } else if (char === '"' && cell === "" && closesLater(plain, at)) quoted = true;
    else if (char === "\t") endCell();
    else if (char === "\n") endRow();
    else cell += char;
  }
  if (cell !== "" || row.length > 0) endRow();
  return rows;
}

/** A quote opens a quoted cell only when its closing quote ends a cell; otherwise it is an inch mark. */
function closesLater(text: string, open: number): boolean {
  for (let at = open + 1; at < text.length; at++) {
    if (text[at] !== '"') continue;
    if (text[at + 1] === '"') at++;
    else return at + 1 === text.length || text[at + 1] === "\t" || text[at + 1] === "\n";
  }
  return false;
}

/** Joins cells for the clipboard, the inverse of `parseTable`. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map((cell) => (/["\t\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join("\t")).join("\n");
}
