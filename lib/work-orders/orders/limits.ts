/** Orders or DUs one call may move. */
export const orderBatchMax = 200;

/** Work orders one submission of start or completion may hold [WOR-15]. */
export const submitMax = 50;

/** Activities one call may name; a flow holds no more. */
export const orderActivitiesMax = 500;

/** Longest reason of a step, characters. */
export const orderReasonMax = 2000;

/** Reasons given before that are offered again. */
export const recentReasonsMax = 10;
