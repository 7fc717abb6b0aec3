import type { Rule } from "#lib/core/rule.ts";
import { loopText } from "../graph/logic.ts";
import { type Link, type Links, linkKey, parentLoop } from "./logic.ts";

/** A relation with those that are there already, and the code of each DU for the texts. */
export type LinkFacts = { link: Link; links: Links; codeOf: (duId: number) => string };

/** A DU is not related to itself. */
export const RELATION_TO_SELF: Rule<LinkFacts> = {
  code: "RELATION_TO_SELF",
  broken: ({ link, codeOf }) => link.duId === link.relatedDuId && { code: codeOf(link.duId) },
};

/** Two DUs are joined once per kind. */
export const RELATION_REPEAT: Rule<LinkFacts> = {
  code: "RELATION_REPEAT",
  broken: ({ link, links, codeOf }) => links.all.has(linkKey(link)) && { names: `${codeOf(link.duId)}, ${codeOf(link.relatedDuId)}` },
};

/** A DU has one parent. */
export const SECOND_PARENT: Rule<LinkFacts> = {
  code: "SECOND_PARENT",
  broken: ({ link, links, codeOf }) => {
    const parent = link.kind === "parent" ? links.parents.get(link.duId) : undefined;
    return (
      parent !== undefined && parent.relatedDuId !== link.relatedDuId && { code: codeOf(link.duId), parent: codeOf(parent.relatedDuId) }
    );
  },
};

/** No DU is above itself. */
export const CYCLE: Rule<LinkFacts> = {
  code: "CYCLE",
  broken: ({ link, links, codeOf }) => {
    if (link.kind !== "parent" || link.duId === link.relatedDuId) return false;
    const loop = parentLoop(links, link);
    return loop !== null && { loop: loopText(loop.map(codeOf)) };
  },
};

/** A swap joins one DU with one other. */
export const NOT_ONE_TO_ONE: Rule<LinkFacts> = {
  code: "NOT_ONE_TO_ONE",
  broken: ({ link, links, codeOf }) => {
    if (link.kind !== "swap_pair") return false;
    const taken = [link.duId, link.relatedDuId].find((id) => links.pairs.has(id) && !links.all.has(linkKey(link)));
    return taken !== undefined && { code: codeOf(taken) };
  },
};

export const linkRules: readonly Rule<LinkFacts>[] = [RELATION_TO_SELF, RELATION_REPEAT, SECOND_PARENT, CYCLE, NOT_ONE_TO_ONE];
