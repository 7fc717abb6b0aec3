import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { runTask } from "#jobs/run-task.ts";
import { taskKinds } from "#jobs/tasks.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import { putFile, withLocalFile } from "#lib/core/storage.ts";
import type { Cell } from "#lib/core/workbook-cell.ts";
import type { PreviewRow } from "#lib/imports/queries.ts";
import { type CallFrame, callAs } from "../../support/call.ts";
import { clock, type TestDatabase } from "../../support/database.ts";
import { readSheet } from "../../support/read-sheet.ts";

export type Place = { project: { id: number; number: string }; user: CtxUser };

/** Gives the suite a folder for its files and the clock of the tests to its jobs. */
export function useFiles(): void {
  const folder = mkdtempSync(join(tmpdir(), "milepost-files-"));
  beforeAll(() => {
    process.env.DATA_DIR = folder;
    process.env.MILEPOST_TEST_CLOCK = clock.toISOString();
  });
  afterAll(() => {
    delete process.env.MILEPOST_TEST_CLOCK;
    rmSync(folder, { recursive: true, force: true });
  });
}

const never = new AbortController().signal;

/** What a test does with the imports of one project. */
export function importsOf(db: TestDatabase, place: () => Place) {
  // biome-ignore lint/suspicious/noExplicitAny: tests read the answer of many calls.
  const call = (address: string, input: unknown = {}, frame: CallFrame = {}): Promise<any> =>
    callAs(place().user, address, input, { project: place().project.number, ...frame });
  const ctx = () => ({ sql: db.app, project: place().project, user: place().user, now: clock }) as never;
  const upload = (name: string, bytes: Buffer | string) =>
    putFile(ctx(), { name, mime: "application/octet-stream", bytes: Buffer.from(bytes) });
  // biome-ignore lint/suspicious/noExplicitAny: rows of a table as the driver gives them.
  const task = async (id: string): Promise<any> => (await db.owner`select * from task where id = ${id}`)[0];
  const run = async (id: string) => {
    await runTask(db.app, taskKinds, id, never);
    return task(id);
  };
  const preview = async (input: object, frame: CallFrame = {}) => {
    const answer = await call("import/preview", input, frame);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer));
    return run(answer.data.taskId);
  };
  const apply = async (previewId: string, more: object = {}) => {
    const answer = await call("import/apply", { taskId: previewId, ...more });
    return answer.status === 200 ? run(answer.data.taskId) : answer;
  };
  const rows = async (previewId: string, filters: object[] = [], frame: CallFrame = {}): Promise<PreviewRow[]> => {
    const all = [{ field: "task", type: "eq", values: [previewId] }, ...filters];
    const answer = await call(`import/rows/list/1/200/default/${encodeURIComponent(JSON.stringify(all))}`, {}, frame);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer));
    return answer.data.records;
  };
  const workbook = async (fileId: string): Promise<Cell[][]> => (await withLocalFile(ctx(), fileId, readSheet)).rows;
  return { call, upload, task, run, preview, apply, rows, workbook };
}
