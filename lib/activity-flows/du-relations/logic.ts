import type { RelationKind } from "./limits.ts";

/** A relation between two DUs; `id` null while it is not stored. */
export type Link = { id: number | null; duId: number; relatedDuId: number; kind: RelationKind };

/** The relations of a project by what the rules ask of them. */
export type Links = {
  parents: Map<number, Link>;
  pairs: Map<number, Link>;
  all: Map<string, Link>;
};

export const linkKey = ({ duId, relatedDuId, kind }: Omit<Link, "id">): string => `${duId} ${relatedDuId} ${kind}`;

/** Relations ready to be asked. @param without a stored one that is about to be replaced */
export function indexLinks(links: readonly Link[], without: number | null = null): Links {
  const index: Links = { parents: new Map(), pairs: new Map(), all: new Map() };
  for (const link of links) if (link.id === null || link.id !== without) addLink(index, link);
  return index;
}

/** Adds a relation. */
export function addLink(index: Links, link: Link): void {
  index.all.set(linkKey(link), link);
  if (link.kind === "parent") index.parents.set(link.duId, link);
  if (link.kind === "swap_pair") {
    index.pairs.set(link.duId, link);
    index.pairs.set(link.relatedDuId, link);
  }
}

/** The DUs of the loop a parent would close, from the DU upwards; null when there is none. */
export function parentLoop({ parents }: Links, { duId, relatedDuId }: Link): number[] | null {
  const loop = [duId];
  for (let at = relatedDuId; ; ) {
    if (at === duId) return loop;
    loop.push(at);
    const parent = parents.get(at);
    if (!parent || loop.length > parents.size + 2) return null;
    at = parent.relatedDuId;
  }
}
