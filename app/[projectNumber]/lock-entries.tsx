"use client";
import type { EntryDialogProps } from "#components/rollout-plan/plan-entries.ts";
import type { LockVerb } from "#components/scheduling/lock-dialog.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import type { PermissionCode } from "#lib/permissions.ts";

const LockDialog = onDemand(() => import("#components/scheduling/lock-dialog.tsx").then((module) => module.LockDialog), ["scheduling"]);

/** The dialog of a verb for the chosen DUs. A lock is ended by its own verb, so no undo is offered. */
function lockEntry(verb: LockVerb) {
  return function LockEntry({ selection, onApplied, onSelect: _onSelect, ...rest }: EntryDialogProps) {
    if (!("duIds" in selection)) return null;
    return <LockDialog {...rest} verb={verb} duIds={selection.duIds} onApplied={({ done }) => onApplied({ batchId: null, cells: done })} />;
  };
}

/** Fixing and freezing of activities as commands of the plan, each with the right it needs. */
export const lockEntries: readonly { verb: LockVerb; right: PermissionCode; dialog: ReturnType<typeof lockEntry> }[] = [
  { verb: "fix", right: "plan.fixDate", dialog: lockEntry("fix") },
  { verb: "unfix", right: "plan.fixDate", dialog: lockEntry("unfix") },
  { verb: "freeze", right: "plan.freeze", dialog: lockEntry("freeze") },
  { verb: "unfreeze", right: "plan.frozenChange", dialog: lockEntry("unfreeze") },
];
