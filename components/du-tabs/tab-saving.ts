import type { CellEdit, Refusal } from "#components/grid/grid-model.ts";
import { signalAnswer } from "#lib/core/answer-signal.ts";
import { callDoor } from "#lib/core/call-door.ts";
import type { Answer, Params } from "#lib/core/error.ts";
import { rowsMax } from "#lib/du-tabs/limits.ts";
import type { SavedRows } from "#lib/du-tabs/rows/commands.ts";
import type { TabDesk } from "./tab-desk.ts";

/** What became of a save; `stale` rows are no longer what was read. */
export type SaveOutcome = { saved: number; refused: number; stale: number; failed: Answer | null };

type Row = { rowKey: string; cells: CellEdit[]; input: object };

/**
 * Saves the edited rows of a tab and settles their edits. What is refused keeps them, with the reason at the cell it belongs to; of several rows the others
 * are saved all the same. Cells in conflict wait for a decision.
 * @param ofDu keys of attributes whose values are kept with the DU
 * @param refusal cause of a code in the language of the page
 */
export async function saveEdits(
  tabId: number,
  { list, edits }: TabDesk,
  ofDu: ReadonlySet<string>,
  refusal: (code: string, params: Params) => Refusal,
): Promise<SaveOutcome> {
  const wanted = [...edits.all()].filter((edit) => edit.typed === undefined && !edit.conflict);
  const rows = [...Map.groupBy(wanted, (edit) => edit.rowKey)].flatMap(([rowKey, cells]): Row[] => {
    const facts = list.known.get(rowKey);
    if (!facts) return [];
    const sn = cells.find(({ columnKey }) => columnKey === "sn");
    const data = cells.filter(({ columnKey }) => columnKey !== "sn").map(({ columnKey, mine }) => [columnKey, mine]);
    const input = {
      ...(facts.id !== null && { id: facts.id, rowVersion: facts.rowVersion }),
      duId: facts.duId,
      ...(cells.some(({ columnKey }) => ofDu.has(columnKey)) && { duVersion: facts.duVersion }),
      ...(sn && { sn: sn.mine }),
      data: Object.fromEntries(data),
    };
    return [{ rowKey, cells, input }];
  });
  const outcome: SaveOutcome = { saved: 0, refused: 0, stale: 0, failed: null };
  const refuse = ({ rowKey, cells }: Row, why: Refusal, field?: string) => {
    const named = cells.filter(({ columnKey }) => columnKey === field);
    edits.refuse((named.length > 0 ? named : cells).map(({ columnKey }) => ({ rowKey, columnKey, refusal: why })));
    outcome.refused++;
  };
  const send = async (part: readonly Row[]): Promise<void> => {
    const answer: Answer<SavedRows> = signalAnswer(await callDoor("duTabAttr/saveRow", { tabId, rows: part.map(({ input }) => input) }));
    if (answer.data) {
      const kept = new Map(answer.data.conflicts.map((conflict) => [conflict.index, conflict]));
      for (const { index, id, rowVersion } of answer.data.saved) {
        const { rowKey } = part[index] as Row;
        const facts = list.known.get(rowKey);
        if (facts && id !== null) list.known.set(rowKey, { ...facts, id, rowVersion: rowVersion ?? facts.rowVersion });
      }
      for (const [index, row] of part.entries()) {
        const conflict = kept.get(index);
        if (conflict) {
          refuse(row, refusal(conflict.code, conflict.params));
          if (conflict.code === "STALE") outcome.stale++;
        } else {
          edits.settle(row.cells);
          outcome.saved++;
        }
      }
      return;
    }
    // Wrong input is told by path: `rows.3.data.a12`. The rows that are right go once more without the others.
    const wrong = new Map<number, { field: string | undefined; why: Refusal }>();
    for (const { path, code, msg } of answer.problems ?? []) {
      const parts = /^rows\.(\d+)(?:\.(?:data\.)?(\w+))?/.exec(path);
      if (parts && !wrong.has(Number(parts[1]))) wrong.set(Number(parts[1]), { field: parts[2], why: { code, cause: msg ?? code } });
    }
    if (wrong.size === 0) {
      outcome.failed = answer;
      return;
    }
    for (const [index, { field, why }] of wrong) refuse(part[index] as Row, why, field);
    const right = part.filter((_, index) => !wrong.has(index));
    if (right.length > 0) await send(right);
  };
  for (let at = 0; at < rows.length && !outcome.failed; at += rowsMax) await send(rows.slice(at, at + rowsMax));
  return outcome;
}
