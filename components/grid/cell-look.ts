import type { Lock, Status } from "#components/ui/glyph-paths.ts";
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

const loadingClasses: readonly CellClass[] = ["loading"];
const outsideClasses: readonly CellClass[] = ["outside"];

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
  const classes: CellClass[] = [];
  const spoken: string[] = [];
  let mark: CellGlyph | null = null;
  if (state.spoken) spoken.push(state.spoken);
  if (state.status) classes.push("tone", `tone_${state.status}`);
  else if (column.quiet) classes.push("quiet");
  if (column.align) classes.push(column.align);
  if (state.lock && !edit) {
    classes.push("sunk");
    mark = state.lock;
    spoken.push(words.lock[state.lock]);
  }
  if (state.shift && !edit) {
    classes.push(`shift_${state.shift.kind}`);
    mark = state.shift.kind;
  }
  if (state.note && mark === null) {
    mark = state.note.mark;
    spoken.push(state.note.text);
  }
  // The paint stays where a lock takes the place of the mark.
  if (state.note?.mark === "waitsLong" || state.note?.mark === "exceeds") classes.push(state.note.mark);
  if (edit) {
    classes.push("dirty");
    spoken.push(words.unsaved);
    if (edit.refusal) {
      classes.push("refused");
      mark = "refused";
      spoken.push(words.refused, edit.refusal.cause);
    } else if (edit.conflict) {
      classes.push("conflict");
      mark = "conflict";
      spoken.push(words.conflict);
    } else if (edit.warning) {
      classes.push("warned");
      mark = "warning";
      spoken.push(words.warning, edit.warning.cause);
    }
  }
  return {
    text: shown,
    classes,
    lead: state.status ?? null,
    mark,
    spoken: spoken.length > 0 ? [...new Set([shown, ...spoken])].filter(Boolean).join(", ") : null,
    // A fixed plan is pinned for scheduling, people may still move it.
    readOnly: !column.editable || (state.lock !== undefined && state.lock !== "fixed"),
  };
}
