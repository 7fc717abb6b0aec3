import "server-only";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";

/** A bucket as `STORAGE_URL` names it. */
export type Bucket = { client: S3Client; name: string; prefix: string };

/** Length of the parts of a large object: what one upload holds in memory. At most 10,000 parts make an object, so 80 GB is the largest. */
export const partBytes = 8 * 2 ** 20;
const connectMs = 5_000;
/** A server that says nothing for this long counts as gone. */
const silenceMs = 30_000;

/** What the bucket refused or did not answer, apart from what the source of an upload threw. */
export class BucketFault extends Error {
  constructor(cause: unknown) {
    super("the file store does not answer", { cause });
    this.name = "BucketFault";
  }
}

/**
 * Opens `s3://bucket/prefix?region=…&endpoint=…`. The login comes from the standard variables of the S3 client; the endpoint is for other makers.
 */
export function openBucket(url: URL): Bucket {
  const endpoint = url.searchParams.get("endpoint");
  const client = new S3Client({
    region: url.searchParams.get("region") ?? "us-east-1",
    // Checksums in trailers are Amazon's own; every maker checks the hash of the body in the signature.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: { connectionTimeout: connectMs, requestTimeout: silenceMs, throwOnRequestTimeout: true },
    ...(endpoint && { endpoint, forcePathStyle: true }),
  });
  const prefix = url.pathname.replace(/^\/+|\/+$/g, "");
  return { client, name: url.hostname, prefix: prefix ? `${prefix}/` : "" };
}

/**
 * Writes a stream as one object, which appears when it is complete or not at all. A long one goes in parts, so that only one part is held in memory;
 * the parts of a broken upload are taken back.
 */
export async function putObject({ client, name }: Bucket, key: string, source: AsyncIterable<Buffer>, mime: string): Promise<void> {
  const object = { Bucket: name, Key: key };
  let uploadId: string | undefined;
  const parts: { ETag: string | undefined; PartNumber: number }[] = [];
  try {
    for await (const { bytes, last } of inParts(source)) {
      if (last && !uploadId) {
        await asked(client.send(new PutObjectCommand({ ...object, Body: bytes, ContentType: mime })));
        return;
      }
      uploadId ??= (await asked(client.send(new CreateMultipartUploadCommand({ ...object, ContentType: mime })))).UploadId;
      const PartNumber = parts.length + 1;
      const { ETag } = await asked(client.send(new UploadPartCommand({ ...object, UploadId: uploadId, PartNumber, Body: bytes })));
      parts.push({ ETag, PartNumber });
    }
    await asked(client.send(new CompleteMultipartUploadCommand({ ...object, UploadId: uploadId, MultipartUpload: { Parts: parts } })));
  } catch (error) {
    if (uploadId) await client.send(new AbortMultipartUploadCommand({ ...object, UploadId: uploadId })).catch(() => {});
    throw error;
  }
}

/** The source cut into full parts and a last one, which alone may be shorter; an empty source is one empty part. */
async function* inParts(source: AsyncIterable<Buffer>): AsyncGenerator<{ bytes: Buffer; last: boolean }> {
  let waiting: Buffer[] = [];
  let size = 0;
  for await (const chunk of source) {
    waiting.push(chunk);
    size += chunk.length;
    while (size > partBytes) {
      const all = Buffer.concat(waiting);
      yield { bytes: all.subarray(0, partBytes), last: false };
      waiting = [all.subarray(partBytes)];
      size -= partBytes;
    }
  }
  yield { bytes: Buffer.concat(waiting), last: true };
}

function asked<T>(answer: Promise<T>): Promise<T> {
  return answer.catch((error) => Promise.reject(new BucketFault(error)));
}
