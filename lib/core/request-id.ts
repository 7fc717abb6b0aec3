/** Header under which a request brings its id and gets it back. */
export const requestIdHeader = "x-request-id";

/** The id of a request: the one it brings, such as from a proxy in front, when it is of a plain form; else a new one. */
export function requestIdOf(headers: Headers): string {
  const given = headers.get(requestIdHeader);
  return given && /^[A-Za-z0-9._-]{8,64}$/.test(given) ? given : crypto.randomUUID();
}
