import type { TreeNode } from "#lib/rollout-plan/du-tree/queries.ts";

/** Children of a node as far as they were read; `next` where more follow. */
export type Branch = { records: readonly TreeNode[]; next: string | null; loading: boolean; failed: string | null };

/** Key under which the regions are kept. */
export const rootKey = "";

/** A line of the tree: a node, or what stands below the last child that was read. */
export type TreeRow = { key: string; level: number; parent: string } & (
  | { kind: "node"; node: TreeNode; place: number; setSize: number; expanded: boolean }
  | { kind: "more" | "loading" }
  | { kind: "failed"; problem: string }
);

/** The lines that are seen, from top to bottom. */
export function treeRows(branches: ReadonlyMap<string, Branch>, expanded: ReadonlySet<string>, parent = rootKey, level = 1): TreeRow[] {
  const branch = branches.get(parent);
  if (!branch) return [];
  // The number of all siblings is not known before the last was read.
  const setSize = branch.next === null ? branch.records.length : -1;
  const rows = branch.records.flatMap((node, at): TreeRow[] => {
    const open = node.expandable && expanded.has(node.key);
    const row: TreeRow = { kind: "node", key: node.key, level, parent, node, place: at + 1, setSize, expanded: open };
    return open ? [row, ...treeRows(branches, expanded, node.key, level + 1)] : [row];
  });
  if (branch.failed !== null) rows.push({ kind: "failed", key: `rest ${parent}`, level, parent, problem: branch.failed });
  else if (branch.loading) rows.push({ kind: "loading", key: `rest ${parent}`, level, parent });
  else if (branch.next !== null) rows.push({ kind: "more", key: `rest ${parent}`, level, parent });
  return rows;
}

/** What a key does: leads to another line, opens or closes a node, or the line's own action. */
export type TreeMove = { to: number } | { open: string } | { close: string } | { openAll: readonly string[] } | { act: number } | null;

/** What a key does on a line, as in every tree: arrows, Home, End, Enter, and `*` for all siblings. */
export function treeMove(key: string, rows: readonly TreeRow[], at: number): TreeMove {
  const row = rows[at];
  if (!row) return null;
  switch (key) {
    case "ArrowDown":
      return { to: Math.min(at + 1, rows.length - 1) };
    case "ArrowUp":
      return { to: Math.max(at - 1, 0) };
    case "Home":
      return { to: 0 };
    case "End":
      return { to: rows.length - 1 };
    case "ArrowRight":
      if (row.kind !== "node" || !row.node.expandable) return null;
      if (!row.expanded) return { open: row.key };
      return (rows[at + 1]?.level ?? 0) > row.level ? { to: at + 1 } : null;
    case "ArrowLeft": {
      if (row.kind === "node" && row.expanded) return { close: row.key };
      const parent = rows.findIndex((given) => given.key === row.parent);
      return parent < 0 ? null : { to: parent };
    }
    case "*": {
      const siblings = rows.filter((given) => given.kind === "node" && given.parent === row.parent && given.node.expandable);
      return { openAll: siblings.map((given) => given.key) };
    }
    case "Enter":
      return { act: at };
    default:
      return null;
  }
}

/** Words a node is found by when somebody types. */
export function nodeLabel({ code, name }: TreeNode): string {
  return code ?? name ?? "";
}

/** The next line below whose label begins with the typed text, from the top again after the last; null when there is none. */
export function findTyped(rows: readonly TreeRow[], at: number, text: string): number | null {
  const begins = (row: TreeRow) => row.kind === "node" && nodeLabel(row.node).toLowerCase().startsWith(text.toLowerCase());
  // A longer text may still fit the line it began on.
  const from = text.length > 1 ? at : at + 1;
  for (let step = 0; step < rows.length; step++) {
    const place = (from + step) % rows.length;
    const row = rows[place];
    if (row && begins(row)) return place;
  }
  return null;
}
