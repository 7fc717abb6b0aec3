import "server-only";
import { spawn } from "node:child_process";
import { createReadStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { AppError } from "#lib/core/error.ts";
import { log } from "#lib/core/log.ts";
import type { Cell, SheetRow } from "#lib/core/workbook-cell.ts";
import { maxPackRatio, maxUnpackedBytes, readerMemoryMb, readerSeconds } from "#lib/core/workbook-limits.ts";
import type { FileInfo, ReadRequest } from "#lib/core/workbook-read.ts";

/** A file that was read: what it says about itself, how much it holds, and its rows, as often as wanted until it is closed. */
export type OpenSheet = FileInfo & {
  rowCount: number;
  columnCount: number;
  rows(): AsyncGenerator<SheetRow>;
  close(): Promise<void>;
};

/**
 * Reads a workbook or csv file in a process of its own with limits of memory and time, and gives its rows from a temporary file.
 * @param path where the file lies on this machine
 * @throws AppError the refusals of `readFileRows`, FILE_BOMB for what asks for more memory than any real file needs, TIMEOUT
 */
export async function openSheet(path: string, request: ReadRequest, signal?: AbortSignal): Promise<OpenSheet> {
  const folder = await mkdtemp(join(tmpdir(), "milepost-sheet-"));
  const close = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const out = join(folder, "rows");
    const info = await runReader({ ...request, path, out }, signal);
    return { ...info, rows: () => readRows(out), close };
  } catch (error) {
    await close();
    throw error;
  }
}

// The reader gets nothing of the settings: it needs none.
const readerEnv: Record<string, string> = { TZ: "UTC" };

type Reading = FileInfo & { rowCount: number; columnCount: number };

async function runReader(request: ReadRequest & { path: string; out: string }, signal?: AbortSignal): Promise<Reading> {
  const script = join(process.cwd(), "lib/core/workbook-child.ts");
  const child = spawn(
    process.execPath,
    [
      "--conditions=react-server",
      "--disable-warning=ExperimentalWarning",
      `--max-old-space-size=${readerMemoryMb}`,
      script,
      JSON.stringify(request),
    ],
    { stdio: ["ignore", "pipe", "pipe"], env: readerEnv as NodeJS.ProcessEnv, killSignal: "SIGKILL", ...(signal && { signal }) },
  );
  let answer = "";
  let faults = "";
  child.stdout.on("data", (chunk: Buffer) => (answer += chunk));
  child.stderr.on("data", (chunk: Buffer) => (faults = (faults + chunk).slice(-4000)));
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    child.kill("SIGKILL");
  }, readerSeconds * 1000);
  const ended = await new Promise<{ code: number | null }>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code }));
  }).finally(() => clearTimeout(timer));
  if (late) throw new AppError("TIMEOUT");
  if (faults) log.warn({ faults }, "reading a file");
  // Out of memory or killed: the file asks for more than any real one needs.
  if (ended.code !== 0 || answer === "") throw new AppError("FILE_BOMB", { max: maxUnpackedBytes, ratio: maxPackRatio });
  const result = JSON.parse(answer);
  if (result.code) throw new AppError(result.code, result.params);
  const { rows, columns, ...info } = result as FileInfo & { rows: number; columns: number };
  return { ...info, rowCount: rows, columnCount: columns };
}

async function* readRows(path: string): AsyncGenerator<SheetRow> {
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line === "") continue;
    const [no, cells] = JSON.parse(line) as [number, Cell[]];
    yield { no, cells };
  }
}
