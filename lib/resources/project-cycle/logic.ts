/** A phase as far as it lies in time. */
export type Span = { name: string; startDate: string; endDate: string };

/** Pairs of phases that share days, each pair once: the earlier one first. */
export function overlaps(phases: readonly Span[]): [first: string, second: string][] {
  const sorted = [...phases].sort((a, b) => a.startDate.localeCompare(b.startDate) || a.endDate.localeCompare(b.endDate));
  return sorted.flatMap((phase, at) =>
    sorted.slice(at + 1).flatMap((later): [string, string][] => (later.startDate <= phase.endDate ? [[phase.name, later.name]] : [])),
  );
}
