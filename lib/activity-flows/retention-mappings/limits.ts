/** Longest name of a retention mapping. */
export const mappingNameMax = 100;
/** Pairs of activities a mapping may have: as many as a library has slots. */
export const mappingRowsMax = 2000;
/** Mappings one call deletes. */
export const deleteMappingsMax = 200;

/** What a pair of activities may take over: plan dates, actual dates, owners, baseline dates, deliverables, attribute values of the activity. */
export const keptKinds = ["plan", "actual", "owner", "baseline", "deliverables", "attributes"] as const;
export type KeptKind = (typeof keptKinds)[number];
