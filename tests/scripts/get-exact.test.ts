import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { keptFiles } from "../../scripts/get-exact.mjs";

/** A tape archive of small files. */
function archiveOf(files: Record<string, string>): Buffer {
  const blocks = Object.entries(files).flatMap(([name, text]) => {
    const head = Buffer.alloc(512);
    head.write(name, 0);
    head.write(text.length.toString(8).padStart(11, "0"), 124);
    head.write("0", 156);
    return [head, Buffer.from(text.padEnd(Math.ceil(text.length / 512) * 512, "\0"))];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

const archive = archiveOf({
  "package/other.wasm": "of another licence",
  "package/LICENSE": "Apache",
  "package/solver.wasm": "x".repeat(600),
});
const integrity = `sha512-${createHash("sha512").update(archive).digest("base64")}`;

it("keeps the files of the solver and nothing else", () => {
  const files = keptFiles(archive, integrity, { "package/solver.wasm": "solver.wasm", "package/LICENSE": "LICENSE" });
  expect([...files].map(([name, bytes]) => [name, bytes.length])).toEqual([
    ["LICENSE", 6],
    ["solver.wasm", 600],
  ]);
});

it("refuses an archive that is not the published one, or lacks a file", () => {
  expect(() => keptFiles(archive)).toThrow("is not what was published");
  expect(() => keptFiles(archive, integrity, { "package/none.wasm": "none.wasm" })).toThrow("has no none.wasm");
});
