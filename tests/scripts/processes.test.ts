import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dropLock, freePort, isAlive, livingProcess, takeLock, waitFor, withLock, writePidFile } from "../../scripts/processes.mjs";
import { secrets } from "../../scripts/secrets.mjs";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "milepost-processes-"));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** A pid file of a process that has ended. */
async function deadRecord(path: string): Promise<void> {
  const child = spawn("sleep", ["60"], { stdio: "ignore" });
  writePidFile(path, child.pid!);
  expect(livingProcess(path)?.pid).toBe(child.pid);
  child.kill("SIGKILL");
  await waitFor(() => !isAlive(child.pid!), 5_000);
}

describe("a pid file", () => {
  test("names nobody once its process has ended", async () => {
    const path = join(folder, "ended.json");
    await deadRecord(path);
    expect(livingProcess(path)).toBeNull();
  });

  test("does not mistake a later process of the same number for its own", () => {
    const path = join(folder, "reused.json");
    writePidFile(path, process.pid);
    const record = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
    writeFileSync(path, JSON.stringify({ ...record, started: "1" }));
    expect(livingProcess(path)).toBeNull();
  });

  test.each(["", "{", "null", '{"pid":"1"}'])("with the text %j names nobody", (text) => {
    const path = join(folder, "broken.json");
    writeFileSync(path, text);
    expect(livingProcess(path)).toBeNull();
  });
});

describe("a lock", () => {
  test("tells its holder and what the holder wrote", () => {
    const path = join(folder, "held.lock");
    expect(takeLock(path, { port: 3000 })).toBeNull();
    expect(takeLock(path)).toMatchObject({ pid: process.pid, port: 3000 });
    dropLock(path);
    expect(takeLock(path)).toBeNull();
    dropLock(path);
  });

  test("of a dead holder is taken over", async () => {
    const path = join(folder, "dead.lock");
    await deadRecord(path);
    expect(takeLock(path)).toBeNull();
    expect(livingProcess(path)?.pid).toBe(process.pid);
    dropLock(path);
  });

  test("lets one piece of work in at a time and is given back after an error", async () => {
    const path = join(folder, "work.lock");
    let inside = 0;
    const work = async () => {
      expect(++inside).toBe(1);
      await new Promise((done) => setImmediate(done));
      inside--;
    };
    await Promise.all([withLock(path, work), withLock(path, work), withLock(path, work)]);
    await expect(withLock(path, () => Promise.reject(new Error("inside")))).rejects.toThrow("inside");
    expect(existsSync(path)).toBe(false);
  });
});

describe("secrets", () => {
  test("are made once, long enough, and read by their owner only", () => {
    const given = { ...process.env };
    delete process.env.AUTH_SECRET;
    delete process.env.NEXT_SERVER_ACTIONS_ENCRYPTION_KEY;
    const first = secrets(folder);
    expect(first.AUTH_SECRET.length).toBeGreaterThanOrEqual(32);
    expect(Buffer.from(first.NEXT_SERVER_ACTIONS_ENCRYPTION_KEY, "base64")).toHaveLength(32);
    expect(statSync(join(folder, "secrets")).mode & 0o077).toBe(0);
    expect(statSync(join(folder, "secrets/auth-secret")).mode & 0o077).toBe(0);
    expect(secrets(folder)).toEqual(first);
    process.env.AUTH_SECRET = "of the environment";
    expect(secrets(folder)).toEqual({ ...first, AUTH_SECRET: "of the environment" });
    process.env = given;
  });
});

test("a wanted port is given when it is free", async () => {
  const port = await freePort();
  expect(await freePort(port)).toBe(port);
});
