import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { roleName } from "#lib/core/format.ts";
import type { JobCtx } from "#lib/core/job.ts";
import type { Outcome } from "#lib/core/task.ts";
import type { Cell } from "#lib/core/workbook-cell.ts";
import {
  type CheckedRow,
  type ImportKind,
  type ImportRow,
  type ImportRun,
  markOf,
  rowMark,
  type WriteFrame,
} from "#lib/imports/kind/logic.ts";
import { startListExport, storeListExport } from "#lib/tasks/list-export/commands.ts";
import { saveResources } from "../pool/commands.ts";
import { countResources, type Resource, reachOf, streamResources } from "../pool/queries.ts";
import type { ExportResources } from "../pool/schema.ts";
import { dayColumns, exportRights, lockedColumns, poolSheetVersion, sheetColumns } from "./limits.ts";
import { checkedRow, nobodySeen, personWork, poolFields, type SeenPeople } from "./logic.ts";
import { readPoolFacts, sheetTexts, sheetWords } from "./queries.ts";
import { type PoolExportParams, PoolImportOptions } from "./schema.ts";

/**
 * Starts an export of the people of a tab: the right is that of the tab, and who holds it for his own company gets its people. [RES-38] [RES-39] [RES-40]
 * @throws NO_PERMISSION, NO_DATA, EXPORT_LIMIT, EXPORT_UNFINISHED
 */
export async function startPoolExport(ctx: Ctx, { tab, filters }: ExportResources): Promise<{ taskId: string }> {
  const total = await countResources(ctx, reachOf(ctx, tab, exportRights[tab]), filters);
  return startListExport(ctx, {
    kind: "resources.export",
    title: sheetWords(ctx).title,
    params: { tab, filters, total },
    total,
    columns: sheetColumns.length,
  });
}

/** Writes the workbook of the people, in the form their import takes back. Safe to run twice. */
export function runPoolExport(job: JobCtx, { tab, filters, total }: PoolExportParams): Promise<Outcome> {
  const texts = sheetTexts(job);
  const words = sheetWords(job);
  const reach = reachOf(job, tab, exportRights[tab]);
  async function* rows(): AsyncGenerator<Cell[]> {
    for await (const people of streamResources(job, reach, filters)) for (const person of people) yield rowOf(person, words);
  }
  return storeListExport(job, {
    title: words.title,
    columns: sheetColumns.map((key) => ({
      key,
      title: texts.title(key),
      kind: dayColumns.includes(key) ? "day" : "text",
      hidden: key === rowMark,
    })),
    rows: rows(),
    total,
    lockedColumns,
    meta: { kind: "resources", version: poolSheetVersion },
  });
}

const rowOf = (person: Resource, words: ReturnType<typeof sheetWords>): Cell[] => [
  person.account,
  person.name,
  person.employeeId,
  words.type(person.type),
  person.roles.map(roleName).join(", "),
  person.groups.map(({ name }) => name).join(", "),
  person.contractor,
  person.subcontractor,
  person.phone,
  person.authStart,
  person.authEnd,
  person.visaType,
  person.visaStart,
  person.visaEnd,
  person.skills.join(", "),
  person.availability,
  person.presence,
  words.status(person.status),
  markOf(person),
];

/** The import of people: those of the pool are changed, a few more may come in; whom the file leaves out stays. [RES-22] */
export const poolImport: ImportKind = {
  options: PoolImportOptions,
  fields: async (ctx) => poolFields(sheetTexts(ctx)),
  choices: async () => [{ key: "blanks", type: "blanks" }],
  fallbacks: [],
  labels: ["account"],
  hidden: rowMark,
  open: (options: PoolImportOptions): ImportRun => {
    const seen = nobodySeen();
    return {
      check: async (ctx, rows) => (await checkRows(ctx, rows, options, seen)).map(checkedRow),
      write: (ctx, rows, frame) => writeRows(ctx, rows, options, frame),
    };
  },
};

async function checkRows(ctx: Ctx, rows: readonly ImportRow[], options: PoolImportOptions, seen: SeenPeople) {
  const facts = await readPoolFacts(ctx, rows);
  return rows.map((row) => personWork(row, facts, options, seen));
}

async function writeRows(
  ctx: Ctx,
  rows: readonly ImportRow[],
  options: PoolImportOptions,
  frame: WriteFrame,
): Promise<{ written: CheckedRow[]; rejected: CheckedRow[] }> {
  const works = await checkRows(ctx, rows, options, nobodySeen());
  const rejected = works.filter(({ problems }) => problems.length > 0).map(checkedRow);
  const accepted = works.filter(({ stored, input, changes }) => input !== null && (stored === null || changes.length > 0));
  if (accepted.length === 0 || (frame.whole && rejected.length > 0)) return { written: [], rejected };
  await frame.step(0.5);
  await saveResources(ctx, { rows: accepted.flatMap(({ input }) => input ?? []), confirmPublic: false });
  return { written: accepted.map(checkedRow), rejected };
}
