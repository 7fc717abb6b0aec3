import type { Locator, Page } from "playwright";
import { expect } from "vitest";
import * as XLSX from "xlsx";
import type { Journey } from "./journey.ts";

/** A workbook as a file field takes it. */
export const workbookFile = (name: string, buffer: Buffer) => ({
  name,
  mimeType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  buffer,
});

/** A cell of a grid of rows: row from 1, column by what its head begins with. */
export async function rowCell(page: Page, row: number, head: string): Promise<Locator> {
  const name = new RegExp(`^${head.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}`);
  const column = await page.getByRole("columnheader", { name }).first().getAttribute("aria-colindex");
  return page.locator(`[role=row][aria-rowindex="${row + 2}"] [role=gridcell][aria-colindex="${column}"]`);
}

/** Bytes of the newest file that tasks of a kind made in a project. */
export async function newestFile(journey: Journey, page: Page, project: { id: number; number: string }, kind: string): Promise<Buffer> {
  const newest = async () =>
    (
      await journey.owner<{ id: string; status: string }[]>`
        select id, status from task where project_id = ${project.id} and kind = ${kind} order by created_at desc limit 1`
    )[0];
  await expect.poll(async () => (await newest())?.status, { timeout: 60_000 }).toBe("succeeded");
  return taskFile(journey, page, project.number, (await newest())!.id);
}

/** Bytes of the file a task made. */
export async function taskFile(journey: Journey, page: Page, number: string, taskId: string): Promise<Buffer> {
  const reply = await page.request.get(`${journey.base}/api/task/file/${taskId}/result?projectNumber=${number}`);
  expect(reply.status()).toBe(200);
  return reply.body();
}

/** A workbook of an input with further rows, by the keys of its first line. */
export function withRows(bytes: Buffer, rows: readonly Record<string, string | number | boolean>[]): Buffer {
  const book = XLSX.read(bytes);
  const sheet = book.Sheets[book.SheetNames[0]!]!;
  const lines = XLSX.utils.sheet_to_json<unknown[]>(sheet, { header: 1 });
  const keys = lines[0] as string[];
  XLSX.utils.sheet_add_aoa(
    sheet,
    rows.map((row) => keys.map((key) => row[key] ?? null)),
    { origin: { r: lines.length, c: 0 } },
  );
  return XLSX.write(book, { type: "buffer", bookType: "xlsx" });
}
