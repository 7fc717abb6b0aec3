import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPackedFiles, packFiles } from "../../scripts/packed-files.mjs";

const base = mkdtempSync(join(tmpdir(), "packed-files-"));
const folder = join(base, "static");
const script = `export const words = ${JSON.stringify("again and ".repeat(500))};\n`;

beforeAll(async () => {
  mkdirSync(join(folder, "chunks"), { recursive: true });
  writeFileSync(join(folder, "chunks", "a.js"), script);
  writeFileSync(join(folder, "chunks", "tiny.css"), "a{}");
  writeFileSync(join(folder, "font.woff2"), "again and ".repeat(500));
  await packFiles(folder);
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe("files of a build", () => {
  it("are packed where that makes them smaller, scripts and styles alone", () => {
    expect(brotliDecompressSync(readFileSync(join(folder, "chunks/a.js.br"))).toString()).toBe(script);
    expect(existsSync(join(folder, "chunks/tiny.css.br"))).toBe(false);
    expect(existsSync(join(folder, "font.woff2.br"))).toBe(false);
  });

  it("are taken over from an earlier build as long as they hold the same", async () => {
    const next = join(base, "next");
    mkdirSync(join(next, "chunks"), { recursive: true });
    writeFileSync(join(next, "chunks/a.js"), script);
    const former = join(base, "former");
    mkdirSync(join(former, "chunks"), { recursive: true });
    writeFileSync(join(former, "chunks/a.js"), script);
    writeFileSync(join(former, "chunks/a.js.br"), "packed before");
    await packFiles(next, former);
    expect(readFileSync(join(next, "chunks/a.js.br"), "utf8")).toBe("packed before");
    writeFileSync(join(next, "chunks/a.js"), `${script}// more\n`);
    await packFiles(next, former);
    expect(brotliDecompressSync(readFileSync(join(next, "chunks/a.js.br"))).toString()).toBe(`${script}// more\n`);
  });
});

describe("a request for a file", () => {
  let server: Server;
  let origin: string;
  beforeAll(async () => {
    const answer = openPackedFiles(folder, "/static/");
    server = createServer(async (request, response) => {
      if (!(await answer(request, response))) response.end("left");
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  const ask = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    fetch(`${origin}${path}`, { method, headers: { "accept-encoding": "gzip, deflate, br, zstd", ...headers } });

  it("is answered with the packed file, to be kept for good", async () => {
    for (const path of ["/static/chunks/a.js", "/static/chunks/a.js?dpl=1"]) {
      const response = await ask(path);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "content-encoding": "br",
        "content-type": "application/javascript; charset=UTF-8",
        "cache-control": "public, max-age=31536000, immutable",
        vary: "accept-encoding",
        "x-content-type-options": "nosniff",
      });
      expect(await response.text()).toBe(script);
    }
  });

  it("is left to others when it asks for more, for less or for something else", async () => {
    const left = async (...given: Parameters<typeof ask>) => (await ask(...given)).text();
    for (const accepted of ["gzip", "gzip, br;q=0", "br; q=0.0, gzip", "brotli"])
      expect(await left("/static/chunks/a.js", { "accept-encoding": accepted })).toBe("left");
    for (const accepted of ["br", "gzip, br;q=0.5", "br;q=0.01, gzip"])
      expect(await left("/static/chunks/a.js", { "accept-encoding": accepted })).toBe(script);
    expect(await left("/static/chunks/a.js", { range: "bytes=0-3" })).toBe("left");
    expect(await left("/static/chunks/a.js", {}, "POST")).toBe("left");
    for (const path of [
      "/static/chunks/tiny.css",
      "/static/chunks/a.js.br",
      "/static/chunks/none.js",
      "/static/..%2fnext/chunks/a.js",
      "/chunks/a.js",
    ])
      expect(await left(path)).toBe("left");
  });

  it("is left to others when the file has gone", async () => {
    rmSync(join(folder, "chunks/a.js.br"));
    expect(await (await ask("/static/chunks/a.js")).text()).toBe("left");
  });
});
