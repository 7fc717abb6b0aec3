/** DUs one question for violations may name. */
export const violationDusMax = 200;
/** Unsaved edits it may carry. */
export const violationEditsMax = 20_000;
/** Rules one call enables, expires or deletes. */
export const rulesPerCall = 200;
