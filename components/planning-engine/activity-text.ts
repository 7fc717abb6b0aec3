export { nameText, type Predecessor, predecessorText, readNames, readPredecessors } from "#lib/planning-engine/activity-relations/logic.ts";
