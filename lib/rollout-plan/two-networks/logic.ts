/** Two DUs whose dates stand or fall together. */
export type Pair = { duAId: number; duBId: number };

/**
 * The DUs that are refused with others: a pair is written in both of its DUs or in none, and a DU of several pairs drags them all along.
 * @param refused DUs refused for reasons of their own
 */
export function refusedTogether(pairs: readonly Pair[], refused: Iterable<number>): Set<number> {
  const out = new Set(refused);
  for (let grown = true; grown; ) {
    grown = false;
    for (const { duAId, duBId } of pairs) {
      if (out.has(duAId) === out.has(duBId)) continue;
      out.add(duAId).add(duBId);
      grown = true;
    }
  }
  return out;
}

/** A pair under which its row is kept: the smaller id stands first. */
export const pairKey = ({ duAId, duBId }: Pair, activityId: number): string =>
  `${Math.min(duAId, duBId)} ${Math.max(duAId, duBId)} ${activityId}`;
