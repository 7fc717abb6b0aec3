/** Places of a list from which a pass can go on instead of beginning anew. */
export const CHECKPOINTS = 8;
