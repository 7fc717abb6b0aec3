import { spawnSync } from "node:child_process";
import { totalmem } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { heapLimits, nodeArguments, processEnvironment } from "../../scripts/process-settings.mjs";

const container = join(import.meta.dirname, "../../scripts/container.mjs");
const given = {
  NODE_ENV: "production" as const,
  DATABASE_URL: "postgres://app",
  DATABASE_OWNER_URL: "postgres://owner",
  TZ: "Asia/Shanghai",
};

describe("what the processes are started with", () => {
  it("keeps the owner's login from the web, which serves strangers, and gives it to the others", () => {
    expect(processEnvironment("web", given)).not.toHaveProperty("DATABASE_OWNER_URL");
    for (const name of ["worker", "migrate"] as const)
      expect(processEnvironment(name, given)).toMatchObject({ DATABASE_OWNER_URL: "postgres://owner", MILEPOST_PROCESS: name });
    expect(given.DATABASE_OWNER_URL).toBe("postgres://owner");
  });
  it("lets all of them count time in UTC", () => {
    for (const name of ["web", "worker", "migrate"] as const) expect(processEnvironment(name, given).TZ).toBe("UTC");
  });
  it("keeps compiled code of the worker where there is a place for it", () => {
    expect(processEnvironment("worker", given, "/data").NODE_COMPILE_CACHE).toBe(join("/data", "compiled"));
    expect(processEnvironment("worker", given)).not.toHaveProperty("NODE_COMPILE_CACHE");
    expect(processEnvironment("web", given, "/data")).not.toHaveProperty("NODE_COMPILE_CACHE");
  });
  it("limits each heap to its own share, at most half of the machine", () => {
    const half = Math.floor(totalmem() / 2 ** 21);
    expect(heapLimits("web")).toEqual(["--max-semi-space-size=8", `--max-old-space-size=${Math.min(512, half)}`]);
    expect(heapLimits("worker")).toEqual(["--max-semi-space-size=16", `--max-old-space-size=${Math.min(2048, half)}`]);
  });
  it("takes headers of 64 KiB in the web", () => {
    expect(nodeArguments.web).toContain("--max-http-header-size=65536");
  });
});

describe("a container", () => {
  it("names what it can run when asked for something else", () => {
    const { status, stderr } = spawnSync(process.execPath, [container, "queue"], { encoding: "utf8" });
    expect(status).toBe(2);
    expect(stderr).toContain("web, worker, migrate, health");
  });
  it("starts the migrations, which say what they lack", () => {
    const { DATABASE_OWNER_URL: _owner, DATABASE_URL: _app, ...env } = process.env;
    const { status, stderr } = spawnSync(process.execPath, [container, "migrate"], { encoding: "utf8", env });
    expect(status).toBe(1);
    expect(stderr).toContain("DATABASE_URL is missing");
  });
});
