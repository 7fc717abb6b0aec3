import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { LiveMessage } from "#lib/core/live-events.ts";

class FakeSource extends EventTarget {
  static readonly CLOSED = 2;
  static all: FakeSource[] = [];
  readyState = 1;
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;
  readonly url: string;

  constructor(url: string) {
    super();
    this.url = url;
    FakeSource.all.push(this);
  }

  say(kind: string, data: object): void {
    this.dispatchEvent(new MessageEvent(kind, { data: JSON.stringify(data) }));
  }

  close(): void {
    this.readyState = FakeSource.CLOSED;
  }

  static open = () => FakeSource.all.filter((source) => source.readyState !== FakeSource.CLOSED);
}

/** A page of the browser: modules of its own, the locks and channels shared with the others. */
async function openPage(): Promise<(project: string, listener: (message: LiveMessage) => void) => () => void> {
  vi.resetModules();
  return (await import("#lib/core/live-events.ts")).listenLive;
}

const task = { id: "t", direction: "import", status: "running", progress: 5, own: true };

beforeEach(() => {
  FakeSource.all = [];
  vi.stubGlobal("EventSource", FakeSource);
});
afterEach(() => vi.unstubAllGlobals());

describe("the pages of one browser", () => {
  test("share one stream, and each hears everything", async () => {
    const [first, second] = [await openPage(), await openPage()];
    const heard: string[] = [];
    const stops = [
      first("P1", (message) => heard.push(`1 ${message.kind}`)),
      first("P1", (message) => heard.push(`1b ${message.kind}`)),
      second("P1", (message) => heard.push(`2 ${message.kind}`)),
    ];
    await vi.waitFor(() => expect(FakeSource.open()).toHaveLength(1));
    expect(FakeSource.all[0]?.url).toBe("/api/events?projectNumber=P1");
    FakeSource.all[0]?.say("task", task);
    await vi.waitFor(() => expect(heard.sort()).toEqual(["1 task", "1b task", "2 task"]));
    for (const stop of stops) stop();
    await vi.waitFor(() => expect(FakeSource.open()).toHaveLength(0));
  });

  test("when the page with the stream goes, the next one opens it and says that something may have been missed", async () => {
    const [first, second] = [await openPage(), await openPage()];
    const heard: LiveMessage[] = [];
    const stopFirst = first("P2", () => {});
    await vi.waitFor(() => expect(FakeSource.open()).toHaveLength(1));
    const stopSecond = second("P2", (message) => heard.push(message));
    stopFirst();
    await vi.waitFor(() => expect(FakeSource.all).toHaveLength(2));
    expect(FakeSource.open()).toHaveLength(1);
    FakeSource.open()[0]?.onopen?.();
    expect(heard).toEqual([{ kind: "open", data: null }]);
    stopSecond();
  });

  test("each project has its own line", async () => {
    const page = await openPage();
    const heard: string[] = [];
    const stops = [page("P3", () => heard.push("P3")), page("P4", () => heard.push("P4"))];
    await vi.waitFor(() => expect(FakeSource.open()).toHaveLength(2));
    FakeSource.all.find((source) => source.url.endsWith("P4"))?.say("plan", { seq: 1, duIds: null, own: false });
    expect(heard).toEqual(["P4"]);
    for (const stop of stops) stop();
  });

  test("a refusal is asked again, ever less often; a lost connection is the browser's to mend", async () => {
    vi.useFakeTimers();
    vi.stubGlobal("navigator", {});
    try {
      const page = await openPage();
      const stop = page("P5", () => {});
      const refuse = () => {
        const last = FakeSource.all.at(-1) as FakeSource;
        last.readyState = FakeSource.CLOSED;
        last.onerror?.();
      };
      (FakeSource.all[0] as FakeSource).onerror?.();
      vi.advanceTimersByTime(600_000);
      expect(FakeSource.all).toHaveLength(1);
      refuse();
      vi.advanceTimersByTime(5_000);
      expect(FakeSource.all).toHaveLength(2);
      refuse();
      vi.advanceTimersByTime(5_000);
      expect(FakeSource.all).toHaveLength(2);
      vi.advanceTimersByTime(5_000);
      expect(FakeSource.all).toHaveLength(3);
      stop();
      refuse();
      vi.advanceTimersByTime(600_000);
      expect(FakeSource.all).toHaveLength(3);
    } finally {
      vi.useRealTimers();
    }
  });
});
