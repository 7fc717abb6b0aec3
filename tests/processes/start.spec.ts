import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort, isAlive, livingProcess, waitFor } from "../../scripts/processes.mjs";
import { root, testData } from "../support/server.ts";

const dataDir = join(testData, "start");
let port: number;
let run: { child: ChildProcess; text: () => string; ended: Promise<number | null> };

beforeAll(async () => {
  rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(dataDir, { recursive: true });
  port = await freePort();
});

afterAll(async () => {
  if (!run) return;
  run.child.kill("SIGTERM");
  await run.ended;
});

function npmStart(...more: string[]): typeof run {
  const { DATABASE_URL, DATABASE_OWNER_URL, MILEPOST_TEST, NODE_ENV, ...env } = process.env;
  const child = spawn(process.execPath, [join(root, "scripts/start.mjs"), ...more], {
    cwd: root,
    env: { ...env, NODE_ENV: "production", DATA_DIR: dataDir, PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (text += chunk));
  return { child, text: () => text, ended: new Promise((done) => child.once("exit", done)) };
}

async function startAndWait(...more: string[]): Promise<void> {
  run = npmStart(...more);
  await Promise.race([waitFor(() => run.text().includes("Milepost runs at"), 120_000), run.ended]);
  expect(run.text()).toContain(`Milepost runs at http://localhost:${port}`);
}

async function health(): Promise<number> {
  try {
    return (await fetch(`http://localhost:${port}/api/health`)).status;
  } catch {
    return 0;
  }
}

function pidOf(name: "web" | "worker" | "database"): number {
  if (name === "database") {
    const file = join(dataDir, "pg/postmaster.pid");
    // Between the killed server and the next there is none.
    return existsSync(file) ? Number(readFileSync(file, "utf8").split("\n")[0]) : 0;
  }
  return livingProcess(join(dataDir, `run/${name}.json`))?.pid ?? 0;
}

describe("npm start", () => {
  test("makes everything, names address and demo accounts, and is healthy", async () => {
    await startAndWait();
    expect(await health()).toBe(200);
    expect(run.text()).toMatch(/database\s+made.*\n\s+migrations\s+\d+ applied.*\n\s+demo project\s+made.*\n\s+web and worker\s+ready/);
    expect(run.text()).toContain("Demo accounts: pm pcm td tl pd dqa scheduler subcon customer etm viewer admin");
    expect(run.text()).toContain("milepost-demo");
  });

  // Elsewhere a process does not tell what is in its memory.
  test.runIf(process.platform === "linux")("serves pages without a compiler in its memory", async () => {
    const page = await fetch(`http://localhost:${port}/sign-in?lang=en`);
    expect(await page.text()).toContain('name="account"');
    const mapped = readFileSync(`/proc/${pidOf("web")}/maps`, "utf8");
    expect(mapped).toContain("bin/node");
    expect(mapped).not.toMatch(/swc/);
  });

  test("a second start beside it says where the first one runs", async () => {
    const second = npmStart();
    expect(await second.ended).toBe(1);
    expect(second.text()).toContain(`already runs from this folder (process ${run.child.pid}, http://localhost:${port})`);
    expect(await health()).toBe(200);
  });

  test.each(["web", "worker", "database"] as const)("a killed %s comes back", async (name) => {
    const killed = pidOf(name);
    process.kill(killed, "SIGKILL");
    expect(await waitFor(() => !isAlive(killed) && pidOf(name) > 0 && pidOf(name) !== killed, 30_000)).toBe(true);
    expect(await waitFor(async () => (await health()) === 200, 60_000, 200)).toBe(true);
  });

  test("after kill -9 of the supervisor the next start clears up and works", async () => {
    const left = [pidOf("web"), pidOf("worker")];
    run.child.kill("SIGKILL");
    await run.ended;
    await startAndWait();
    expect(left.filter(isAlive)).toEqual([]);
    expect(run.text()).toMatch(/database\s+adopted/);
    expect(run.text()).not.toContain("demo project");
    expect(await health()).toBe(200);
  });

  test("SIGTERM leaves nothing running", async () => {
    const all = [pidOf("web"), pidOf("worker"), pidOf("database")];
    run.child.kill("SIGTERM");
    expect(await run.ended).toBe(0);
    expect(all.filter(isAlive)).toEqual([]);
    expect(readdirSync(join(dataDir, "run"))).toEqual([]);
    expect(await health()).toBe(0);
  });
});

describe("npm run dev", () => {
  // It compiles the page, beside whatever other tests run.
  test("serves a page beside the worker on the same data, and leaves nothing running", { timeout: 400_000 }, async () => {
    await startAndWait("--dev");
    expect(await health()).toBe(200);
    const page = await fetch(`http://localhost:${port}/sign-in?lang=en`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('name="account"');
    const all = [pidOf("web"), pidOf("worker"), pidOf("database")];
    run.child.kill("SIGTERM");
    expect(await run.ended).toBe(0);
    expect(all.filter(isAlive)).toEqual([]);
    expect(await health()).toBe(0);
  });
});
