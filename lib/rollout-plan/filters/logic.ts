/**
 * Ids in their order as a short text: the difference of each to the one before it (the first to 0), with `*n` behind it when it stands n times in a row.
 * The 10,000 DUs of a project are mostly numbered one after the other; as a list they are half of the data a page carries.
 */
export function packIds(ids: readonly number[]): string {
  const parts: string[] = [];
  let before = 0;
  for (let at = 0; at < ids.length; ) {
    const step = (ids[at] as number) - before;
    let end = at + 1;
    while (end < ids.length && (ids[end] as number) - (ids[end - 1] as number) === step) end++;
    parts.push(end - at > 1 ? `${step}*${end - at}` : String(step));
    before = ids[end - 1] as number;
    at = end;
  }
  return parts.join(",");
}

/** The ids of a text that `packIds` made. */
export function unpackIds(text: string): number[] {
  const ids: number[] = [];
  let last = 0;
  for (const part of text === "" ? [] : text.split(",")) {
    const [step, times = 1] = part.split("*").map(Number) as [number, number?];
    for (let turn = 0; turn < times; turn++) {
      last += step;
      ids.push(last);
    }
  }
  return ids;
}
