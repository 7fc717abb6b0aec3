/** A filled cell of the matrix. */
export type MappingRow = { milestoneId: number; flowId: number; activityId: number };
/** A cell as it is to be. */
export type MappingCell = { milestoneId: number; flowId: number; activityId: number | null };

/** Key of a cell. */
export const cellKey = ({ milestoneId, flowId }: Pick<MappingCell, "milestoneId" | "flowId">): string => `${milestoneId} ${flowId}`;

/** A cell by its key. */
export function cellOf(key: string, activityId: number | null): MappingCell {
  const [milestoneId, flowId] = key.split(" ").map(Number) as [number, number];
  return { milestoneId, flowId, activityId };
}

/** The matrix after cells were written into it. */
export function writeCells(rows: readonly MappingRow[], cells: readonly MappingCell[]): MappingRow[] {
  const written = new Set(cells.map(cellKey));
  return [
    ...rows.filter((row) => !written.has(cellKey(row))),
    ...cells.flatMap(({ milestoneId, flowId, activityId }) => (activityId === null ? [] : [{ milestoneId, flowId, activityId }])),
  ];
}

/** The activity of each filled cell by its key. */
export const activitiesByCell = (rows: readonly MappingRow[]): Map<string, number> =>
  new Map(rows.map((row) => [cellKey(row), row.activityId]));

/** Cells whose activity is also that of another milestone in the same flow. */
export function repeatedTargets(rows: readonly MappingRow[]): MappingRow[] {
  const groups = Map.groupBy(rows, ({ flowId, activityId }) => `${flowId} ${activityId}`);
  return [...groups.values()].filter((group) => group.length > 1).flat();
}

type Named = { id: number; number: string; nameZh: string; nameEn: string; nameJa: string | null };
type Flow = { id: number; activities: readonly { id: number; name: string }[] };

const plain = (name: string): string => name.toLowerCase().replace(/[\s\p{P}\p{S}]+/gu, "");

/**
 * Activities for empty cells by their names: the one that is called like the milestone in one of its languages, else the only one whose name holds it or is held by it.
 * An activity is proposed once, and not where another milestone has it.
 */
export function suggestTargets(milestones: readonly Named[], flows: readonly Flow[], rows: readonly MappingRow[]): MappingRow[] {
  const filled = new Set(rows.map(cellKey));
  const found: MappingRow[] = [];
  for (const flow of flows) {
    const used = new Set(rows.filter(({ flowId }) => flowId === flow.id).map(({ activityId }) => activityId));
    const open = milestones.filter(({ id }) => !filled.has(cellKey({ milestoneId: id, flowId: flow.id })));
    const take = (fits: (name: string, words: readonly string[]) => boolean) => {
      for (const milestone of open) {
        if (found.some(({ milestoneId, flowId }) => milestoneId === milestone.id && flowId === flow.id)) continue;
        const words = [milestone.nameZh, milestone.nameEn, milestone.nameJa ?? "", milestone.number].map(plain).filter(Boolean);
        const fitting = flow.activities.filter(({ id, name }) => !used.has(id) && fits(plain(name), words));
        if (fitting.length !== 1) continue;
        used.add(fitting[0]!.id);
        found.push({ milestoneId: milestone.id, flowId: flow.id, activityId: fitting[0]!.id });
      }
    };
    take((name, words) => words.includes(name));
    take((name, words) => words.some((word) => word.length > 1 && name !== "" && (name.includes(word) || word.includes(name))));
  }
  return found;
}
