import { expect, it } from "vitest";
import { GridPage } from "../support/grid-page.ts";
import { alive, signIn, useJourney } from "../support/journey.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();

it("the filter panel keeps the focus when a column is chosen in it, and Escape closes it and gives the focus back", async () => {
  const t = textsOf("en", "plan-grid");
  const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", to: "/DEMO" });
  await alive(page);
  const opener = page.getByRole("button", { name: t("filter.add"), exact: true });
  const panel = page.getByRole("dialog", { name: t("filter.add") });
  const focused = () => panel.evaluate((element) => element.contains(document.activeElement));
  await opener.focus();
  await page.keyboard.press("Enter");
  await panel.waitFor();
  await expect.poll(focused).toBe(true);
  await page.keyboard.press("Enter");
  await panel.getByRole("button", { name: t("filter.apply") }).waitFor();
  await expect.poll(focused).toBe(true);
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "hidden" });
  await expect.poll(() => opener.evaluate((element) => element === document.activeElement)).toBe(true);

  // Panels open and close with a fade, in which a late request for the focus must not take it along.
  await page.keyboard.press("Enter");
  await expect.poll(focused).toBe(true);
  const wasThere = await panel.evaluate(async (element) => {
    const part = element.querySelector("button") as HTMLElement;
    part.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
    await new Promise((done) => setTimeout(done));
    part.focus();
    return part.isConnected;
  });
  expect(wasThere).toBe(true);
  await panel.waitFor({ state: "detached" });
  await expect.poll(() => opener.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(complaints).toEqual([]);
  await context.close();
});

it("the menu of a column takes the focus, and Escape closes it and gives the focus back to the grid", async () => {
  const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", to: "/DEMO" });
  await alive(page);
  const grid = new GridPage(page);
  await grid.ready();
  await (await grid.cell(0, "DU name")).click();
  const focused = await page.evaluateHandle(() => document.activeElement);
  const menu = page.getByRole("dialog", { name: "DU name" });
  for (let turn = 0; turn < 2; turn++) {
    await page.keyboard.press("Alt+ArrowDown");
    await menu.waitFor();
    await expect.poll(() => menu.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "hidden" });
    await expect.poll(() => focused.evaluate((element) => element === document.activeElement)).toBe(true);
  }
  expect(complaints).toEqual([]);
  await context.close();
});
