import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isQuick, QuickScroll } from "#components/grid/quick-scroll.ts";

describe("a quick scroll", () => {
  it("goes on from 150 pixels a frame on", () => {
    expect([149, 150, 400].map((step) => isQuick(step, false))).toEqual([false, true, true]);
  });
  it("is none where it goes to what is to be read", () => {
    expect(isQuick(2_000, true)).toBe(false);
  });
});

describe("what passes quickly", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  it("passes until nothing has moved for a tenth of a second, after a single frame for 60 ms", () => {
    const rests: boolean[] = [];
    const scroll: QuickScroll = new QuickScroll(() => rests.push(scroll.isPassing));
    scroll.moved(400, false);
    vi.advanceTimersByTime(59);
    expect(rests).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(rests.splice(0)).toEqual([false]);
    scroll.moved(400, false);
    vi.advanceTimersByTime(59);
    scroll.moved(400, false);
    vi.advanceTimersByTime(99);
    expect([scroll.isPassing, rests]).toEqual([true, []]);
    vi.advanceTimersByTime(1);
    expect([scroll.isPassing, rests]).toEqual([false, [false]]);
  });
  it("passes until it moves slowly or goes to what is to be read, and rest is told no more", () => {
    let rests = 0;
    const scroll = new QuickScroll(() => rests++);
    for (const [step, reveals] of [
      [149, false],
      [400, true],
    ] as const) {
      scroll.moved(400, false);
      scroll.moved(step, reveals);
      expect(scroll.isPassing).toBe(false);
    }
    scroll.moved(400, false);
    scroll.stop();
    vi.advanceTimersByTime(1_000);
    expect(rests).toBe(0);
  });
});
