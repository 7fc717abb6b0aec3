/** What joins two DUs. The related DU of a `parent` is the parent; a `swap_pair` is one to one. */
export const relationKinds = ["parent", "swap_pair", "migration", "power", "transmission", "other"] as const;
export type RelationKind = (typeof relationKinds)[number];

/** Longest note on a relation. */
export const relationNoteChars = 500;
/** Relations deleted by one call. */
export const deleteRelationsMax = 200;
