import type { Page } from "playwright";
import { expect, it } from "vitest";
import { GridPage } from "../support/grid-page.ts";
import { alive, signIn, useJourney } from "../support/journey.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();

/** As on plain HTTP, where a page is not given the clipboard; tells how to read it. */
async function withoutClipboard(page: Page): Promise<() => Promise<string>> {
  await page.evaluate(() => {
    const real = navigator.clipboard;
    Object.assign(globalThis, { readCopied: () => real.readText() });
    Object.defineProperty(navigator, "clipboard", { value: undefined });
  });
  return () => page.evaluate(() => (globalThis as unknown as { readCopied: () => Promise<string> }).readCopied());
}

it("the link of a screen is copied on plain HTTP too; where the browser refuses, that is said and the link shown", async () => {
  const t = textsOf("en", "ui");
  const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", to: "/DEMO/tasks" });
  await alive(page);
  const copied = await withoutClipboard(page);
  const copy = async () => {
    await page.getByRole("button", { name: t("page.more") }).click();
    await page.getByRole("menuitem", { name: t("page.copyLink") }).click();
  };
  await copy();
  await page.getByText(t("page.copied")).waitFor();
  expect(await copied()).toBe(page.url());
  await page.evaluate(() => {
    document.execCommand = () => false;
  });
  await copy();
  await page.getByText(t("copy.fromHere", { text: page.url() })).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

it("entries a search did not find are copied on plain HTTP too", async () => {
  const t = textsOf("en", "plan-grid");
  const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", to: "/DEMO" });
  await alive(page);
  const copied = await withoutClipboard(page);
  const search = page.getByLabel(t("search.label"), { exact: true });
  await search.fill("nowhere-1,nowhere-2");
  await search.press("Enter");
  await page.getByRole("button", { name: t("search.found", { found: 0, entries: 2 }) }).click();
  await page.getByRole("button", { name: t("search.copy"), exact: true }).click();
  await page.getByText(t("search.copied")).waitFor();
  expect(await copied()).toBe("nowhere-1\nnowhere-2");
  expect(complaints).toEqual([]);
  await context.close();
});

it("cells are copied with their heads from the menu on plain HTTP too", async () => {
  const t = textsOf("en", "plan-grid");
  const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", to: "/DEMO" });
  await alive(page);
  const grid = new GridPage(page);
  await grid.ready();
  const copied = await withoutClipboard(page);
  const cell = await grid.cell(0, "DU name");
  const name = await grid.text(0, "DU name");
  await cell.click();
  await cell.click({ button: "right" });
  await page.getByRole("menuitem", { name: t("cell.copyHeaders") }).click();
  await expect.poll(copied).toBe(`DU name\n${name}`);
  expect(complaints).toEqual([]);
  await context.close();
});
