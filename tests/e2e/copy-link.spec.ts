import { expect, it } from "vitest";
import { alive, signIn, useJourney } from "../support/journey.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();

it("the link of a screen is copied on plain HTTP too; where the browser refuses, that is said and the link shown", async () => {
  const t = textsOf("en", "ui");
  const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", to: "/DEMO/tasks" });
  await alive(page);
  // As on plain HTTP, where a page is not given the clipboard.
  await page.evaluate(() => {
    const real = navigator.clipboard;
    Object.assign(globalThis, { readCopied: () => real.readText() });
    Object.defineProperty(navigator, "clipboard", { value: undefined });
  });
  const copy = async () => {
    await page.getByRole("button", { name: t("page.more") }).click();
    await page.getByRole("menuitem", { name: t("page.copyLink") }).click();
  };
  await copy();
  await page.getByText(t("page.copied")).waitFor();
  expect(await page.evaluate(() => (globalThis as unknown as { readCopied: () => Promise<string> }).readCopied())).toBe(page.url());
  await page.evaluate(() => {
    document.execCommand = () => false;
  });
  await copy();
  await page.getByText(t("copy.fromHere", { text: page.url() })).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});
