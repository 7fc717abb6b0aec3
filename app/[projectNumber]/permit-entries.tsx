"use client";
import type { EntryDialogProps } from "#components/rollout-plan/plan-entries.ts";
import { onDemand } from "#components/ui/on-demand.tsx";

const PermitDialog = onDemand(() => import("#components/permits/permit-dialog.tsx").then((module) => module.PermitDialog), ["permits"]);
const PermitList = onDemand(() => import("#components/permits/permit-list.tsx").then((module) => module.PermitList), ["permits"]);
const ApplyPlanDialog = onDemand(
  () => import("#components/templates/apply-plan-dialog.tsx").then((module) => module.ApplyPlanDialog),
  ["templates"],
);

/** Applies for a permit for the chosen DUs. */
export function PermitEntry({ selection, opened, duCode, onClose }: EntryDialogProps) {
  return "duIds" in selection ? <PermitDialog opened={opened} duIds={selection.duIds} duCode={duCode} onClose={onClose} /> : null;
}

/** Applications for permits, of the chosen DUs where there are some. */
export function PermitsEntry({ selection, opened, onClose }: EntryDialogProps) {
  return <PermitList opened={opened} duIds={"duIds" in selection ? selection.duIds : null} onClose={onClose} />;
}

/** Binds the chosen DUs and fills their owners by a plan template. */
export function ApplyPlanEntry({ selection, ...rest }: EntryDialogProps) {
  return "duIds" in selection ? <ApplyPlanDialog {...rest} duIds={selection.duIds} /> : null;
}
