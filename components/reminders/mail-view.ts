import type { Tone } from "#components/ui/status-tag.tsx";
import type { Filter } from "#lib/core/paging.ts";
import { type MailStatus, ownReasons } from "#lib/reminders/outbox/limits.ts";

/** Name of a kind in the messages, where a dot would begin a new level. */
export const kindKey = (kind: string): string => kind.replaceAll(".", "-");

const tones: Record<MailStatus, Tone> = {
  QUEUED: "neutral",
  SENDING: "info",
  SENT: "ok",
  RETRY: "warn",
  FAILED: "danger",
  UNCERTAIN: "warn",
  BOUNCED: "danger",
  CANCELLED: "neutral",
};
export const toneOf = (status: MailStatus): Tone => tones[status];

/** Groups of states a list can be narrowed to. */
export const groups = {
  any: [],
  waiting: ["QUEUED", "SENDING", "RETRY"],
  sent: ["SENT"],
  trouble: ["UNCERTAIN", "FAILED", "BOUNCED", "CANCELLED"],
} as const satisfies Record<string, readonly MailStatus[]>;
export type Group = keyof typeof groups;

/** Whether a text of an address names a group. */
export const isGroup = (text: string | undefined): text is Group => text !== undefined && Object.hasOwn(groups, text);

/** Mails of a group, by the counts of their states. */
export function countOf(group: Group, counts: Partial<Record<MailStatus, number>>): number {
  const states: readonly MailStatus[] = groups[group].length > 0 ? groups[group] : (Object.keys(counts) as MailStatus[]);
  return states.reduce((sum, status) => sum + (counts[status] ?? 0), 0);
}

/** Filters of the list call. */
export function filtersOf(group: Group, receiver: string): Filter[] {
  const filters: Filter[] = [];
  if (groups[group].length > 0) filters.push({ field: "status", type: "in", values: [...groups[group]] });
  if (receiver.trim()) filters.push({ field: "to", type: "like", values: [receiver.trim()] });
  return filters;
}

/** Whether a last error is a reason of the product, which has its text in every language; else it is what the mail server said. */
export function isOwnReason(error: string | null): error is (typeof ownReasons)[number] {
  return (ownReasons as readonly (string | null)[]).includes(error);
}
