/** DUs a call may name one by one, and so many are released within it; those of a stored query may be more, in the background. */
export const releaseDusMax = 200;

/** DUs one transaction of the background task takes. */
export const releaseChunkDus = 10_000;

/** Characters of the name of the version a release makes. */
export const releaseNameChars = 100;

/** Warnings a preview lists one by one; of more it gives the number. */
export const releaseWarningsShown = 1_000;
