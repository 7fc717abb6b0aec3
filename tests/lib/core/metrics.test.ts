import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { GET } from "#app/api/metrics/route.ts";
import { handleCall } from "#lib/core/door.ts";
import { createApiToken } from "#lib/session/commands.ts";
import { useDatabase } from "../../support/database.ts";
import { makeMember, makeProject } from "../../support/factories.ts";

const db = useDatabase();
const token = "a-token-of-the-metrics";
let bearer: string;

beforeAll(async () => {
  const project = await makeProject(db.owner, { number: "METRICS" });
  const pm = await makeMember(db.owner, project.id, "PM");
  bearer = await createApiToken(db.app, pm.account, "test", new Date());
  await db.owner`insert into schedule_slot (name, project_id, slot, claimed_at) values ('late', ${project.id}, now(), now() - interval '90 seconds')`;
  await db.owner`
    insert into task (id, project_id, kind, direction, title, created_by, created_at) values (gen_random_uuid(), ${project.id}, 'x', 'process', 'x', ${pm.id}, now())`;
});
afterEach(() => void vi.unstubAllEnvs());

const scrape = (authorization?: string) =>
  GET(new Request("http://localhost/api/metrics", { headers: authorization ? { authorization } : {} }));

async function call(address: string, headers: Record<string, string> = {}) {
  const request = new Request(`http://localhost:3000/api/${address}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${bearer}`, ...headers },
    body: "{}",
  });
  return handleCall(request, address.split("?")[0]!.split("/"));
}

describe("the metrics", () => {
  test("are not there without a token in the settings, and closed without the right one", async () => {
    expect((await scrape(`Bearer ${token}`)).status).toBe(404);
    vi.stubEnv("METRICS_TOKEN", token);
    for (const wrong of [undefined, "Bearer wrong", `Basic ${token}`, `Bearer ${token}x`]) {
      const answer = await scrape(wrong);
      expect([answer.status, await answer.text()]).toEqual([401, ""]);
    }
    expect((await scrape(`Bearer ${token}`)).status).toBe(200);
  });

  test("count calls by address and status with their time, and tell of tasks, slots, connections and memory", async () => {
    vi.stubEnv("METRICS_TOKEN", token);
    await call("userSetting/findUserSetting");
    await call("userSetting/findUserSetting");
    await call("userSetting/findUserSetting", { authorization: "Bearer wrong" });
    await call("no/such/call/x");
    await call("no/such/call/y");
    const text = await (await scrape(`Bearer ${token}`)).text();
    expect(text).toContain('milepost_calls_total{address="userSetting/findUserSetting",status="200"} 2\n');
    expect(text).toContain('milepost_calls_total{address="userSetting/findUserSetting",status="401"} 1\n');
    expect(text).toContain('milepost_calls_total{address="unknown",status="404"} 2\n');
    expect(text).toContain('milepost_call_seconds_bucket{address="userSetting/findUserSetting",le="+Inf"} 3\n');
    expect(text).toContain('milepost_call_seconds_count{address="userSetting/findUserSetting"} 3\n');
    expect(text).toContain('milepost_tasks{status="queued"} 1\n');
    expect(text).toContain("milepost_database_up 1\n");
    const lag = Number(/^milepost_schedule_lag_seconds ([\d.]+)$/m.exec(text)?.[1]);
    expect(lag).toBeGreaterThanOrEqual(90);
    expect(Number(/^process_resident_memory_bytes (\d+)$/m.exec(text)?.[1])).toBeGreaterThan(10_000_000);
  });

  test("are of Prometheus' form: every metric described once, before its values; buckets only grow", async () => {
    vi.stubEnv("METRICS_TOKEN", token);
    await call("userSetting/findUserSetting");
    const lines = (await (await scrape(`Bearer ${token}`)).text()).trimEnd().split("\n");
    const described = new Set<string>();
    let buckets: number[] = [];
    for (const line of lines) {
      const type = /^# TYPE (\w+) (counter|gauge|histogram)$/.exec(line);
      if (type) {
        expect(described.has(type[1]!)).toBe(false);
        described.add(type[1]!);
        continue;
      }
      if (/^# HELP \w+ \S/.test(line)) continue;
      const value = /^(\w+)(\{(?:\w+="(?:[^"\\]|\\.)*",?)+\})? (\d+(?:\.\d+)?(?:e-?\d+)?)$/.exec(line);
      expect(value, line).not.toBeNull();
      expect(described.has(value![1]!.replace(/_(bucket|sum|count)$/, "")) || described.has(value![1]!)).toBe(true);
      if (!value![1]!.endsWith("_bucket")) buckets = [];
      else {
        buckets.push(Number(value![3]));
        expect(buckets).toEqual([...buckets].sort((a, b) => a - b));
        if (line.includes("+Inf")) buckets = [];
      }
    }
  });
});

describe("the id of a request", () => {
  test.each([
    ["is taken from a proxy in front", "trace-0123456789abcdef", true],
    ["is made when the one brought is too short", "short", false],
    ["is made when the one brought is no plain word", 'a"b<script>1234', false],
  ])("%s", async (_title, given, taken) => {
    const answer = await call("userSetting/findUserSetting", { "x-request-id": given });
    const id = answer.headers.get("x-request-id");
    expect(id === given).toBe(taken);
    expect(((await answer.json()) as { requestId: string }).requestId).toBe(id);
    expect(answer.headers.get("requestid")).toBe(id);
  });
});
