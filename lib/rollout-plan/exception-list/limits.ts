/** Rows of a page of exceptions, and DUs that are looked at by id. */
export const exceptionPageMax = 200;
export const exceptionDusMax = 10_000;
