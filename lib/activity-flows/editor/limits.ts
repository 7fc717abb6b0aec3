/** Steps the flow editor can take back. */
export const undoSteps = 100;

/** Activities up to which a picture is arranged by itself; larger ones only on request. */
export const settleNodesMax = 200;
