import { randomBytes } from "node:crypto";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { s3Login, startS3Server } from "./s3-server.ts";

/** An S3 server for tests, behind a line that can be cut. */
export type TestBucket = {
  /** `STORAGE_URL` of a fresh bucket. */
  url: string;
  client: S3Client;
  bucket: string;
  /** Nobody answers at the address any more; connections under way break. */
  cut(): Promise<void>;
  /** The address answers again. */
  mend(): Promise<void>;
  close(): Promise<void>;
};

/**
 * A fresh bucket on the server of `TEST_S3_URL` (`http://key:secret@host:port`), else on the small one of the tests. The login is put into the variables the S3 client reads.
 */
export async function openTestBucket(): Promise<TestBucket> {
  const given = process.env.TEST_S3_URL;
  const own = given ? null : await startS3Server();
  const target = new URL(given ?? `http://${s3Login.key}:${s3Login.secret}@127.0.0.1:${own?.port}`);
  process.env.AWS_ACCESS_KEY_ID = decodeURIComponent(target.username);
  process.env.AWS_SECRET_ACCESS_KEY = decodeURIComponent(target.password);
  const line = await openCuttable(target.hostname, Number(target.port));
  const endpoint = `http://127.0.0.1:${line.port}`;
  const client = new S3Client({ endpoint, region: "us-east-1", forcePathStyle: true, requestChecksumCalculation: "WHEN_REQUIRED" });
  const bucket = `milepost-${randomBytes(6).toString("hex")}`;
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  return {
    url: `s3://${bucket}/inst/a?region=us-east-1&endpoint=${encodeURIComponent(endpoint)}`,
    client,
    bucket,
    cut: line.cut,
    mend: line.mend,
    close: async () => {
      client.destroy();
      await line.cut();
      await own?.close();
    },
  };
}

async function openCuttable(host: string, port: number) {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, host);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far);
    far.pipe(near);
  });
  const listen = (wanted: number) => new Promise<void>((done) => server.listen(wanted, "127.0.0.1", done));
  await listen(0);
  const own = (server.address() as AddressInfo).port;
  return {
    port: own,
    cut: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        for (const socket of sockets) socket.destroy();
      }),
    mend: () => listen(own),
  };
}
