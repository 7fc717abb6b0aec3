import { type Lock, type Status, statuses } from "#components/ui/glyph-paths.ts";
import type { CellGlyph } from "./cell-glyphs.ts";
import type { CellEdit, CellShift, CellState, GridColumn } from "./grid-model.ts";

/** Classes of `planning-grid.module.css` a cell can carry because of what it holds. */
export type CellClass =
  | "dirty"
  | "refused"
  | "warned"
  | "conflict"
  | "sunk"
  | "outside"
  | "loading"
  | "waitsLong"
  | "exceeds"
  | "quiet"
  | "end"
  | `shift_${CellShift["kind"]}`
  | "tone"
  | `tone_${Status}`;

/** A cell as it is drawn. */
export type CellLook = {
  text: string;
  classes: readonly CellClass[];
  lead: CellGlyph | null;
  mark: CellGlyph | null;
  /** What a screen reader says where text alone is not enough. */
  spoken: string | null;
  /** Cannot be edited, as far as can be told without asking every rule. */
  readOnly: boolean;
};

/** Words for screen readers. */
export type LookWords = Record<"refused" | "warning" | "conflict" | "unsaved" | "outside" | "loading", string> & {
  lock: Record<Lock, string>;
};

const none: readonly CellClass[] = [];
const longer = new Map<readonly CellClass[], Map<CellClass, readonly CellClass[]>>();

/** A list of classes with one more. Each list is made once, so that what follows from it can be kept by it: a scroll draws thousands of cells a second. */
function and(list: readonly CellClass[], name: CellClass): readonly CellClass[] {
  const known = longer.get(list) ?? new Map<CellClass, readonly CellClass[]>();
  const found = known.get(name) ?? [...list, name];
  if (!known.has(name)) longer.set(list, known.set(name, found));
  return found;
}

const loadingClasses = and(none, "loading");
const outsideClasses = and(none, "outside");
const toned = and(none, "tone");
const toneClasses = Object.fromEntries(statuses.map((status) => [status, and(toned, `tone_${status}`)])) as Record<
  Status,
  readonly CellClass[]
>;
const quietClasses = and(none, "quiet");

/** Classes a cell has whatever else is said of it. */
function baseClasses({ quiet, align }: GridColumn, status: Status | undefined): readonly CellClass[] {
  const base = status ? toneClasses[status] : quiet ? quietClasses : none;
  return align ? and(base, align) : base;
}

/** What is said of a cell behind its text, each word once. */
function said(text: string, words: readonly string[]): string | null {
  const [word] = words;
  if (word === undefined) return null;
  // Every status that scrolls by has one.
  if (words.length === 1) return text === "" || text === word ? word : `${text}, ${word}`;
  return [...new Set([text, ...words])].filter(Boolean).join(", ");
}

/** A cell of a row that has not arrived. */
export function loadingLook(words: LookWords): CellLook {
  return { text: "", classes: loadingClasses, lead: null, mark: null, spoken: words.loading, readOnly: true };
}

/**
 * How a cell is drawn from what the data says of it and what is unsaved. Later marks win: a refusal hides a conflict, either hides a lock.
 * @param text text of the wanted value, or of the saved one
 */
export function cellLook(column: GridColumn, text: string, state: CellState, edit: CellEdit | undefined, words: LookWords): CellLook {
  if (state.outside) return { text: "", classes: outsideClasses, lead: null, mark: null, spoken: words.outside, readOnly: true };
  const shown = edit?.typed ?? (state.shift && !edit ? [text, state.shift.text].filter(Boolean).join(" ") : text);
  let classes = baseClasses(column, state.status);
  const spoken: string[] = [];
  let mark: CellGlyph | null = null;
  if (state.spoken) spoken.push(state.spoken);
  if (state.lock && !edit) {
    classes = and(classes, "sunk");
    mark = state.lock;
    spoken.push(words.lock[state.lock]);
  }
  if (state.shift && !edit) {
    classes = and(classes, `shift_${state.shift.kind}`);
    mark = state.shift.kind;
  }
  if (state.note && mark === null) {
    mark = state.note.mark;
    spoken.push(state.note.text);
  }
  // The paint stays where a lock takes the place of the mark.
  if (state.note?.mark === "waitsLong" || state.note?.mark === "exceeds") classes = and(classes, state.note.mark);
  if (edit) {
    classes = and(classes, "dirty");
    spoken.push(words.unsaved);
    if (edit.refusal) {
      classes = and(classes, "refused");
      mark = "refused";
      spoken.push(words.refused, edit.refusal.cause);
    } else if (edit.conflict) {
      classes = and(classes, "conflict");
      mark = "conflict";
      spoken.push(words.conflict);
    } else if (edit.warning) {
      classes = and(classes, "warned");
      mark = "warning";
      spoken.push(words.warning, edit.warning.cause);
    }
  }
  return {
    text: shown,
    classes,
    lead: state.status ?? null,
    mark,
    spoken: said(shown, spoken),
    // A fixed plan is pinned for scheduling, people may still move it.
    readOnly: !column.editable || (state.lock !== undefined && state.lock !== "fixed"),
  };
}
