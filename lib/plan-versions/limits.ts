/** Characters of the name of a plan or version, and of the remark on a version. */
export const versionNameChars = 100;
export const versionRemarkChars = 2_000;

/** DUs that may be named one by one. */
export const namedDusMax = 10_000;
/** Versions one call may delete. */
export const deleteVersionsMax = 200;
