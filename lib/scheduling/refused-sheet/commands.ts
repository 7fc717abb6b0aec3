import "server-only";
import type { JobCtx } from "#lib/core/job.ts";
import { loadMessages } from "#lib/core/messages.ts";
import { recordFile, storeBytes } from "#lib/core/storage.ts";
import type { Cell } from "#lib/core/workbook-cell.ts";
import { sheetEndRow, workbookMime } from "#lib/core/workbook-limits.ts";
import { writeWorkbook } from "#lib/core/workbook-write.ts";
import type { PermissionCode } from "#lib/permissions.ts";
import { describeRefused, type RefusedDu } from "../queries.ts";

/** Rows that are put into words at once. */
const wordedRows = 5_000;

/**
 * Stores what a task left as it was as a workbook: DU, activity and reason, in the language of the task.
 * @param right that what was refused for want of it asks for
 * @returns id of the file
 */
export async function storeRefused(job: JobCtx, title: string, refused: readonly RefusedDu[], right: PermissionCode): Promise<string> {
  // A sheet holds no more, its head among them.
  const held = Math.min(refused.length, sheetEndRow - 1);
  async function* rows(): AsyncGenerator<Cell[]> {
    for (let at = 0; at < held; at += wordedRows) {
      const worded = await describeRefused(job, refused.slice(at, Math.min(held, at + wordedRows)), right);
      for (const { duId, duCode, activityName, text } of worded) yield [duCode ?? String(duId), activityName, text];
    }
  }
  const words = loadMessages(job.locale).common as { du: string; activity: string; reason: string };
  const stream = writeWorkbook({
    name: title,
    columns: [
      { title: words.du, width: 24 },
      { title: words.activity, width: 24 },
      { title: words.reason, marked: true, width: 60 },
    ],
    rows: rows(),
  });
  const stored = await storeBytes(stream, workbookMime);
  const name = `${job.project.number} ${title} ${job.today}.xlsx`;
  return job.chunk((ctx) => recordFile(ctx, { ...stored, name, mime: workbookMime }));
}
