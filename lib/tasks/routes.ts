import "server-only";
import { Readable } from "node:stream";
import { getSql } from "#db/client.ts";
import { writeAudit } from "#lib/core/audit.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { boundaryOf, multipartParts, type Part } from "#lib/core/multipart.ts";
import { route, type Sending } from "#lib/core/route.ts";
import { readFileStream, type StoredBytes, type StoredFile, storeBytes } from "#lib/core/storage.ts";
import { maxUploadBytes } from "#lib/core/workbook-limits.ts";
import * as commands from "./commands.ts";
import { type UploadType, uploadTypes } from "./limits.ts";
import { attachment, beginsAs, uploadType } from "./logic.ts";
import * as queries from "./queries.ts";
import { RecordUpload, TaskFile } from "./schema.ts";

/** Takes one file for an import and answers its id. */
export const uploadFile = route({
  address: "file/upload",
  alsoAt: "files",
  needs: "project.enter",
  starts: "task",
  input: RecordUpload,
  errors: ["FILE_TOO_LARGE", "FILE_FORMAT", "TOO_MANY", "UNSUPPORTED_TYPE", "RATE_LIMIT"],
  takes: { type: "multipart/form-data", receive: takeUpload },
  run: commands.recordUpload,
});

/** Sends a file of a task to its creator or to who may see all tasks; everybody else hears that it does not exist. */
export const sendTaskFile = route({
  address: "task/file/{id}/{part}",
  method: "GET",
  kind: "read",
  needs: "member",
  input: TaskFile,
  errors: ["NOT_FOUND", "CALCULATING", "FILE_EXPIRED"],
  run: openTaskFile,
  gives: { type: "application/octet-stream", send: sendFile },
});

// Room for the boundaries and heads around the file.
const frameBytes = 65_536;
const firstBytes = 4_096;

type TakenFile = StoredBytes & { name: string; mime: string };

/**
 * Takes one file as multipart/form-data, field `file`. The bytes go to the store as they come and are counted, and the first ones have to be what the
 * name says; a body that announces too much is refused before it is read.
 */
async function takeUpload(request: Request): Promise<TakenFile> {
  const boundary = boundaryOf(request.headers.get("content-type"));
  if (!boundary || !request.body) throw new AppError("UNSUPPORTED_TYPE", { type: "multipart/form-data" });
  if (Number(request.headers.get("content-length") ?? 0) > maxUploadBytes + frameBytes) throw tooLarge();
  const kind = new URL(request.url).searchParams.get("kind") ?? undefined;
  return takeFile(multipartParts(request.body as unknown as AsyncIterable<Uint8Array>, boundary), kind);
}

function tooLarge(): AppError {
  return new AppError("FILE_TOO_LARGE", { max: maxUploadBytes });
}

/** Stores the part `file`; a second file is refused. */
async function takeFile(parts: AsyncGenerator<Part>, kind: string | undefined): Promise<TakenFile> {
  for await (const part of parts) {
    if (part.name !== "file" || part.filename === null) continue;
    const type = uploadType(part.filename, kind);
    if (!type) throw new AppError("FILE_FORMAT");
    const { mime } = uploadTypes[type];
    return { ...(await storeBytes(Readable.from(checked(part.body, type, parts)), mime)), name: part.filename, mime };
  }
  throw new AppError("INVALID_INPUT", { field: "file" }, [{ path: "file", code: "VALUE_MISSING", params: { field: "file" } }]);
}

/** The file's bytes, counted and looked at as they pass; whatever is refused on the way leaves nothing in the store. */
async function* checked(body: AsyncGenerator<Buffer>, type: UploadType, parts: AsyncGenerator<Part>): AsyncGenerator<Buffer> {
  let size = 0;
  let first = Buffer.alloc(0);
  let known = false;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxUploadBytes) throw tooLarge();
    if (!known) {
      first = Buffer.concat([first, chunk]);
      if (first.length >= firstBytes) known = begins(type, first);
    }
    yield chunk;
  }
  if (!known) begins(type, first);
  for await (const further of parts) if (further.filename !== null) throw new AppError("TOO_MANY", { max: 1 });
}

function begins(type: UploadType, first: Buffer): true {
  if (!beginsAs(type, first.subarray(0, firstBytes))) throw new AppError("FILE_FORMAT");
  return true;
}

type Opened = { file: StoredFile; stream: Readable };

async function openTaskFile(ctx: Ctx, { id, part, at }: TaskFile): Promise<Opened> {
  const file = await queries.getTaskFile(ctx, id, part, at);
  const stream = await readFileStream(ctx, file.id);
  await writeAudit(getSql(), [{ object: `task ${id}`, before: null, after: { part, name: file.name }, event: "export_downloaded" }], {
    at: ctx.now,
    actorId: ctx.user.id,
    ip: null,
    requestId: ctx.requestId,
    projectId: ctx.project.id,
    address: "task/file",
  });
  return { file, stream };
}

function sendFile({ file, stream }: Opened, { requestId }: Sending): Response {
  return new Response(Readable.toWeb(stream) as ReadableStream, {
    headers: {
      "content-type": file.mime,
      "content-length": String(file.size),
      "content-disposition": attachment(file.name),
      "content-security-policy": "sandbox",
      "x-content-type-options": "nosniff",
      "cache-control": "private, no-store",
      requestid: requestId,
    },
  });
}
