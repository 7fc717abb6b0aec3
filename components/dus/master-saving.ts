import type { CellEdit, Refusal } from "#components/grid/grid-model.ts";
import { signalAnswer } from "#lib/core/answer-signal.ts";
import { callDoor } from "#lib/core/call-door.ts";
import type { Answer, Params, Problem } from "#lib/core/error.ts";
import type { ErrorCode } from "#lib/errors.ts";
import type { MasterDesk } from "./master-desk.ts";

/** Rows of one save. */
const rowsAtOnce = 200;

type Rejected = { row: number; id?: number; code: ErrorCode; params: Params };
type Saved = Answer<{ ids: number[]; rejected: Rejected[] }>;
/** What became of a save; `stale` rows are no longer what was read. */
export type SaveOutcome = { saved: number; refused: number; stale: number; failed: Answer | null };

const idFields = new Set(["regionId", "subcontractorId"]);

/** Value of an edit as the call takes it. */
function sent(edit: CellEdit): unknown {
  return idFields.has(edit.columnKey) && edit.mine !== null ? Number(edit.mine) : edit.mine;
}

/**
 * Saves the edited rows, in sight or not, and settles their edits; refused rows keep theirs, with the reason at the cell it belongs to.
 * Cells in conflict wait for a decision.
 * @param refusal cause and remedy of a code in the language of the page
 */
export async function saveEdits(
  address: string,
  { list, edits }: Pick<MasterDesk, "list" | "edits">,
  refusal: (code: string, params: Params) => Refusal,
): Promise<SaveOutcome> {
  const byRow = Map.groupBy(
    [...edits.all()].filter((edit) => edit.typed === undefined && !edit.conflict),
    (edit) => edit.rowKey,
  );
  const rows = [...byRow].flatMap(([rowKey, cells]) => {
    const row = list.known.get(rowKey);
    return row
      ? [
          {
            rowKey,
            cells,
            input: { id: row.id, rowVersion: row.rowVersion, ...Object.fromEntries(cells.map((edit) => [edit.columnKey, sent(edit)])) },
          },
        ]
      : [];
  });
  const outcome: SaveOutcome = { saved: 0, refused: 0, stale: 0, failed: null };
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    const part = rows.slice(at, at + rowsAtOnce);
    const answer: Saved = signalAnswer(await callDoor(address, { rows: part.map((row) => row.input) }));
    const rejected = answer.data?.rejected ?? fromProblems(answer.problems ?? []);
    if (answer.status >= 400 && rejected.length === 0) {
      outcome.failed = answer;
      return outcome;
    }
    const refused = new Map(rejected.map((one) => [one.row, one]));
    for (const [index, row] of part.entries()) {
      const problem = refused.get(index);
      if (problem) {
        const named = "field" in problem ? row.cells.filter((edit) => edit.columnKey === problem.field) : [];
        const cells = named.length > 0 ? named : row.cells;
        edits.refuse(
          cells.map((edit) => ({ rowKey: edit.rowKey, columnKey: edit.columnKey, refusal: refusal(problem.code, problem.params) })),
        );
        outcome.refused++;
        if (problem.code === "STALE") outcome.stale++;
      } else if (answer.status < 400) {
        edits.settle(row.cells);
        outcome.saved++;
      }
    }
  }
  return outcome;
}

// Wrong input is told by path: `rows.3.valueQty`; a single refused row by `rows.0`.
function fromProblems(problems: readonly Problem[]): (Rejected & { field?: string })[] {
  return problems.flatMap(({ path, code, params = {} }) => {
    const parts = /^rows\.(\d+)(?:\.(\w+))?$/.exec(path);
    return parts ? [{ row: Number(parts[1]), code, params, ...(parts[2] && { field: parts[2] }) }] : [];
  });
}
