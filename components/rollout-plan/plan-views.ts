import type { ComponentType, ReactNode } from "react";
import type { GridHead } from "#components/grid/grid-model.ts";
import type { LockedDates, LockedDatesEntry } from "./locked-dates.ts";
import type { PlanCells } from "./plan-cells.ts";
import type { PlanHead } from "./plan-columns.ts";
import type { PlanDesk } from "./plan-desk.ts";
import type { EntryAnchor, EntrySelection, PlanEntry } from "./plan-entries.ts";
import type { PlanQuestion } from "./plan-filters.ts";

/** The view that is there without being read on demand, and the one shown where another is not known. */
export const gridViewKey = "grid";

/** What a view gets: the question and its result, the chosen rows and the unsaved edits, all shared with the grid. */
export type PlanViewProps = {
  /** Rows, unsaved edits and chosen rows (`desk.grid.rows`). */
  desk: PlanDesk;
  planHead: PlanHead;
  head: GridHead;
  cells: PlanCells;
  question: PlanQuestion;
  /** The kept result on the server; null until the first question is answered. */
  queryId: string | null;
  /** DUs that fit; null where their number is hidden or not known yet. */
  total: number | null;
  /** Counts changes of the rows by anybody: what a view read before is read again. */
  moved: number;
  /** Shows the DU in the grid. */
  onOpen: (duId: number) => void;
  /** Opens the master data of a site, or of the site of a DU. */
  onSite: (of: "site" | "du", id: number) => void;
  /** Shown instead of the view where no DU fits or the question failed. */
  empty: ReactNode;
  /** What the person chose inside this view, kept with the home page; the view owns the form. */
  options: unknown;
  onOptions: (options: Record<string, unknown>) => void;
  /** The kept result is gone: asks the same question again. */
  onExpired: () => void;
  /** Cells were written past the unsaved edits: offers the undo and reads what changed. */
  onApplied: (result: { batchId: number | null; cells: number }) => void;
  /** Which locked plan dates the person may change with a reason, and the dialog for it. */
  lockedDates: LockedDatesEntry;
  onLockedDates: (dates: LockedDates) => void;
  /** Commands of other areas the person may use, and how one is opened, for other DUs than the chosen ones too. */
  entries: readonly PlanEntry[];
  onEntry: (entry: PlanEntry, at?: { selection: EntrySelection; anchor?: EntryAnchor }) => void;
};

/** A view of the plan beside the grid, or the screen of another address that shows the same. The page names those that exist. */
export type PlanView = { key: string; label: string } & ({ view: ComponentType<PlanViewProps> } | { href: string });

/** The master data of a site, handed in by the page. */
export type SiteDialogProps = { of: "site" | "du"; id: number; onClose: () => void };

/** The view to show for a wanted one: null is the grid, also where the wanted one does not exist. */
export function viewToShow(views: readonly PlanView[], wanted: string): ComponentType<PlanViewProps> | null {
  const found = views.find((given) => given.key === wanted);
  return found && "view" in found ? found.view : null;
}
