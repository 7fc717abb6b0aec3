/** The extension attribute a tab is cut by; null for a field of DUs. */
export function attributeOf(dimension: string): number | null {
  const found = /^a(\d+)$/.exec(dimension);
  return found ? Number(found[1]) : null;
}
