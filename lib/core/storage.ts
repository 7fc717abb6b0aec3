import "server-only";
import { createHash, randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Transform, type TransformCallback } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { Disk } from "flydrive";
import { FSDriver } from "flydrive/drivers/fs";
import { S3Driver } from "flydrive/drivers/s3";
import type { Sql } from "#db/client.ts";
import { type Bucket, BucketFault, openBucket, putObject } from "./bucket.ts";
import type { Ctx } from "./ctx.ts";
import { env } from "./env.ts";
import { AppError } from "./error.ts";
import { log } from "./log.ts";

/** A stored file as its row says. */
export type StoredFile = {
  id: string;
  projectId: number | null;
  name: string;
  size: number;
  mime: string;
  sha256: string;
  createdBy: number;
  expiresAt: Date | null;
};

/** What `storeBytes` wrote: the key under which it lies, its length and its hash. */
export type StoredBytes = { id: string; size: number; sha256: string };

/** Longest name of a file, in characters. */
const nameChars = 255;

type Store = { disk: Disk; prefix: string; folder: string | null; bucket: Bucket | null };
let opened: { url: string; store: Store } | undefined;

/** The folder or bucket that `STORAGE_URL` names; `files` in the data folder by default. */
function openStore(): Store {
  const { STORAGE_URL, DATA_DIR } = env();
  const url = STORAGE_URL ?? `files:${DATA_DIR}`;
  if (opened?.url === url) return opened.store;
  const store = STORAGE_URL?.startsWith("s3:")
    ? inBucket(openBucket(new URL(STORAGE_URL)))
    : inFolder(STORAGE_URL ? fileURLToPath(STORAGE_URL) : join(DATA_DIR, "files"));
  opened = { url, store };
  return store;
}

function inFolder(folder: string): Store {
  return { disk: new Disk(new FSDriver({ location: folder, visibility: "private" })), prefix: "", folder, bucket: null };
}

function inBucket(bucket: Bucket): Store {
  const driver = new S3Driver({ client: bucket.client, bucket: bucket.name, visibility: "private", supportsACL: false });
  return { disk: new Disk(driver), prefix: bucket.prefix, folder: null, bucket };
}

/** Does something with the store. A bucket that refuses or does not answer is a service out of order, whatever it said. */
async function reach<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError || !openStore().bucket) throw error;
    const cause = (error as { cause?: unknown }).cause ?? error;
    log.error({ error: cause }, "the file store does not answer");
    throw Object.assign(new AppError("SERVICE_ERROR"), { cause });
  }
}

/** Hashes and counts what passes through. */
class Meter extends Transform {
  size = 0;
  readonly #hash = createHash("sha256");

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.size += chunk.length;
    this.#hash.update(chunk);
    done(null, chunk);
  }

  get sha256(): string {
    return this.#hash.copy().digest("hex");
  }
}

/**
 * Writes a file under a new key and gives its length and hash; an interrupted source leaves nothing behind.
 * The object is written before its row and outside any transaction: one without a row is removed by the daily sweep.
 */
export async function storeBytes(source: Readable | Uint8Array, mime: string): Promise<StoredBytes> {
  return writeBytes(randomUUID(), source, mime);
}

/** Writes a file under the key it had before, as a restore does. */
export async function writeBytes(id: string, source: Readable | Uint8Array, mime: string): Promise<StoredBytes> {
  const { disk, prefix, folder, bucket } = openStore();
  const meter = new Meter();
  const input = source instanceof Readable ? source : Readable.from([source]);
  try {
    if (folder) {
      await mkdir(folder, { recursive: true });
      await pipeline(input, meter, createWriteStream(join(folder, id), { flags: "wx", mode: 0o600 }));
    } else if (bucket) {
      await pipeline(input, meter, (bytes) => putObject(bucket, prefix + id, bytes, mime));
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") await disk.delete(prefix + id).catch(() => {});
    // What the source threw is its own; only what the bucket said is a fault of the store.
    if (error instanceof BucketFault) return reach(() => Promise.reject(error));
    throw error;
  }
  return { id, size: meter.size, sha256: meter.sha256 };
}

/** Inserts the row of a stored file. One made on the way of a task goes after a day, unless the end of the task keeps it. */
export async function recordFile(
  ctx: Pick<Ctx, "sql" | "user" | "project" | "now"> & { filesUntil?: Date },
  file: StoredBytes & { name: string; mime: string; expiresAt?: Date | null },
): Promise<string> {
  await ctx.sql`
    insert into file_object (id, project_id, name, size, mime, sha256, created_by, created_at, expires_at)
    values (${file.id}, ${ctx.project.id}, ${safeName(file.name)}, ${file.size}, ${file.mime}, ${file.sha256}, ${ctx.user.id}, ${ctx.now}, ${file.expiresAt ?? ctx.filesUntil ?? null})`;
  return file.id;
}

/**
 * Stores a file of the project and its row; gives the id.
 * @param file.expiresAt when the daily sweep removes it; null or absent keeps it as long as what refers to it
 */
export async function putFile(
  ctx: Pick<Ctx, "sql" | "user" | "project" | "now">,
  file: { name: string; mime: string; stream?: Readable; bytes?: Uint8Array; expiresAt?: Date | null },
): Promise<string> {
  const source = file.stream ?? file.bytes;
  if (!source) throw new TypeError("a file needs a stream or bytes");
  const stored = await storeBytes(source, file.mime);
  return recordFile(ctx, { ...stored, name: file.name, mime: file.mime, expiresAt: file.expiresAt ?? null });
}

const columns = (sql: Sql) =>
  sql`id, project_id as "projectId", name, size, mime, sha256, created_by as "createdBy", expires_at as "expiresAt"`;

/**
 * A file of the project.
 * @throws NOT_FOUND for an unknown file and one of another project, FILE_EXPIRED for one that has been removed
 */
export async function getFile(ctx: Pick<Ctx, "sql" | "project" | "now">, id: string): Promise<StoredFile> {
  const { sql, project, now } = ctx;
  const [file] = await sql<StoredFile[]>`select ${columns(sql)} from file_object where id = ${id} and project_id = ${project.id}`;
  if (!file) throw new AppError("NOT_FOUND");
  if (file.expiresAt && file.expiresAt <= now) throw new AppError("FILE_EXPIRED");
  return file;
}

/** The content of a file of the project. */
export async function readFileStream(ctx: Pick<Ctx, "sql" | "project" | "now">, id: string): Promise<Readable> {
  const file = await getFile(ctx, id);
  return readBytes(file.id);
}

/**
 * The content that lies under a key.
 * @throws FILE_EXPIRED when nothing does
 */
export async function readBytes(id: string): Promise<Readable> {
  const { disk, prefix } = openStore();
  return reach(async () => {
    if (!(await disk.exists(prefix + id))) throw new AppError("FILE_EXPIRED");
    return disk.getStream(prefix + id);
  });
}

/** Gives `use` a path at which the file lies on this machine for as long as `use` runs: other processes and parsers need one. */
export async function withLocalFile<T>(
  ctx: Pick<Ctx, "sql" | "project" | "now">,
  id: string,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const file = await getFile(ctx, id);
  const { folder } = openStore();
  if (folder) {
    const path = join(folder, file.id);
    if (!(await stat(path).catch(() => null))) throw new AppError("FILE_EXPIRED");
    return use(path);
  }
  return withTemporary(async (path) => {
    await reach(async () => pipeline(await readBytes(file.id), createWriteStream(path)));
    return use(path);
  });
}

/** Removes the contents of files; the rows are the caller's. */
export async function removeBytes(ids: readonly string[]): Promise<void> {
  const { disk, prefix } = openStore();
  for (const id of ids) await reach(() => disk.delete(prefix + id));
}

/** Keys of everything stored, a batch at a time. */
export async function* listKeys(): AsyncGenerator<string[]> {
  const { disk, prefix } = openStore();
  let paginationToken: string | undefined;
  do {
    const part = await reach(() => disk.listAll(prefix, { recursive: true, ...(paginationToken && { paginationToken }) }));
    let batch: string[] = [];
    for (const object of part.objects) {
      const key = object.isFile ? object.key.slice(prefix.length) : "";
      if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(key)) batch.push(key);
      if (batch.length === 1_000) {
        yield batch;
        batch = [];
      }
    }
    if (batch.length > 0) yield batch;
    paginationToken = part.paginationToken;
  } while (paginationToken);
}

/** When a stored content was written; the beginning of time when it is gone. A store that does not answer is not an answer. */
export async function lastWritten(id: string): Promise<Date> {
  const { disk, prefix } = openStore();
  return reach(() =>
    disk.getMetaData(prefix + id).then(
      (data) => data.lastModified,
      (error: { cause?: { code?: string; $metadata?: { httpStatusCode?: number } } }) => {
        if (error.cause?.code === "ENOENT" || error.cause?.$metadata?.httpStatusCode === 404) return new Date(0);
        throw error;
      },
    ),
  );
}

/** A file name without folders and control characters, at most as long as its column; the extension survives. */
export function safeName(name: string): string {
  const base = (name.normalize("NFC").split(/[/\\]/).at(-1) ?? "")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to drop.
    .replace(/[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]/g, "")
    .trim();
  if (!base || base === "." || base === "..") return "file";
  const letters = [...base];
  if (letters.length <= nameChars) return base;
  const dot = base.lastIndexOf(".");
  const extension = dot > 0 ? [...base.slice(dot)].slice(0, 20) : [];
  return [...letters.slice(0, nameChars - extension.length), ...extension].join("");
}

async function withTemporary<T>(use: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "milepost-"));
  try {
    return await use(join(folder, "file"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
