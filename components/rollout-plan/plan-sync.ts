import type { HeldValue } from "#lib/core/held-value.ts";

/** When the rows were last those of the server, and whether the last try to bring them up to date failed. */
export type Synced = { at: Date | null; failed: boolean };

/** Held apart from the page: it moves every few seconds, and nothing but the note that tells it is drawn anew. */
export type PlanSync = HeldValue<Synced>;

export const neverSynced: Synced = { at: null, failed: false };

/** The rows were asked for: are those shown the ones of now? */
export function tellSynced(sync: PlanSync, isSynced: boolean): void {
  sync.set({ at: isSynced ? new Date() : sync.get().at, failed: !isSynced });
}
