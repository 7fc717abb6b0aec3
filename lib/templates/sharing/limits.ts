/** Templates one call shares, and projects it shares them with. */
export const sharedTemplatesMax = 10;
export const sharedProjectsMax = 50;
