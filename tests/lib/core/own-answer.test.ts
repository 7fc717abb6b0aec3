import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { callDoor, waitMs } from "#lib/core/call-door.ts";
import { locales } from "#lib/core/locale.ts";
import { nameOwnAnswers } from "#lib/core/own-answer.ts";
import { errorText } from "#lib/core/texts.ts";

describe.each(locales)("a call that the server does not answer, in %s", (locale) => {
  const texts = { SERVICE_ERROR: errorText(locale, "SERVICE_ERROR"), TIMEOUT: errorText(locale, "TIMEOUT") };

  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("window", { location: new URL("http://localhost/P100/tasks") });
    nameOwnAnswers(texts);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it.each([
    ["a lost connection", () => Promise.reject(new TypeError("network"))],
    ["the page of a server in between", async () => new Response("<html>Bad Gateway</html>", { status: 502 })],
  ])("asks to try later: %s [OPS-27]", async (_name, answer) => {
    vi.stubGlobal("fetch", answer);
    expect(await callDoor("thing/list")).toEqual({ status: 503, code: "SERVICE_ERROR", msg: texts.SERVICE_ERROR });
  });

  it("says that it timed out when it is given up [OPS-27]", async () => {
    const silent = (_url: URL, { signal }: { signal: AbortSignal }) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    vi.stubGlobal("fetch", silent);
    const answer = callDoor("thing/list", {}, { signal: new AbortController().signal });
    await vi.advanceTimersByTimeAsync(waitMs);
    expect(await answer).toEqual({ status: 504, code: "TIMEOUT", msg: texts.TIMEOUT });
  });
});
