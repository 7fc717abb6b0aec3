/** Where a key leads from one card of a page to another; null for keys that lead nowhere. @param columns cards side by side */
export function cardAfter(key: string, at: number, count: number, columns: number): number | null {
  const to: Record<string, number> = {
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    ArrowUp: at - columns,
    ArrowDown: at + columns,
    Home: 0,
    End: count - 1,
  };
  const next = to[key];
  return next === undefined ? null : next < 0 || next >= count ? at : next;
}
