/** Values of a list by their parents, as a screen and a workbook give them. */
export type ListValue = { id?: number | undefined; value: string; children: { id?: number | undefined; value: string }[] };

/**
 * Reads pasted lines: a value, and behind a tab one of the second level. Lines of the same value belong together; what stands twice counts once.
 * @param present values there are; those of the same text keep their ids
 */
export function readLines(text: string, present: readonly ListValue[] = []): ListValue[] {
  const key = (value: string) => value.trim().toLowerCase();
  const known = new Map(present.map((value) => [key(value.value), value]));
  const found = new Map<string, ListValue>();
  for (const line of text.split(/\r?\n/)) {
    const [first = "", second = ""] = line.split("\t").map((part) => part.trim());
    if (first === "") continue;
    const before = known.get(key(first));
    const value = found.get(key(first)) ?? { ...(before?.id ? { id: before.id } : {}), value: first, children: [] };
    found.set(key(first), value);
    if (second === "" || value.children.some((child) => key(child.value) === key(second))) continue;
    const child = before?.children.find((one) => key(one.value) === key(second));
    value.children.push({ ...(child?.id ? { id: child.id } : {}), value: second });
  }
  return [...found.values()];
}
