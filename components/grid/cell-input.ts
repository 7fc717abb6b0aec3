import { readDay, readMonth } from "./date-input.ts";
import type { CellValue, GridColumn, GridSource } from "./grid-model.ts";

/** What typed or pasted text means in a column: a value, or text that stays in the cell as it is and is refused. */
export type CellReading = { ok: true; value: CellValue } | { ok: false; typed: string };

function readNumber(text: string): number | undefined {
  const plain = text
    .normalize("NFKC")
    .trim()
    .replace(/(?<=\d)[,\s'](?=\d{3}(\D|$))/g, "");
  return /^[-+]?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : undefined;
}

const yes = new Set(["y", "yes", "true", "1", "是", "はい"]);
const no = new Set(["n", "no", "false", "0", "否", "いいえ"]);

function readFlag(text: string): boolean | undefined {
  const word = text.normalize("NFKC").trim().toLowerCase();
  return yes.has(word) ? true : no.has(word) ? false : undefined;
}

// Equal words may stand below several values of the parent: only those below its present one are meant.
function readChoice(text: string, column: GridColumn, above: CellValue | undefined): string | undefined {
  const word = text.trim().toLowerCase();
  const found = column.choices?.find(
    (choice) =>
      (choice.value.toLowerCase() === word || choice.label.toLowerCase() === word) &&
      (above === undefined || choice.parent === undefined || choice.parent === above),
  );
  return found?.value;
}

/**
 * Reads text as a value of the column. Blank text and a lone dash mean empty.
 * @param above value of the column that says which choices are offered; undefined where the row does not show it
 */
export function readCell(text: string, column: GridColumn, source?: Pick<GridSource, "read">, above?: CellValue): CellReading {
  const trimmed = text.trim();
  if (trimmed === "" || (trimmed === "-" && column.kind !== "text")) return { ok: true, value: null };
  const value = readFilled(text, column, source, above);
  return value === undefined ? { ok: false, typed: trimmed } : { ok: true, value };
}

function readFilled(
  text: string,
  column: GridColumn,
  source: Pick<GridSource, "read"> | undefined,
  above: CellValue | undefined,
): CellValue | undefined {
  switch (column.kind) {
    case "date":
      return readDay(text);
    case "month":
      return readMonth(text);
    case "number":
      return readNumber(text);
    case "flag":
      return readFlag(text);
    case "choice":
      return column.choices ? readChoice(text, column, above) : source?.read?.(text, column);
    case "people":
      return source?.read?.(text, column);
    case "text":
      return column.multiline ? text.trim() : text.trim().replace(/\s*\n\s*/g, " ");
    default:
      return undefined;
  }
}
