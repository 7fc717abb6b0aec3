import type { Rule } from "#lib/core/rule.ts";

/** What a DU that is to be deleted looks like. */
export type DeletedDu = { reachable: boolean; hasPlan: boolean; namedBy: readonly string[] };

/** Rules of deleting a DU. */
export const deleteDuRules = [
  { code: "NOT_FOUND", broken: (du) => !du.reachable && { object: "DU" } },
  { code: "DU_HAS_PLAN", broken: (du) => du.hasPlan },
  { code: "IN_USE", broken: (du) => du.namedBy.length > 0 && { by: du.namedBy.join(", ") } },
] as const satisfies readonly Rule<DeletedDu>[];

/** What a DU that is to be changed looks like. */
export type SavedDu = {
  found: boolean;
  stale: boolean;
  codeTaken: boolean;
  /** Ids and codes that name nothing in the project. */
  unknownSite: number | string | null;
  unknownRegion: number | null;
  unknownSubcontractor: number | null;
  unknownDu: number | string | null;
  changes: number;
};

/** Rules of saving a DU, in the order they are reported. */
export const saveDuRules = [
  { code: "NOT_FOUND", broken: (du) => !du.found && { object: "DU" } },
  { code: "STALE", broken: (du) => du.found && du.stale },
  { code: "CODE_EXISTS", broken: (du) => du.codeTaken },
  { code: "SITE_UNKNOWN", broken: (du) => du.unknownSite !== null && { value: du.unknownSite } },
  { code: "REGION_UNKNOWN", broken: (du) => du.unknownRegion !== null && { value: du.unknownRegion } },
  { code: "SUBCONTRACTOR_UNKNOWN", broken: (du) => du.unknownSubcontractor !== null && { value: du.unknownSubcontractor } },
  { code: "DU_NOT_FOUND", broken: (du) => du.unknownDu !== null && { code: du.unknownDu } },
  { code: "NOTHING_MODIFIED", broken: (du) => du.found && du.changes === 0 },
] as const satisfies readonly Rule<SavedDu>[];

/** What a site that is to be changed looks like. */
export type SavedSite = { found: boolean; stale: boolean; codeTaken: boolean; changes: number };

/** Rules of saving a site, in the order they are reported. */
export const saveSiteRules = [
  { code: "NOT_FOUND", broken: (site) => !site.found && { object: "site" } },
  { code: "STALE", broken: (site) => site.found && site.stale },
  { code: "CODE_EXISTS", broken: (site) => site.codeTaken },
  { code: "NOTHING_MODIFIED", broken: (site) => site.found && site.changes === 0 },
] as const satisfies readonly Rule<SavedSite>[];

/** Rules of deleting a site. */
export const deleteSiteRules = [
  { code: "NOT_FOUND", broken: (site) => !site.found && { object: "site" } },
  { code: "SITE_IN_USE", broken: (site) => site.dus.length > 0 && { list: site.dus.join(", ") } },
] as const satisfies readonly Rule<{ found: boolean; dus: readonly string[] }>[];
