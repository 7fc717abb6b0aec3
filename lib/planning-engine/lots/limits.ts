/** Place of "reuse" in `lotSources`. */
export const REUSE = 2;

/** Donors that have to be placed one for the other; a longer chain counts as no supply. */
export const LONGEST_CHAIN = 500;
