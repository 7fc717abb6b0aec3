import "server-only";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, open, rm } from "node:fs/promises";
import { getCompileCacheDir } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { AppError, type Params } from "#lib/core/error.ts";
import { log } from "#lib/core/log.ts";
import type { Cell, SheetRow } from "#lib/core/workbook-cell.ts";
import { maxPackRatio, maxUnpackedBytes, readerMemoryMb, readerSeconds } from "#lib/core/workbook-limits.ts";
import type { FileInfo, ReadRequest } from "#lib/core/workbook-read.ts";
import type { ErrorCode } from "#lib/errors.ts";

/** How much a file holds, and whether its sheet refuses changes. */
export type SheetCounts = { rows: number; columns: number; isProtected?: boolean };

/** A file that is being read: what it says about itself, and its rows as they come, as often as wanted until it is closed. */
export type OpenSheet = FileInfo & {
  /**
   * Rows as soon as they are read.
   * @throws AppError behind the last good row, when the file turns out to be one that is not read
   */
  rows(): AsyncGenerator<SheetRow>;
  /** How much the file holds, once it has been read to its end. @throws AppError as `rows` */
  counts(): Promise<SheetCounts>;
  /** The same, as far as known by now. */
  countsByNow(): SheetCounts | null;
  close(): Promise<void>;
};

/**
 * Reads a workbook or csv file in a process of its own with limits of memory and time, and gives its rows from a temporary file while they arrive there.
 * @param path where the file lies on this machine
 * @throws AppError the refusals of `readFileRows`, FILE_BOMB for what asks for more memory than any real file needs, TIMEOUT
 */
export async function openSheet(path: string, request: ReadRequest, signal?: AbortSignal): Promise<OpenSheet> {
  const folder = await mkdtemp(join(tmpdir(), "milepost-sheet-"));
  const out = join(folder, "rows");
  const reading = new Reading({ ...request, path, out }, signal);
  const close = async (): Promise<void> => {
    await reading.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const info = await reading.info();
    return { ...info, rows: () => readRows(out, reading), counts: () => reading.counts(), countsByNow: () => reading.countsByNow, close };
  } catch (error) {
    await close();
    throw error;
  }
}

// The reader gets nothing of the settings: it needs none. It starts in half the time where its code lies compiled.
const compiled = getCompileCacheDir();
const readerEnv: Record<string, string> = { TZ: "UTC", ...(compiled && { NODE_COMPILE_CACHE: compiled }) };

/** Starts a process that reads one file, as soon as it is told which. */
function startReader(): ChildProcess {
  const limit = `--max-old-space-size=${readerMemoryMb}`;
  const script = join(process.cwd(), "lib/core/workbook-child.ts");
  const child = spawn(process.execPath, ["--conditions=react-server", "--disable-warning=ExperimentalWarning", limit, script], {
    stdio: ["pipe", "pipe", "pipe"],
    env: readerEnv as NodeJS.ProcessEnv,
  });
  // What cannot be told to a reader that has ended is seen by its end.
  child.stdin?.on("error", () => {});
  return child;
}

let ready: ChildProcess | null = null;

/** Keeps a reader ready for the next file of this process: one that is started for a file loads its code first. */
export function keepReaderReady(): void {
  if (ready) return;
  const child = startReader();
  const drop = () => {
    if (ready === child) ready = null;
  };
  ready = child.once("exit", drop).once("error", drop);
}

function takeReader(): ChildProcess {
  const child = ready ?? startReader();
  if (ready) setTimeout(keepReaderReady, nextReaderMs).unref();
  ready = null;
  return child;
}

/** What the reader says: how many bytes of rows are written, once what the file says about itself, and at the end its counts or what is wrong with it. */
type Message = { bytes?: number; info?: FileInfo; counts?: SheetCounts; code?: ErrorCode; params?: Params };

/** The process that reads one file, and how far it has come. */
class Reading {
  countsByNow: SheetCounts | null = null;
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  #info: FileInfo | null = null;
  #bytes = 0;
  #failure: unknown = null;
  #wake: () => void = () => {};
  #news = new Promise<void>((wake) => {
    this.#wake = wake;
  });

  constructor(request: ReadRequest & { path: string; out: string }, signal?: AbortSignal) {
    this.#child = takeReader();
    this.#ended = this.#watch(this.#child, signal);
    this.#child.stdin?.end(JSON.stringify(request));
  }

  /** What the file says about itself. */
  async info(): Promise<FileInfo> {
    while (!this.#info) await this.#more();
    return this.#info;
  }

  async counts(): Promise<SheetCounts> {
    while (!this.countsByNow) await this.#more();
    return this.countsByNow;
  }

  /** Bytes of rows that are there, as soon as they are more than `read`; null when there will be no more. */
  async bytesBeyond(read: number): Promise<number | null> {
    while (this.#bytes <= read) {
      if (this.countsByNow) return null;
      await this.#more();
    }
    return this.#bytes;
  }

  /** Ends the process, whatever it is doing. */
  async stop(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#ended;
  }

  async #more(): Promise<void> {
    if (this.#failure) throw this.#failure;
    await this.#news;
  }

  #tell(): void {
    this.#wake();
    this.#news = new Promise((wake) => {
      this.#wake = wake;
    });
  }

  #hear(line: string): void {
    let message: Message;
    try {
      message = JSON.parse(line);
    } catch {
      // Cut off with the process: its end says the rest.
      return;
    }
    const { bytes, info, counts, code, params } = message;
    if (code) this.#failure ??= new AppError(code, params);
    if (bytes !== undefined) this.#bytes = bytes;
    this.#info ??= info ?? null;
    this.countsByNow = counts ?? null;
    this.#tell();
  }

  async #watch(child: ChildProcess, signal?: AbortSignal): Promise<void> {
    let faults = "";
    child.stderr?.on("data", (chunk: Buffer) => (faults = (faults + chunk).slice(-4000)));
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (line) => this.#hear(line));
    const end = (failure: unknown) => {
      this.#failure ??= failure;
      child.kill("SIGKILL");
    };
    const timer = setTimeout(() => end(new AppError("TIMEOUT")), readerSeconds * 1000);
    const leave = () => end(signal?.reason);
    signal?.addEventListener("abort", leave, { once: true });
    if (signal?.aborted) leave();
    await new Promise<void>((done) => {
      child.once("error", (error) => {
        this.#failure ??= error;
        if (child.pid === undefined) done();
      });
      child.once("close", () => done());
    });
    clearTimeout(timer);
    signal?.removeEventListener("abort", leave);
    if (faults) log.warn({ faults }, "reading a file");
    // Out of memory or killed: the file asks for more than any real one needs.
    if (!this.countsByNow) this.#failure ??= new AppError("FILE_BOMB", { max: maxUnpackedBytes, ratio: maxPackRatio });
    this.#tell();
  }
}

// What the reader says is written ends with a whole row each time. A piece is read again from its last whole row on, and grows where it holds none.
async function* readRows(path: string, reading: Reading): AsyncGenerator<SheetRow> {
  const file = await open(path);
  try {
    let piece = Buffer.allocUnsafe(pieceBytes);
    let read = 0;
    for (let there = await reading.bytesBeyond(read); there !== null; there = await reading.bytesBeyond(read)) {
      const { bytesRead } = await file.read(piece, 0, Math.min(there - read, piece.length), read);
      const end = piece.lastIndexOf(lineEnd, bytesRead - 1);
      if (end < 0) piece = Buffer.allocUnsafe(piece.length * 2);
      else {
        for (const line of piece.toString("utf8", 0, end).split("\n")) {
          const [no, cells] = JSON.parse(line) as [number, Cell[]];
          yield { no, cells, json: line.slice(line.indexOf(",") + 1, -1) };
        }
        read += end + 1;
      }
    }
  } finally {
    await file.close();
  }
}

const pieceBytes = 524_288;
/** Long enough for the file that is being read and what follows on it, which has better use of the processor. */
const nextReaderMs = 5_000;
const lineEnd = 0x0a;
