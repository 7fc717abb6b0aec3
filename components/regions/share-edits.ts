import type { RegionRow } from "#lib/regions/queries.ts";

type Stored = Pick<RegionRow, "id" | "percentage" | "rowVersion">;
/** A typed share, and what stood there when it was. */
type ShareEdit = { share: number | string; base: Pick<Stored, "percentage" | "rowVersion"> };
/** Typed shares by region. */
export type ShareEdits = ReadonlyMap<number, ShareEdit>;
export type SentShare = Stored;

/** The edits after shares were typed; one that is stored already is none. */
export function typeShares(edits: ShareEdits, given: readonly (readonly [region: Stored, share: number | string])[]): ShareEdits {
  const next = new Map(edits);
  for (const [{ id, percentage, rowVersion }, share] of given)
    if (share === percentage) next.delete(id);
    else next.set(id, { share, base: edits.get(id)?.base ?? { percentage, rowVersion } });
  return next;
}

/** What a save sends: the shares of all regions. One that others have changed since another was typed over it is sent at its old revision, to be refused. */
export const sharesOf = (regions: readonly Stored[], edits: ShareEdits): SentShare[] =>
  regions.map(({ id, percentage, rowVersion }) => {
    const edit = edits.get(id);
    const isMoved = edit !== undefined && edit.base.percentage !== percentage;
    return { id, percentage: edit ? Number(edit.share) : percentage, rowVersion: isMoved ? edit.base.rowVersion : rowVersion };
  });

/** The edits after a save: what was typed since remains, upon the shares that were sent. */
export function withoutSent(edits: ShareEdits, sent: readonly SentShare[]): ShareEdits {
  const saved = new Map(sent.map((share) => [share.id, share]));
  return new Map(
    [...edits].flatMap(([id, edit]) => {
      const share = saved.get(id);
      if (!share) return [[id, edit] as const];
      if (Number(edit.share) === share.percentage) return [];
      return [[id, { ...edit, base: { percentage: share.percentage, rowVersion: share.rowVersion + 1 } }] as const];
    }),
  );
}
