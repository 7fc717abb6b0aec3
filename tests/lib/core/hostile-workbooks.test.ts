import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { locales } from "#lib/core/locale.ts";
import { errorText } from "#lib/core/texts.ts";
import { type HostileFile, hostileFiles } from "../../support/hostile-workbooks.ts";

const heapMegabytes = 256;
const mostMegabytes = 400;
// Of the processor: others may be at work on the machine.
const mostSeconds = 10;

let folder: string;
let child: ChildProcess;
let answers: AsyncIterator<string>;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "hostile-"));
  const script = join(import.meta.dirname, "../../support/measured-reader.ts");
  const flags = ["--conditions=react-server", "--disable-warning=ExperimentalWarning", `--max-old-space-size=${heapMegabytes}`];
  child = spawn(process.execPath, [...flags, script], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { TZ: "UTC", PATH: process.env.PATH } as never,
  });
  answers = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
});
afterAll(() => {
  child.kill();
  rmSync(folder, { recursive: true, force: true });
});

async function read({ make, request }: HostileFile) {
  const path = join(folder, "file");
  writeFileSync(path, make());
  child.stdin!.write(`${JSON.stringify({ path, request: { type: "xlsx", ...request } })}\n`);
  const { value, done } = await answers.next();
  if (done) throw new Error("the reader ran out of memory");
  return JSON.parse(value) as {
    code?: string;
    params?: Record<string, number>;
    rows?: unknown[];
    count?: number;
    meta?: unknown;
    ms: number;
    megabytes: number;
  };
}

describe("a hostile file [OPS-16]", () => {
  it("comes in at least fifty kinds", () => {
    expect(new Set(hostileFiles.map((file) => file.kind)).size).toBe(hostileFiles.length);
    expect(hostileFiles.length).toBeGreaterThanOrEqual(50);
  });

  it.each(hostileFiles.map((file) => [file.kind, file] as const))("%s", { timeout: 60_000 }, async (_kind, file) => {
    const result = await read(file);
    if ("refused" in file) {
      expect(result.code, JSON.stringify(result).slice(0, 500)).toBe(file.refused);
      // The words name the bound where there is one, in every language.
      const { max } = result.params ?? {};
      for (const locale of locales) {
        const words = errorText(locale, file.refused, result.params ?? {});
        expect(words).not.toContain(file.refused);
        expect(words).not.toMatch(/[{}]/);
        if (max !== undefined) expect(words.replace(/[,\s.]/g, "")).toContain(String(max));
      }
    } else if (typeof file.rows === "number") expect(result).toMatchObject({ count: file.rows });
    else expect(result).toMatchObject({ rows: file.rows, count: file.rows.length });
    if ("meta" in file && file.meta) expect(Object.entries(result.meta as object)).toEqual(Object.entries(file.meta));
    expect(result.ms).toBeLessThan(mostSeconds * 1000);
    expect(result.megabytes).toBeLessThan(mostMegabytes);
  });
});
