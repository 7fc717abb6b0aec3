import { expect, it } from "vitest";
import { workerFile } from "#components/ui/map-style.ts";
import { alive, expectAccessible, settled, signIn, useJourney } from "../support/journey.ts";

const journey = useJourney();

declare global {
  var endAsking: () => void;
}

it("a page is settled once it has all it asked for; what the worker of a map asked for before it was ended holds nothing up", async () => {
  const { page, context } = await signIn(journey, "pm", { lang: "en", to: "/DEMO/tasks" });
  await settled(page);
  const asked = page.waitForRequest((request) => request.url().endsWith(workerFile));
  await page.evaluate((file) => {
    const worker = new Worker(file, { type: "module" });
    setTimeout(() => worker.terminate(), 0);
  }, workerFile);
  await asked;
  await settled(page);

  // A stream that is read like any other answer is waited for until it is given up.
  await page.evaluate(() => {
    const asking = new AbortController();
    globalThis.endAsking = () => asking.abort();
    void fetch("/api/events?projectNumber=DEMO", { signal: asking.signal }).catch(() => {});
  });
  let isSettled = false;
  const waiting = settled(page).then(() => {
    isSettled = true;
  });
  await page.waitForTimeout(500);
  expect(isSettled).toBe(false);
  await page.evaluate(() => globalThis.endAsking());
  await waiting;
  await context.close();
});

it("a page that breaks a rule of accessibility is found out, in all rules and in those of colours", async () => {
  const { page, context } = await signIn(journey, "pm", { lang: "en", to: "/DEMO/tasks" });
  // What is put into a page that is not alive yet is thrown out when it is.
  await alive(page);
  await settled(page);
  await page.evaluate(() => {
    const main = document.querySelector("main");
    main?.append(Object.assign(document.createElement("img"), { src: "data:," }));
    const pale = Object.assign(document.createElement("p"), { textContent: "pale" });
    pale.style.cssText = "color:#bbb;background:#fff";
    main?.append(pale);
  });
  const broken = (looksAt: "everything" | "colours") =>
    expectAccessible(page, looksAt).then(
      () => [],
      ({ actual, message }) => actual ?? message,
    );
  expect(await broken("everything")).toEqual([expect.stringMatching(/^color-contrast: .*pale/), expect.stringMatching(/^image-alt: <img/)]);
  expect(await broken("colours")).toEqual([expect.stringMatching(/^color-contrast: .*pale/)]);
  await context.close();
});
