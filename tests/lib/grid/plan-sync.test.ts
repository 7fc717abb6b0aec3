import { describe, expect, it, vi } from "vitest";
import { PlanSync } from "#components/rollout-plan/plan-sync.ts";

describe("how true the rows are", () => {
  it("is unknown until they were asked for", () => {
    expect(new PlanSync().get()).toEqual({ at: null, failed: false });
  });
  it("has the moment they were last read, which a try that fails leaves", () => {
    vi.useFakeTimers({ now: new Date("2026-11-29T10:00:00Z") });
    const sync = new PlanSync();
    sync.tell(true);
    vi.setSystemTime(new Date("2026-11-29T10:00:20Z"));
    sync.tell(false);
    expect(sync.get()).toEqual({ at: new Date("2026-11-29T10:00:00Z"), failed: true });
    sync.tell(true);
    expect(sync.get()).toEqual({ at: new Date("2026-11-29T10:00:20Z"), failed: false });
    vi.useRealTimers();
  });
  it("is told to who listens, with the same answer until the next one", () => {
    const sync = new PlanSync();
    const heard = vi.fn();
    const stop = sync.subscribe(heard);
    sync.tell(false);
    expect(heard).toHaveBeenCalledTimes(1);
    expect(sync.get()).toBe(sync.get());
    stop();
    sync.tell(true);
    expect(heard).toHaveBeenCalledTimes(1);
  });
});
