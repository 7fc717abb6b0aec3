/** DUs whose plan rows are brought to a new version of their flow at a time; a flow of more is done in several batches of one transaction. */
export const syncDusPerBatch = 10_000;
