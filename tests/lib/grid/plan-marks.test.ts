import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { columnKey } from "#components/rollout-plan/plan-keys.ts";
import { PlanMarks } from "#components/rollout-plan/plan-marks.ts";

let answers: Record<string, object>;
let asked: number[][];
const down = { status: 503, code: "SERVICE_ERROR" };
const marked = {
  "/api/rollPlanDependency/violations": {
    status: 200,
    data: { violations: [{ duId: 1, activityId: 7, event: "COMPLETE", unmet: ["RFI"] }] },
  },
  "/api/warningConfig/evaluate": { status: 200, data: { warnings: [] } },
};
const cell = columnKey("actualEnd", 7);

beforeEach(() => {
  answers = marked;
  asked = [];
  vi.stubGlobal("window", { location: { pathname: "/P100", origin: "http://localhost" } });
  vi.stubGlobal("fetch", async (url: URL, init: { body: string }) => {
    if (url.pathname.endsWith("violations")) asked.push(JSON.parse(init.body).duIds);
    return Response.json(answers[url.pathname] ?? null);
  });
});
afterEach(() => vi.unstubAllGlobals());

test("marks that cannot be read again stay, and are read when there is an answer", async () => {
  const marks = new PlanMarks();
  expect(await marks.read([1, 2])).toBe(true);
  expect(marks.of(1, cell)).toEqual({ mark: "waits", text: "RFI" });
  answers = { ...marked, "/api/warningConfig/evaluate": down };
  expect(await marks.read([1])).toBe(true);
  expect([marks.behind, marks.of(1, cell)?.text]).toEqual([true, "RFI"]);
  answers = { ...marked, "/api/rollPlanDependency/violations": { status: 200, data: { violations: [] } } };
  expect(await marks.catchUp()).toBe(true);
  expect(asked.at(-1)).toEqual([1]);
  expect([marks.behind, marks.of(1, cell)]).toEqual([false, undefined]);
  expect(await marks.catchUp()).toBe(false);
  expect(asked).toHaveLength(3);
});
