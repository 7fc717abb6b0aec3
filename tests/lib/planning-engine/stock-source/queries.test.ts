import { afterEach, describe, expect, it } from "vitest";
import { type StockFault, type StockSandbox, startStockSandbox } from "#lib/planning-engine/stock-sandbox/commands.ts";
import { httpStockSource, readStock, StockFailed } from "#lib/planning-engine/stock-source/queries.ts";

const open: StockSandbox[] = [];
afterEach(async () => {
  for (const sandbox of open.splice(0)) await sandbox.close();
});
const started = async (given: Parameters<typeof startStockSandbox>[0] = {}) => {
  const sandbox = await startStockSandbox(given);
  open.push(sandbox);
  return sandbox;
};
const never = new AbortController().signal;
const request = {
  project: "P",
  sources: [
    { system: "WMS", code: "W1" },
    { system: "WMS", code: "W2" },
  ],
  items: ["ANT", "RRU", "BBU"],
};
const read = (sandbox: StockSandbox, pausesMs = [0, 0, 0]) =>
  readStock(httpStockSource({ base: `${sandbox.base}/`, timeoutMs: 1_500 }), request, never, pausesMs);
const failed = async (sandbox: StockSandbox, pausesMs?: number[]) => {
  const error = await read(sandbox, pausesMs).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(StockFailed);
  return error as StockFailed;
};

describe("stock of another system", () => {
  it("comes page by page, the same every time", async () => {
    const sandbox = await started({ pageRows: 4 });
    const rows = await read(sandbox);
    expect(rows.map(({ code, itemCode }) => `${code} ${itemCode}`)).toEqual(["W1 ANT", "W1 RRU", "W1 BBU", "W2 ANT", "W2 RRU", "W2 BBU"]);
    expect(rows.every(({ inventoryQty }) => Number.isInteger(inventoryQty))).toBe(true);
    expect(sandbox.asked).toBe(2);
    expect(await read(await started())).toEqual(rows);
  });

  it.each<StockFault>(["timeout", "http500", "malformed", "drop"])("is asked again after %s", async (fault) => {
    const sandbox = await started({ faults: [fault] });
    expect((await read(sandbox)).length).toBe(6);
    expect(sandbox.asked).toBe(2);
  });

  it("is asked as often as there are pauses, and no more", async () => {
    const sandbox = await started({ faults: ["http500", "http500", "http500", "http500"] });
    expect(await failed(sandbox, [0, 0])).toMatchObject({ reason: "unavailable" });
    expect(sandbox.asked).toBe(3);
    expect(await failed(await started({ faults: ["timeout"] }), [])).toMatchObject({ reason: "timeout" });
    const gone = await started();
    await gone.close();
    expect(await failed(gone, [])).toMatchObject({ reason: "unreachable" });
  });

  it("is not asked again after a refusal, and waits as long as it is told to", async () => {
    const sandbox = await started({ faults: ["reject"] });
    expect(await failed(sandbox)).toMatchObject({ rejected: true, reason: expect.stringMatching(/PROJECT_UNKNOWN/) });
    expect(sandbox.asked).toBe(1);
    const busy = httpStockSource({ base: (await started({ faults: ["busy"] })).base });
    expect(await busy.ask({ ...request, cursor: null }, never)).toEqual({ kind: "retry", reason: "unavailable", afterMs: 1000 });
  });
});
