import type { CellEdit, Refusal } from "#components/grid/grid-model.ts";
import { signalAnswer } from "#lib/core/answer-signal.ts";
import { callDoor, listAddress } from "#lib/core/call-door.ts";
import type { Answer, Params } from "#lib/core/error.ts";
import { readNames, readPredecessors } from "#lib/planning-engine/activity-relations/logic.ts";
import { type Block, type BlockName, blocks } from "#lib/planning-engine/inputs/logic.ts";
import { inputBlocks, ofProject } from "./input-blocks.ts";
import type { InputDesk } from "./input-desk.ts";

/** What became of a save: all rows are written, or none. `stale` rows are no longer what was read. */
export type SaveOutcome = { saved: number; refused: number; stale: number; failed: Answer | null };

/** A row with what is edited in it. */
type Edited = { rowKey: string; cells: CellEdit[] };
/** Codes one reading looks for. */
const codesAtOnce = 100;

/** Version of a row that was written once. */
const firstVersion = 1;

const idFields = new Set(["warehouseId"]);
const monthDay = "-01";

/** Value of an edit as the call takes it. */
function sent({ columnKey, mine }: CellEdit): unknown {
  if (mine === null) return columnKey === "predecessors" || columnKey === "coTeam" || columnKey === "coResource" ? [] : null;
  if (idFields.has(columnKey)) return Number(mine);
  if (columnKey === "eomonth") return `${mine}${monthDay}`;
  if (columnKey === "predecessors") return readPredecessors(String(mine));
  return columnKey === "coTeam" || columnKey === "coResource" ? readNames(String(mine)) : mine;
}

/**
 * A row as the call takes it: whole, with what is edited in place of what was read.
 * @param duId the DU of a new row, by its code
 */
export function rowInput(
  name: BlockName,
  { rows, list }: Pick<InputDesk, "rows" | "list">,
  { rowKey, cells }: Edited,
  duId?: number,
): object {
  const block: Block = blocks[name];
  const draft = rows.draft(rowKey);
  const stored = draft ?? list.known.get(rowKey) ?? {};
  const fields = [...Object.keys(block.fields), ...(block.lists ?? [])];
  const kept = cellsOf(fields, stored);
  const edited = Object.fromEntries(
    cells.filter(({ columnKey }) => fields.includes(columnKey)).map((edit) => [edit.columnKey, sent(edit)]),
  );
  const { id, rowVersion } = stored as { id?: number; rowVersion?: number };
  return { ...(draft ? { ...(duId !== undefined && { duId }) } : { id, rowVersion }), ...kept, ...edited };
}

/** What a row says without its edits; lists are texts in the grid. */
function cellsOf(fields: readonly string[], stored: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = stored[field];
      if (value === undefined || value === null) return [];
      if (field === "predecessors") return [[field, readPredecessors(String(value))]];
      return [[field, field === "coTeam" || field === "coResource" ? readNames(String(value)) : value]];
    }),
  );
}

/** Ids of DUs by their codes, in lower case, codes that no DU has left out; or the answer that could not tell. */
async function dusOf(codes: readonly string[]): Promise<Map<string, number> | Answer> {
  const found = new Map<string, number>();
  for (let at = 0; at < codes.length; at += codesAtOnce) {
    const values = codes.slice(at, at + codesAtOnce);
    const answer = signalAnswer(
      await callDoor<{ records: { id: number; code: string }[] }>(
        listAddress("du/list", 1, codesAtOnce, [{ field: "code", type: "in", values }]),
        {},
        { reading: true },
      ),
    );
    if (!answer.data) return answer;
    for (const { id, code } of answer.data.records) found.set(code.toLowerCase(), id);
  }
  return found;
}

/**
 * Rows that were made are stored: they are taken out, and what was typed into them while the save ran stands in the stored rows now.
 * @param ids of what was written, new rows in the order in which they were sent
 */
function takeStored({ rows, edits, list }: InputDesk, edited: readonly Edited[], ids: readonly number[]): void {
  const old = new Set(edited.map(({ rowKey }) => rowKey));
  const fresh = ids.filter((id) => !old.has(String(id)));
  const made = edited.flatMap(({ rowKey, cells }) => {
    const draft = rows.draft(rowKey);
    return draft ? [{ rowKey, row: { ...draft, ...Object.fromEntries(cells.map(({ columnKey, mine }) => [columnKey, mine])) } }] : [];
  });
  for (const [at, { rowKey, row }] of made.entries()) {
    const id = fresh[at];
    if (id === undefined || !edits.row(rowKey)) continue;
    // What the row is until it is read.
    list.known.set(String(id), { ...row, id, rowVersion: firstVersion });
    edits.moveRow(rowKey, String(id));
  }
  rows.drop(new Set(made.map(({ rowKey }) => rowKey)));
}

/**
 * Saves the edited rows of an input, all or none, and settles their edits. What is refused keeps them, with the reason at the cell it belongs to.
 * [ENG-32]
 * @param refusal cause of a code in the language of the page
 * @param title name of a column, for what is missing in a cell that nobody edited
 */
export async function saveInputs(
  name: BlockName,
  versionId: number,
  desk: InputDesk,
  refusal: (code: string, params: Params) => Refusal,
  title: (columnKey: string) => string,
): Promise<SaveOutcome> {
  const { edits, rows } = desk;
  const wanted = [...edits.all()].filter((edit) => edit.typed === undefined && !edit.conflict);
  const edited: Edited[] = [...Map.groupBy(wanted, (edit) => edit.rowKey)].map(([rowKey, cells]) => ({ rowKey, cells }));
  const outcome: SaveOutcome = { saved: 0, refused: 0, stale: 0, failed: null };
  const refuse = ({ rowKey, cells }: Edited, why: Refusal, field?: string) => {
    const column = field === "duId" ? "duCode" : field;
    const named = cells.filter(({ columnKey }) => columnKey === column);
    const cause = named.length > 0 || !column || !desk.columns.has(column) ? why : { ...why, cause: `${title(column)}: ${why.cause}` };
    edits.refuse((named.length > 0 ? named : cells).map(({ columnKey }) => ({ rowKey, columnKey, refusal: cause })));
    outcome.refused++;
  };
  const codeOf = ({ rowKey, cells }: Edited) =>
    rows.draft(rowKey) ? String(cells.find(({ columnKey }) => columnKey === "duCode")?.mine ?? "") : "";
  const byCode: boolean = inputBlocks[name].keys.some((key) => key === "duCode");
  const dus = byCode ? await dusOf([...new Set(edited.map(codeOf).filter(Boolean))]) : new Map<string, number>();
  if (!(dus instanceof Map)) return { ...outcome, failed: dus };
  if (byCode)
    for (const row of edited) {
      const code = codeOf(row);
      if (!rows.draft(row.rowKey) || dus.has(code.toLowerCase())) continue;
      refuse(row, code ? refusal("NOT_FOUND", { object: code }) : refusal("VALUE_MISSING", {}), "duId");
    }
  // What names a row is given to a new one alone; the row may have been stored while this was typed.
  for (const row of edited) {
    const named = rows.draft(row.rowKey) ? undefined : row.cells.find(({ columnKey }) => rows.names(columnKey));
    if (named) refuse(row, rows.rowLock, named.columnKey);
  }
  if (outcome.refused > 0 || edited.length === 0) return outcome;

  const input = edited.map((row) => rowInput(name, desk, row, dus.get(codeOf(row).toLowerCase())));
  const answer = signalAnswer(
    await callDoor<{ ids: number[] }>(`${inputBlocks[name].door}/save`, { ...(ofProject(name) ? {} : { versionId }), rows: input }),
  );
  if (answer.status < 400) {
    edits.settle(edited.flatMap(({ cells }) => cells));
    takeStored(desk, edited, answer.data?.ids ?? []);
    outcome.saved = edited.length;
    return outcome;
  }
  // What is wrong is told by path: `rows.3.itemCode`.
  const told = new Set<number>();
  for (const { path, code, msg } of answer.problems ?? []) {
    const parts = /^rows\.(\d+)(?:\.(\w+))?/.exec(path);
    const row = parts && edited[Number(parts[1])];
    if (!row || told.has(Number(parts[1]))) continue;
    told.add(Number(parts[1]));
    if (code === "STALE") outcome.stale++;
    refuse(row, { code, cause: msg ?? refusal(code, {}).cause }, code === "STALE" ? undefined : parts[2]);
  }
  if (told.size === 0) outcome.failed = answer;
  return outcome;
}
