import { sortMax } from "#lib/regions/limits.ts";
import type { NetworkRegion } from "#lib/regions/networks/queries.ts";
import type { RegionRow } from "#lib/regions/queries.ts";

/** A region as it stands on the screen: a stored one with its edits, or a new one. `key` lasts as long as the screen. */
export type Draft = { key: string; stored: RegionRow | null; name: string; networkRegionIds: number[] };

/** The stored regions as drafts without an edit. */
export const draftsOf = (regions: readonly RegionRow[]): Draft[] =>
  regions.map((stored) => ({
    key: `r${stored.id}`,
    stored,
    name: stored.name,
    networkRegionIds: stored.networkRegions.map(({ id }) => id),
  }));

const sameIds = (a: readonly number[], b: readonly number[]) => a.length === b.length && a.every((id) => b.includes(id));

/** Whether a draft differs from what is stored. */
export const isEdited = ({ stored, name, networkRegionIds }: Draft): boolean =>
  stored === null ||
  stored.name !== name.trim() ||
  !sameIds(
    networkRegionIds,
    stored.networkRegions.map(({ id }) => id),
  );

/** Network regions no draft has. */
export function unmappedOf(networks: readonly NetworkRegion[], drafts: readonly Draft[]): NetworkRegion[] {
  const mapped = new Set(drafts.flatMap(({ networkRegionIds }) => networkRegionIds));
  return networks.filter(({ id }) => !mapped.has(id));
}

/** Drafts after network regions went to one of them, or to none. */
export const moveTo = (drafts: readonly Draft[], ids: readonly number[], key: string | null): Draft[] =>
  drafts.map((draft) => {
    const left = draft.networkRegionIds.filter((id) => !ids.includes(id));
    return draft.key === key
      ? { ...draft, networkRegionIds: [...left, ...ids] }
      : left.length === draft.networkRegionIds.length
        ? draft
        : { ...draft, networkRegionIds: left };
  });

/** Drafts after the names of a pasted text, one a line, came to them; a name that is there already comes once. */
export function withPasted(drafts: readonly Draft[], text: string): Draft[] {
  const known = new Set(drafts.map(({ name }) => name.trim().toLowerCase()));
  const added = text
    .split(/[\n\t]+/)
    .map((line) => line.trim())
    .filter((line) => {
      const key = line.toLowerCase();
      if (line === "" || known.has(key)) return false;
      known.add(key);
      return true;
    });
  const at = Date.now();
  return [...drafts, ...added.map((name, index) => ({ key: `n${at}.${index}`, stored: null, name, networkRegionIds: [] }))];
}

/** What a save of the drafts sends: those that are new or changed, in their order. */
export const changedDrafts = (drafts: readonly Draft[]) =>
  drafts.flatMap((draft, index) =>
    isEdited(draft)
      ? [
          {
            ...(draft.stored && { id: draft.stored.id, rowVersion: draft.stored.rowVersion }),
            name: draft.name.trim(),
            sortNo: draft.stored?.sortNo ?? Math.min(sortMax, index + 1),
            networkRegionIds: draft.networkRegionIds,
          },
        ]
      : [],
  );
