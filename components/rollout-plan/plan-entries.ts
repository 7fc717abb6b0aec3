import type { ComponentType, ReactNode } from "react";
import type { PermissionCode } from "#lib/permissions.ts";

/** DUs an entry works on: chosen ones, or all of the present query. */
export type EntrySelection = { duIds: number[] } | { queryId: string; count?: number | null };

export type EntryDialogProps = {
  selection: EntrySelection;
  opened: boolean;
  onClose: () => void;
  /** Tells the plan that cells were written, and the batch that can be undone. */
  onApplied: (result: { batchId: number | null; cells: number }) => void;
  /** Closes the dialog and chooses the rows of these DUs, such as the refused ones. */
  onSelect: (duIds: readonly number[]) => void;
  /** Code of a DU, for texts. */
  duCode: (duId: number) => string;
  /** The activity of the DU whose cell the entry was opened at. */
  cell?: { duId: number; activityId: number } | undefined;
  /** Dates of an activity from which to go on, as they stand in a view, saved or not. */
  anchor?: EntryAnchor | undefined;
};

export type EntryAnchor = { activityId: number; start: string | null; end: string | null };

/**
 * A command of another area on this page: the page composes them, so that the plan does not import the areas.
 * `place`: in the page bar, in the batch menu beside the plan's own, or in the menu of an activity's cells; `rows`: it needs chosen rows; `rowsMax`: so many DUs at most; `menu`: entries of the same name share one menu;
 * `steps`: it stands for the steps of an activity that has some, and is opened by its actual dates too.
 */
export type PlanEntry = {
  key: string;
  right: PermissionCode;
  label: string;
  icon?: ReactNode;
  place: "bar" | "batch" | "quiet" | "cell";
  rows?: boolean;
  rowsMax?: number;
  menu?: string;
  steps?: true;
} & ({ dialog: ComponentType<EntryDialogProps> } | { href: string });
