import { describe, expect, it } from "vitest";
import { dayNumber, isoDay, projectToday } from "#lib/core/clock.ts";
import { makeJourneyProject, signIn, useJourney } from "../support/journey.ts";
import { PassingArea } from "../support/passing.ts";
import { type MadeDu, makeActivities, makeDus, makeFlow, makeOwnerSet } from "../support/plan-factories.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();
const today = dayNumber(projectToday(new Date(), 0)) as number;
const board = "[role=grid]";

describe("a board that is scrolled", () => {
  it("draws what passes quickly as it stands there afterwards, in both skins and on a finer screen", { timeout: 120_000 }, async () => {
    const { owner } = journey;
    const projectId = await makeJourneyProject(owner, "BOARDPASS");
    const people = await owner<{ id: number }[]>`select id from app_user order by id limit 9`;
    const sets = await Promise.all(people.map(({ id }) => makeOwnerSet(owner, projectId, [id])));
    const names = ["Survey", "W".repeat(24), "Installation of everything there is", "安装".repeat(12)];
    const activities = await makeActivities(owner, projectId, names);
    const flow = { id: await makeFlow(owner, projectId, people[0]!.id, activities), activities };
    // Days with more cards than they show, with few, and with none.
    const codes = ["B", "LONG-CODE-OF-A-DU", "工地"];
    await makeDus(
      owner,
      projectId,
      Array.from({ length: 270 }, (_, at): MadeDu => {
        const start = Math.floor(at / 9) % 12;
        const span = (after: number) => {
          const end = isoDay(today + after + (start % 5)) as string;
          return { plan_start: end, plan_end: end, plan_owner: sets[at % 9] ?? 0 };
        };
        return {
          code: `${codes[at % 3]}-${1000 + at}`,
          name: "Meisha Bay",
          plan: Object.fromEntries(activities.map(({ slot }, step) => [slot, span(-3 + step * (start % 3))])),
        };
      }),
      flow,
    );
    const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", skin: "dark", to: "/BOARDPASS?view=board" });
    await page.locator(`${board} [role=button][data-key]`).first().waitFor();
    await page.waitForLoadState("networkidle");
    // Lanes that hold too much, and an unsaved card that is chosen.
    await page.getByLabel(textsOf("en", "plan-timeline")("capacity.label")).fill("2");
    await page.keyboard.press("Enter");
    await page
      .getByRole("gridcell", { name: /too much/ })
      .first()
      .waitFor();
    const cards = page.locator(`${board} [role=row][aria-rowindex="3"] [role=button][data-key]`);
    await cards.first().click();
    await page.keyboard.press("Alt+ArrowRight");
    await expect.poll(() => page.locator(`${board} [class*=dirty]`).count()).toBe(1);
    const screen = await context.newCDPSession(page);
    const area = new PassingArea(page, board, 48);
    for (const skin of ["dark", "light"]) {
      await page.evaluate((scheme) => document.documentElement.setAttribute("data-mantine-color-scheme", scheme), skin);
      for (const axis of ["y", "x"] as const) await area.expectAlike(screen, axis);
    }
    await screen.send("Emulation.setDeviceMetricsOverride", { width: 1_440, height: 900, deviceScaleFactor: 2, mobile: false });
    await area.expectAlike(screen, "y");
    await screen.send("Emulation.clearDeviceMetricsOverride");

    // What passed a little further is another picture: the comparison would tell.
    const [here, further] = [await area.picture({ axis: "y", steps: [160, 160] }), await area.picture({ axis: "y", steps: [160, 188] })];
    expect((await area.differing(here, further)).differing).toBeGreaterThan(10_000);
    // What moves slowly is drawn with elements, and so is what goes to a card that is to be read.
    expect(await area.passed({ axis: "y", steps: [149, 149] })).toBeNull();
    await page.mouse.move(700, 450);
    expect(await area.drawnBy(() => page.mouse.wheel(0, 2_000))).toBe(true);
    await page.locator(board).focus();
    expect(await area.drawnBy(() => page.keyboard.press("PageUp"))).toBe(false);

    // Cells whose cards are not read show how many there are.
    await page.route("**/api/rolloutPlan/board*", async (route) => {
      if (!route.request().postData()?.includes('"counts":false')) await route.continue();
    });
    await page.goto(`${journey.base}/BOARDPASS?view=board`);
    await page
      .locator(`${board} [role=gridcell]`, { hasText: /, \d+ activit/ })
      .first()
      .waitFor();
    await area.expectAlike(screen, "y");
    expect(await page.locator(`${board} [data-key]`).count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
