import { createHash, createHmac, randomUUID } from "node:crypto";
import { createReadStream, mkdtempSync, rmSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";

/** The login the server knows. */
export const s3Login = { key: "MILEPOSTKEY", secret: "milepost-secret" };

const leastPart = 5 * 2 ** 20;
const pageKeys = 1_000;
const skewMs = 15 * 60_000;

type Part = { file: string; etag: string; size: number };
type Upload = { bucket: string; key: string; mime: string; parts: Map<number, Part> };
type Stored = { files: string[]; size: number; etag: string; mime: string; written: Date };

class Refused extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

const md5 = (bytes: Uint8Array) => createHash("md5").update(bytes).digest("hex");
const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest("hex");
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
const rfc3986 = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/**
 * A strict S3 server of one login on loopback, with path addresses: it checks the signature (version 4) and the body's hash of every request, that parts are
 * long enough and are named by their right tags, and answers what it does not know with an error. Contents lie in files, so that its memory stays small.
 */
export async function startS3Server(): Promise<{ port: number; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "milepost-s3-"));
  const buckets = new Map<string, Map<string, Stored>>();
  const uploads = new Map<string, Upload>();

  const keep = async (bytes: Buffer): Promise<Part> => {
    const file = join(folder, randomUUID());
    await writeFile(file, bytes);
    return { file, etag: `"${md5(bytes)}"`, size: bytes.length };
  };

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request);
    checkSignature(request, body);
    const url = new URL(request.url ?? "/", "http://s3");
    const query = url.searchParams;
    const [, name = "", ...rest] = url.pathname.split("/");
    const key = rest.map(decodeURIComponent).join("/");
    const { method } = request;
    if (!key && method === "PUT") {
      if (buckets.has(name)) throw new Refused(409, "BucketAlreadyOwnedByYou");
      buckets.set(name, new Map());
      return response.end();
    }
    const objects = buckets.get(name);
    if (!objects) throw new Refused(404, "NoSuchBucket");
    if (!key && method === "GET" && query.has("uploads")) {
      const open = [...uploads].filter(([, upload]) => upload.bucket === name);
      return xml(
        response,
        "ListMultipartUploadsResult",
        open.map(([id, { key }]) => `<Upload><Key>${escaped(key)}</Key><UploadId>${id}</UploadId></Upload>`),
      );
    }
    if (!key && method === "GET" && query.get("list-type") === "2") return list(objects, query, response);
    if (!key) throw new Refused(501, "NotImplemented");
    const mime = request.headers["content-type"] ?? "application/octet-stream";
    const uploadId = query.get("uploadId");
    if (method === "POST" && query.has("uploads")) {
      const id = randomUUID();
      uploads.set(id, { bucket: name, key, mime, parts: new Map() });
      return xml(response, "InitiateMultipartUploadResult", [`<UploadId>${id}</UploadId>`]);
    }
    if (uploadId !== null) {
      const upload = uploads.get(uploadId);
      if (!upload || upload.key !== key || upload.bucket !== name) throw new Refused(404, "NoSuchUpload");
      if (method === "PUT") {
        const part = await keep(body);
        upload.parts.set(Number(query.get("partNumber")), part);
        return response.setHeader("etag", part.etag).end();
      }
      if (method === "DELETE") {
        uploads.delete(uploadId);
        for (const part of upload.parts.values()) await rm(part.file, { force: true });
        return response.writeHead(204).end();
      }
      if (method === "POST") {
        const stored = complete(upload, body.toString());
        objects.set(key, stored);
        uploads.delete(uploadId);
        return xml(response, "CompleteMultipartUploadResult", [`<ETag>${stored.etag}</ETag>`]);
      }
    }
    if (method === "PUT") {
      const { file, etag, size } = await keep(body);
      objects.set(key, { files: [file], size, etag, mime, written: new Date() });
      return response.setHeader("etag", etag).end();
    }
    const found = objects.get(key);
    if (method === "DELETE") {
      objects.delete(key);
      for (const file of found?.files ?? []) await rm(file, { force: true });
      return response.writeHead(204).end();
    }
    if (!found) throw new Refused(404, "NoSuchKey");
    response.setHeader("etag", found.etag).setHeader("content-type", found.mime).setHeader("last-modified", found.written.toUTCString());
    response.setHeader("content-length", found.size);
    if (method === "HEAD") return response.end();
    if (method !== "GET" || request.headers.range) throw new Refused(501, "NotImplemented");
    return pipeline(async function* () {
      for (const file of found.files) yield* createReadStream(file);
    }, response);
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error) => {
      const { status, code } = error instanceof Refused ? error : new Refused(500, "InternalError");
      if (response.headersSent) return response.destroy();
      if (request.method === "HEAD") return response.writeHead(status).end();
      return xml(response.writeHead(status), "Error", [`<Code>${code}</Code><Message>${code}</Message>`]);
    });
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function xml(response: ServerResponse, name: string, content: string[]): ServerResponse {
  const space = name === "Error" ? "" : ' xmlns="http://s3.amazonaws.com/doc/2006-03-01/"';
  return response.end(`<?xml version="1.0" encoding="UTF-8"?><${name}${space}>${content.join("")}</${name}>`);
}

/** What the signature's own rules say: the login, the canonical request as it was sent, the hash of the body, the time. */
function checkSignature(request: IncomingMessage, body: Buffer): void {
  const { headers } = request;
  const given =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? "",
    );
  if (!given) throw new Refused(403, "AccessDenied");
  const [, key = "", day = "", region = "", signed = "", signature = ""] = given;
  if (key !== s3Login.key) throw new Refused(403, "InvalidAccessKeyId");
  const at = String(headers["x-amz-date"] ?? "");
  const moment = Date.parse(at.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  if (!at.startsWith(day) || !(Math.abs(moment - Date.now()) < skewMs)) throw new Refused(403, "RequestTimeTooSkewed");
  const hash = String(headers["x-amz-content-sha256"] ?? "");
  if (hash !== sha256(body)) throw new Refused(400, "XAmzContentSHA256Mismatch");
  const names = signed.split(";");
  const needed = Object.keys(headers).filter((name) => name === "host" || name.startsWith("x-amz-"));
  if (needed.some((name) => !names.includes(name))) throw new Refused(403, "AccessDenied");
  const [path = "", search = ""] = (request.url ?? "").split("?");
  const query = [...new URLSearchParams(search)].map(([name, value]) => `${rfc3986(name)}=${rfc3986(value)}`).sort();
  const lines = names.map(
    (name) =>
      `${name}:${String(headers[name] ?? "")
        .trim()
        .replace(/ +/g, " ")}\n`,
  );
  const canonical = [request.method, path, query.join("&"), lines.join(""), signed, hash].join("\n");
  const signing = ["s3", "aws4_request"].reduce(hmac, hmac(hmac(`AWS4${s3Login.secret}`, day), region));
  const wanted = hmac(signing, ["AWS4-HMAC-SHA256", at, `${day}/${region}/s3/aws4_request`, sha256(canonical)].join("\n")).toString("hex");
  if (wanted !== signature) throw new Refused(403, "SignatureDoesNotMatch");
}

function complete(upload: Upload, body: string): Stored {
  const named = [...body.matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = ""]) => ({
    number: Number(/<PartNumber>(\d+)</.exec(part)?.[1]),
    etag: (/<ETag>(.*?)<\/ETag>/.exec(part)?.[1] ?? "").replaceAll("&quot;", '"'),
  }));
  if (named.length === 0) throw new Refused(400, "MalformedXML");
  const parts = named.map(({ number, etag }, at) => {
    const part = upload.parts.get(number);
    if (part?.etag !== etag) throw new Refused(400, "InvalidPart");
    if (at > 0 && number <= named[at - 1]!.number) throw new Refused(400, "InvalidPartOrder");
    if (at < named.length - 1 && part.size < leastPart) throw new Refused(400, "EntityTooSmall");
    return part;
  });
  const etag = `"${md5(Buffer.from(parts.map((part) => part.etag.slice(1, -1)).join(""), "hex"))}-${parts.length}"`;
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  return { files: parts.map((part) => part.file), size, etag, mime: upload.mime, written: new Date() };
}

function list(objects: Map<string, Stored>, query: URLSearchParams, response: ServerResponse): ServerResponse {
  const prefix = query.get("prefix") ?? "";
  const after = query.get("continuation-token") ?? "";
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
  const page = keys.slice(0, pageKeys);
  const more = keys.length > page.length;
  return xml(response, "ListBucketResult", [
    `<IsTruncated>${more}</IsTruncated>`,
    ...(more ? [`<NextContinuationToken>${escaped(page.at(-1) ?? "")}</NextContinuationToken>`] : []),
    ...page.map((key) => {
      const { size, etag, written } = objects.get(key)!;
      return `<Contents><Key>${escaped(key)}</Key><Size>${size}</Size><ETag>${etag}</ETag><LastModified>${written.toISOString()}</LastModified></Contents>`;
    }),
  ]);
}
