/** Addresses of a list or a typed text: separated by `;` or line breaks, trimmed, each once whatever its case. */
export function splitAddresses(given: string | readonly string[]): string[] {
  const found = new Map<string, string>();
  for (const part of [given].flat().flatMap((text) => text.split(/[;\r\n]/))) {
    const address = part.trim();
    const key = address.toLowerCase();
    if (address !== "" && !found.has(key)) found.set(key, address);
  }
  return [...found.values()];
}
