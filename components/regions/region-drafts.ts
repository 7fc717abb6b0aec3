import { sortMax } from "#lib/regions/limits.ts";
import type { NetworkRegion } from "#lib/regions/networks/queries.ts";
import type { RegionRow } from "#lib/regions/queries.ts";
import type { Regions } from "./use-regions.ts";

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

/** Whether a draft has the name and the network regions of a region. */
const isLike = ({ name, networkRegionIds }: Pick<Draft, "name" | "networkRegionIds">, region: RegionRow): boolean =>
  region.name === name.trim() &&
  sameIds(
    networkRegionIds,
    region.networkRegions.map(({ id }) => id),
  );

/** Whether a draft differs from what is stored. */
export const isEdited = (draft: Draft): boolean => draft.stored === null || !isLike(draft, draft.stored);

/**
 * Drafts once the regions were read again: what is edited stays, the rest is as it is stored now. An edit goes on from the present revision unless others
 * have changed the name or the network regions it was made upon: then it keeps the one it had, and its save is refused as stale.
 */
export function mergeDrafts(drafts: readonly Draft[], { regions, networks }: Regions): Draft[] {
  const known = new Set(networks.map(({ id }) => id));
  const now = new Map(regions.map((region) => [region.id, region]));
  const kept = drafts.filter(isEdited).flatMap((draft): Draft[] => {
    const { stored } = draft;
    const own = { ...draft, networkRegionIds: draft.networkRegionIds.filter((id) => known.has(id)) };
    if (!stored) return regions.some((region) => isLike(own, region)) ? [] : [own];
    const present = now.get(stored.id);
    if (!present) return [];
    const [base] = draftsOf([stored]);
    const isBase = present.rowVersion === stored.rowVersion || isLike(base as Draft, present) || isLike(own, present);
    return [isBase ? { ...own, stored: present } : own];
  });
  const edits = new Map(kept.map((draft) => [draft.stored?.id, draft]));
  // A network region is with one region alone: with the one it was given here.
  const placed = new Set(kept.flatMap(({ networkRegionIds }) => networkRegionIds));
  const rest = draftsOf(regions).map(
    (draft) => edits.get(draft.stored?.id) ?? { ...draft, networkRegionIds: draft.networkRegionIds.filter((id) => !placed.has(id)) },
  );
  return [...rest, ...kept.filter(({ stored }) => stored === null)];
}

/**
 * Drafts after a save: those that were sent are stored as they were then, what was typed since remains an edit.
 * @param ids what the sent ones are known by now, in their order
 * @param names names of the network regions
 */
export function withSaved(
  drafts: readonly Draft[],
  sent: readonly Draft[],
  ids: readonly number[],
  names: ReadonlyMap<number, string>,
): Draft[] {
  const saved = new Map(
    sent.map(({ key, stored, name, networkRegionIds }, at): [string, RegionRow] => [
      key,
      {
        ...(stored ?? { sortNo: at + 1, percentage: 0, status: "ACTIVE", duCount: 0, uses: [] }),
        id: ids[at] as number,
        name: name.trim(),
        networkRegions: networkRegionIds.map((id) => ({ id, name: names.get(id) ?? "" })),
        rowVersion: (stored?.rowVersion ?? 0) + 1,
      },
    ]),
  );
  return drafts.map((draft) => ({ ...draft, stored: saved.get(draft.key) ?? draft.stored }));
}

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
