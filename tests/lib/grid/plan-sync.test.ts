import { describe, expect, it, vi } from "vitest";
import { neverSynced, tellSynced } from "#components/rollout-plan/plan-sync.ts";
import { holdValue } from "#lib/core/held-value.ts";

describe("how true the rows are", () => {
  it("is unknown until they were asked for", () => {
    expect(holdValue(neverSynced).get()).toEqual({ at: null, failed: false });
  });
  it("has the moment they were last read, which a try that fails leaves", () => {
    vi.useFakeTimers({ now: new Date("2026-11-29T10:00:00Z") });
    const sync = holdValue(neverSynced);
    tellSynced(sync, true);
    vi.setSystemTime(new Date("2026-11-29T10:00:20Z"));
    tellSynced(sync, false);
    expect(sync.get()).toEqual({ at: new Date("2026-11-29T10:00:00Z"), failed: true });
    tellSynced(sync, true);
    expect(sync.get()).toEqual({ at: new Date("2026-11-29T10:00:20Z"), failed: false });
    vi.useRealTimers();
  });
  it("is told to who listens, with the same answer until the next one", () => {
    const sync = holdValue(neverSynced);
    const heard = vi.fn();
    const stop = sync.subscribe(heard);
    tellSynced(sync, false);
    expect(heard).toHaveBeenCalledTimes(1);
    expect(sync.get()).toBe(sync.get());
    stop();
    tellSynced(sync, true);
    expect(heard).toHaveBeenCalledTimes(1);
  });
});
