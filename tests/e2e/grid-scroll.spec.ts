import { describe, expect, it } from "vitest";
import { dayNumber, isoDay } from "#lib/core/clock.ts";
import { GridPage } from "../support/grid-page.ts";
import { makeJourneyProject, signIn, useJourney } from "../support/journey.ts";
import { makeActivities, makeDus, makeFlow } from "../support/plan-factories.ts";

const journey = useJourney();
const dus = 600;
const activities = 30;

type Seen = { cells: number; texts: [place: string, texts: string[]][]; codes: [row: number, code: string][] };

/** Scrolls a fixed way in every frame and notes what every cell of a row shows meanwhile. Runs in the page. */
async function watch({ axis, step, frames }: { axis: "x" | "y"; step: number; frames: number }): Promise<Seen> {
  const grid = document.querySelector<HTMLElement>("[role=grid]") as HTMLElement;
  let scroller = grid;
  while (scroller.scrollHeight <= scroller.clientHeight || !/auto|scroll/.test(getComputedStyle(scroller).overflowY))
    scroller = scroller.parentElement as HTMLElement;
  const last = Number(grid.getAttribute("aria-rowcount"));
  const found = new Map<string, Set<string>>();
  const codes = new Map<number, string>();
  let cells = 0;
  let direction = 1;
  for (let frame = 0; frame < frames; frame++) {
    await new Promise((done) => requestAnimationFrame(done));
    for (const row of scroller.querySelectorAll<HTMLElement>("[role=row][aria-rowindex]")) {
      const index = Number(row.getAttribute("aria-rowindex"));
      if (index <= 2 || index >= last || row.hidden || row.closest("[hidden]")) continue;
      for (const cell of row.querySelectorAll<HTMLElement>("[role=gridcell][aria-colindex]")) {
        if (cell.style.display === "none" || /loading/.test(cell.className)) continue;
        const column = cell.getAttribute("aria-colindex");
        const text = cell.innerText.trim();
        const place = `${index} ${column}`;
        found.set(place, (found.get(place) ?? new Set()).add(text));
        if (column === "2") codes.set(index, text);
        cells++;
      }
    }
    if (axis === "y") scroller.scrollTop += step * direction;
    else scroller.scrollLeft += step * direction;
    const [at, end] =
      axis === "y"
        ? [scroller.scrollTop, scroller.scrollHeight - scroller.clientHeight]
        : [scroller.scrollLeft, scroller.scrollWidth - scroller.clientWidth];
    if (at >= end - 1 || at <= 0) direction = at <= 0 ? 1 : -1;
  }
  return {
    cells,
    texts: [...found].filter(([, texts]) => texts.size > 1).map(([place, texts]) => [place, [...texts]]),
    codes: [...codes],
  };
}

/** How many texts in sight are cut off, how many are not, and those of the latter that leave their cell. Runs in the page. */
function cutCells(selector: string): { cut: number; whole: number; spilt: (string | null)[] } {
  const cells = [...document.querySelectorAll<HTMLElement>(selector)].filter((cell) => cell.offsetWidth > 0 && cell.textContent);
  const isCut = (cell: HTMLElement) => getComputedStyle(cell).overflowX === "hidden";
  const whole = cells.filter((cell) => !isCut(cell));
  const spilt = whole.filter((cell) => cell.scrollWidth > cell.clientWidth);
  return { cut: cells.length - whole.length, whole: whole.length, spilt: spilt.map((cell) => cell.textContent) };
}

describe("a grid that is scrolled", () => {
  it("shows in every frame the text of the row and column a cell stands for, down, up and across", { timeout: 180_000 }, async () => {
    const projectId = await makeJourneyProject(journey.owner, "SCROLLED");
    const [pm] = await journey.owner<{ id: number }[]>`select id from app_user where account = 'pm'`;
    const made = await makeActivities(
      journey.owner,
      projectId,
      Array.from({ length: activities }, (_, at) => `Step ${at + 1}`),
    );
    const id = await makeFlow(journey.owner, projectId, pm!.id, made, "Rollout");
    const plan = (du: number) => Object.fromEntries(made.map(({ slot }) => [slot, { plan_end: isoDay(10_000 + du + slot * 7) as string }]));
    await makeDus(
      journey.owner,
      projectId,
      Array.from({ length: dus }, (_, at) => ({ code: `SC-${String(at + 1).padStart(3, "0")}`, plan: plan(at) })),
      { id, activities: made },
    );
    const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", to: "/SCROLLED" });
    await new GridPage(page).ready();
    for (const way of [
      { axis: "y", step: 400, frames: 90 },
      { axis: "x", step: 400, frames: 60 },
      { axis: "y", step: 61, frames: 60 },
    ] as const) {
      const seen = await page.evaluate(watch, way);
      expect(seen.cells).toBeGreaterThan(1_000);
      expect(seen.texts).toEqual([]);
      expect(seen.codes.filter(([row, code]) => code !== `SC-${String(row - 2).padStart(3, "0")}`)).toEqual([]);
    }
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("lets no text out of its cell, and draws a status in the colours of the skin", async () => {
    const projectId = await makeJourneyProject(journey.owner, "CUT");
    const [pm] = await journey.owner<{ id: number }[]>`select id from app_user where account = 'pm'`;
    const made = await makeActivities(journey.owner, projectId, ["Survey", "W".repeat(30)]);
    const id = await makeFlow(journey.owner, projectId, pm!.id, made, "Rollout");
    const names = ["Short", "W".repeat(24), "é".repeat(60), "安装".repeat(12), "👍".repeat(20), "iiiiiiiiii lllllllllll", "Ⅷ".repeat(30)];
    const [past, soon] = [-9, 9].map((days) => isoDay(dayNumber(new Date().toISOString().slice(0, 10)) + days) as string);
    const plan = { [made[0]!.slot]: { plan_end: past!, actual_end: past! }, [made[1]!.slot]: { plan_end: soon! } };
    await makeDus(
      journey.owner,
      projectId,
      names.map((name) => ({ name, plan })),
      { id, activities: made },
    );
    const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", to: "/CUT" });
    await new GridPage(page).ready();
    const seen = await page.evaluate(cutCells, "[role=gridcell]");
    expect(seen.spilt).toEqual([]);
    expect(seen.cut).toBeGreaterThanOrEqual(5);
    expect(seen.whole).toBeGreaterThan(names.length);
    const status = await new GridPage(page).cell(0, "Status");
    const picture = () => status.evaluate((cell) => decodeURIComponent(getComputedStyle(cell).backgroundImage));
    // The cell is made anew when the choices of its columns arrive; one that has just gone has no picture.
    let dark = "";
    const look = async () => {
      dark = await picture();
      return dark;
    };
    await expect.poll(look).toMatch(/svg.*stroke="#/);
    await page.evaluate(() => document.documentElement.setAttribute("data-mantine-color-scheme", "light"));
    await expect.poll(async () => ["", dark].includes(await picture())).toBe(false);

    // The other views draw their status and cut their texts in the same way.
    const pictures = (cells: string) =>
      page.evaluate((within) => [...document.querySelectorAll(within)].map((cell) => getComputedStyle(cell).backgroundImage), cells);
    await page.goto(`${journey.base}/CUT?view=gantt`);
    await page
      .getByRole("treegrid")
      .getByRole("row", { name: /^Survey/ })
      .first()
      .waitFor();
    const lines = await page.evaluate(cutCells, "[role=treegrid] [role=gridcell]");
    expect(lines.spilt).toEqual([]);
    expect(lines.cut).toBeGreaterThanOrEqual(2 * names.length);
    expect(lines.whole).toBeGreaterThan(lines.cut);
    const states = (await pictures("[role=treegrid] [role=row][aria-level='2']:not([hidden]) > :nth-child(2)")).map(decodeURIComponent);
    expect(states).toHaveLength(2 * names.length);
    expect(states.filter((state) => /stroke="color-mix/.test(state))).toHaveLength(names.length);
    expect(states.filter((state) => /stroke="#/.test(state))).toHaveLength(names.length);
    await page.goto(`${journey.base}/CUT?view=board`);
    await page.locator("[role=grid] [role=button][data-key]").first().waitFor();
    const cards = await pictures("[role=grid] [role=button][data-key]:not([hidden])");
    expect(cards.length).toBeGreaterThan(0);
    expect(cards.filter((card) => !card.includes("svg"))).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
