/**
 * Sorts numbers by a key from 0 to below `size`, by counting: in linear time, and equal ones stay as they stood.
 * @param keys key of each member, at its number
 * @returns the members in order, and where those of each key stand: `list[at[key] .. at[key + 1]]`
 */
export function sortByCounting(members: Int32Array, keys: Int32Array, size: number): { at: Int32Array; list: Int32Array } {
  const at = new Int32Array(size + 1);
  for (let place = 0; place < members.length; place++) at[keys[members[place]!]! + 1]!++;
  for (let key = 0; key < size; key++) at[key + 1]! += at[key]!;
  const next = at.slice();
  const list = new Int32Array(members.length);
  for (let place = 0; place < members.length; place++) {
    const member = members[place]!;
    list[next[keys[member]!]!++] = member;
  }
  return { at, list };
}
