import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { callDoor, cancelled, listAddress } from "#lib/core/call-door.ts";

describe("a call that is not answered", () => {
  /** A server that never answers; a call that is ended fails as in the browser. */
  const silent = (_url: URL, init: RequestInit) =>
    new Promise<Response>((_resolve, reject) => init.signal?.addEventListener("abort", () => reject(new Error("aborted"))));

  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("window", { location: new URL("http://localhost/P100/tasks") });
    vi.stubGlobal("fetch", vi.fn(silent));
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  describe("a reading that is not answered", () => {
    it.each([
      ["is told to be one", { reading: true }],
      ["may be ended by the page", { signal: new AbortController().signal }],
      ["may be ended by a later one", { cancelKey: "tasks" }],
    ] as const)("and %s is waited for 30 seconds and then given up as late [RTE-04]", async (_how, options) => {
      const answer = callDoor("task/list/all/1/20/default/[]", {}, options);
      const settled = vi.fn();
      void answer.then(settled);
      await vi.advanceTimersByTimeAsync(29_999);
      expect(settled).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
      expect(await answer).toEqual({ status: 504, code: "TIMEOUT" });
    });

    it("that the page ends itself is no late one", async () => {
      const control = new AbortController();
      const answer = callDoor("task/list/all/1/20/default/[]", {}, { signal: control.signal });
      control.abort();
      expect(await answer).toMatchObject({ status: 499 });
    });
  });

  describe("a changing call", () => {
    it("is waited for without end: it may be written all the same", async () => {
      const settled = vi.fn();
      void callDoor("rolloutPlan/save", {}).then(settled);
      await vi.advanceTimersByTimeAsync(600_000);
      expect(settled).not.toHaveBeenCalled();
    });
  });
});

describe("a call", () => {
  type Sent = { url: string; init: RequestInit; signal: AbortSignal; answer: (data: unknown) => void };
  let sent: Sent[];

  beforeEach(() => {
    sent = [];
    vi.stubGlobal("window", { location: { origin: "http://localhost", pathname: "/P100/tasks" } });
    vi.stubGlobal("fetch", (url: URL, init: RequestInit & { signal: AbortSignal }) => {
      const { signal } = init;
      return new Promise((resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
        sent.push({ url: url.href, init, signal, answer: (data) => resolve(new Response(JSON.stringify({ status: 200, data }))) });
      });
    });
  });
  afterEach(() => vi.unstubAllGlobals());

  it("a call with the cancel key of one in flight ends the earlier; only the later has a result [OPS-04]", async () => {
    const first = callDoor("thing/list", {}, { cancelKey: "things" });
    const other = callDoor("other/list", {}, { cancelKey: "others" });
    const second = callDoor("thing/list", {}, { cancelKey: "things" });
    expect(await first).toEqual({ status: 499, msg: cancelled });
    expect(sent.map(({ signal }) => signal.aborted)).toEqual([true, false, false]);
    sent[0]?.answer("old");
    sent[1]?.answer("other");
    sent[2]?.answer("new");
    expect(await second).toMatchObject({ data: "new" });
    expect(await other).toMatchObject({ data: "other" });
  });

  it("the address of a list carries page, size and filters, and the project of the page", async () => {
    const filters = [{ field: "name", type: "like", values: ["ü/?"] }];
    const call = callDoor(listAddress("thing/list", 2, 20, filters));
    sent[0]?.answer({});
    await call;
    const url = new URL(sent[0]?.url ?? "");
    expect(url.searchParams.get("projectNumber")).toBe("P100");
    const parts = url.pathname.split("/");
    expect(parts.slice(0, 7)).toEqual(["", "api", "thing", "list", "2", "20", "default"]);
    expect(JSON.parse(decodeURIComponent(parts[7] ?? ""))).toEqual(filters);
  });

  it("is JSON, and names the project of the page or another one that is asked for [OPS-02]", async () => {
    void callDoor("thing/save", { name: "ü" });
    void callDoor("thing/save", undefined, { projectNumber: "P200" });
    expect(sent.map(({ url }) => new URL(url).searchParams.get("projectNumber"))).toEqual(["P100", "P200"]);
    expect(sent.map(({ init }) => [init.method, new Headers(init.headers).get("content-type"), init.body])).toEqual([
      ["POST", "application/json", '{"name":"ü"}'],
      ["POST", "application/json", "{}"],
    ]);
  });

  it("has data as its result alone: what a refusal brings along stands beside", async () => {
    const answers = [
      { status: 409, code: "STALE", msg: "changed", data: { id: 7, rowVersion: 3 } },
      { status: 200, data: { id: 7 } },
    ];
    vi.stubGlobal("fetch", async () => new Response(JSON.stringify(answers.shift())));
    expect(await callDoor("thing/save")).toEqual({ status: 409, code: "STALE", msg: "changed", beside: { id: 7, rowVersion: 3 } });
    expect(await callDoor("thing/save")).toEqual({ status: 200, data: { id: 7 } });
  });

  it("a lost connection answers 503", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("network")));
    expect(await callDoor("thing/list")).toEqual({ status: 503, code: "SERVICE_ERROR" });
  });
});
