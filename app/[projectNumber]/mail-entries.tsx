"use client";
import type { EntryDialogProps } from "#components/rollout-plan/plan-entries.ts";
import { onDemand } from "#components/ui/on-demand.tsx";

const DuNotificationDialog = onDemand(
  () => import("#components/reminders/du-notification-dialog.tsx").then((module) => module.DuNotificationDialog),
  ["reminders"],
);

/** Writes mails about the chosen DUs. */
export function NotificationEntry({ selection, opened, duCode, onClose }: EntryDialogProps) {
  return "duIds" in selection ? <DuNotificationDialog opened={opened} duIds={selection.duIds} duCode={duCode} onClose={onClose} /> : null;
}
