import { beforeEach, expect, test, vi } from "vitest";

let build: typeof import("#lib/core/newer-build.ts");
beforeEach(async () => {
  vi.resetModules();
  build = await import("#lib/core/newer-build.ts");
});

test("the build of the first answer is the page's own; another is told once", () => {
  const told = vi.fn();
  const stop = build.newerBuild.subscribe(told);
  build.noteBuild(null);
  build.noteBuild("a");
  build.noteBuild("a");
  build.noteBuild(null);
  expect(build.newerBuild.get()).toBe(false);
  build.noteBuild("b");
  build.noteBuild("c");
  // While processes of both builds answer, the page is still the older one.
  build.noteBuild("a");
  expect(build.newerBuild.get()).toBe(true);
  expect(told).toHaveBeenCalledTimes(1);
  stop();
});

test("nobody who has stopped listening is told", () => {
  const told = vi.fn();
  build.newerBuild.subscribe(told)();
  build.noteBuild("a");
  build.noteBuild("b");
  expect(told).not.toHaveBeenCalled();
});
