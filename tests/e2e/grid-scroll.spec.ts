import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { glyphDrawings, glyphImage, glyphSideOf } from "#components/grid/glyph-images.ts";
import { dayNumber, isoDay } from "#lib/core/clock.ts";
import { GridPage } from "../support/grid-page.ts";
import { makeJourneyProject, signIn, useJourney } from "../support/journey.ts";
import { PassingArea } from "../support/passing.ts";
import { makeActivities, makeDus, makeFlow } from "../support/plan-factories.ts";

const journey = useJourney();
const dus = 600;
const activities = 30;

type Seen = { cells: number; texts: [place: string, texts: string[]][]; codes: [row: number, code: string][] };

/**
 * Scrolls a fixed way in every frame and notes what every cell of a row shows meanwhile. Begins out of a quick scroll, whose rows are drawn
 * without cells: those that are not seen show nothing. Runs in the page.
 */
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
  for (const quick of [300, 300, 300, -900]) {
    await new Promise((done) => requestAnimationFrame(done));
    scroller.scrollLeft += quick;
  }
  for (let frame = 0; frame < frames; frame++) {
    await new Promise((done) => requestAnimationFrame(done));
    for (const row of scroller.querySelectorAll<HTMLElement>("[role=row][aria-rowindex]")) {
      const index = Number(row.getAttribute("aria-rowindex"));
      if (index <= 2 || index >= last || row.hidden || row.closest("[hidden]")) continue;
      for (const cell of row.querySelectorAll<HTMLElement>("[role=gridcell][aria-colindex]")) {
        if (cell.style.display === "none" || /loading/.test(cell.className) || !cell.checkVisibility({ visibilityProperty: true }))
          continue;
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

/** A bitmap as it lies in its file: its side in pixels, which of them are drawn, and the colour of the strongest. */
type Bitmap = { side: number; drawn: number[]; ink: number[] };

/** Opens the bitmaps whose addresses stand in a value of the style sheet. Runs in the page. */
async function openBitmaps(value: string): Promise<Bitmap[]> {
  return Promise.all(
    [...value.matchAll(/url\("(blob:[^"]+)"\)/g)].map(async ([, address]) => {
      const image = new Image();
      image.src = address as string;
      await image.decode();
      const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
      const context = canvas.getContext("2d")!;
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
      const pixels = Array.from(
        { length: data.length / 4 },
        (_, at) => [...data.subarray(at * 4, at * 4 + 4)] as [number, number, number, number],
      );
      const [red, green, blue] = pixels.reduce((most, pixel) => (pixel[3] > most[3] ? pixel : most));
      return { side: canvas.width, drawn: pixels.flatMap(([, , , alpha], at) => (alpha > 0 ? [at] : [])), ink: [red, green, blue] };
    }),
  );
}

/** By how much of a full pixel the opacities of the bitmaps of glyphs differ from those of their outlines, at most. Runs in the page. */
async function farFromOutlines({ outlines, side }: { outlines: [property: string, value: string][]; side: number }): Promise<number> {
  let scroller = document.querySelector<HTMLElement>("[role=grid]") as HTMLElement;
  while (!scroller.style.getPropertyValue("--hatch-tile")) scroller = scroller.parentElement as HTMLElement;
  const opacities = async (value: string) => {
    const image = new Image();
    image.src = /url\("(.*)"\)/.exec(value)?.[1] as string;
    await image.decode();
    const context = new OffscreenCanvas(side, side).getContext("2d")!;
    context.drawImage(image, 0, 0, side, side);
    return context.getImageData(0, 0, side, side).data.filter((_, at) => at % 4 === 3);
  };
  const far = await Promise.all(
    outlines.map(async ([property, value]) => {
      const [bitmap, outline] = await Promise.all([opacities(scroller.style.getPropertyValue(property)), opacities(value)]);
      return Math.max(...bitmap.map((opacity, at) => Math.abs(opacity - (outline[at] as number))));
    }),
  );
  return Math.max(...far) / 255;
}

/** Scrolls down so many pixels in each frame; gives the rows that are seen in the place it has come to and have no element in the frame that shows it. Runs in the page. */
async function missingAfter(steps: number[]): Promise<number[]> {
  const grid = document.querySelector<HTMLElement>("[role=grid]") as HTMLElement;
  let scroller = grid;
  while (scroller.scrollHeight <= scroller.clientHeight || !/auto|scroll/.test(getComputedStyle(scroller).overflowY))
    scroller = scroller.parentElement as HTMLElement;
  scroller.scrollTop = 0;
  await new Promise((done) => setTimeout(done, 500));
  for (const step of steps) {
    await new Promise((done) => requestAnimationFrame(done));
    scroller.scrollTop += step;
  }
  const drawn = new Set(
    [...grid.querySelectorAll<HTMLElement>("[role=row][aria-rowindex]:not([hidden])")].map(
      (row) => Number(row.getAttribute("aria-rowindex")) - 3,
    ),
  );
  const first = Math.floor(scroller.scrollTop / 28);
  const last = Math.ceil((scroller.scrollTop + scroller.clientHeight - 3 * 28) / 28) - 1;
  return Array.from({ length: last - first + 1 }, (_, at) => first + at).filter((row) => !drawn.has(row));
}

/** The element that the field of the grid names to a screen reader: before a quick scroll, while it passes, and at rest again. Runs in the page. */
async function namedAround(): Promise<(string | null)[]> {
  const grid = document.querySelector<HTMLElement>("[role=grid]") as HTMLElement;
  let scroller = grid;
  while (scroller.scrollHeight <= scroller.clientHeight || !/auto|scroll/.test(getComputedStyle(scroller).overflowY))
    scroller = scroller.parentElement as HTMLElement;
  const named = () => (document.activeElement as HTMLElement).getAttribute("aria-activedescendant");
  const seen = [named()];
  for (const step of [160, 160, -320]) {
    scroller.scrollTop += step;
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  }
  seen.push(named());
  await new Promise((done) => setTimeout(done, 500));
  return [...seen, named()];
}

/** What of the canvas is shown in the next two seconds, and where; last, what is at their end. Runs in the page. */
async function shownOfCanvas(): Promise<string[]> {
  const head = document.querySelector('[role=grid] [role=row][aria-rowindex="2"]') as HTMLElement;
  const shown: string[] = [];
  for (const end = performance.now() + 2_000; performance.now() < end; ) {
    await new Promise((done) => requestAnimationFrame(done));
    const place = document.querySelector("[role=grid] canvas")?.parentElement as HTMLElement;
    const { width, height, bottom } = place.getBoundingClientRect();
    const isClipped = getComputedStyle(place).overflow === "clip" && bottom <= head.getBoundingClientRect().bottom;
    const now = place.hidden ? "nothing" : isClipped ? `${width} × ${height} behind the head` : "in sight";
    if (shown.at(-1) !== now) shown.push(now);
  }
  return shown;
}

/** The colour of a token in the present skin. Runs in the page. */
function colorOf(token: string): number[] {
  const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true })!;
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(token);
  context.fillRect(0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data.subarray(0, 3)];
}

/** Notes from now on which cells, heads and rows are put into the grid; `putSince` reads them. Runs in the page. */
function notePut(): void {
  const put: { role: string; html: string }[] = [];
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes) if (node instanceof Element && node.role) put.push({ role: node.role, html: node.outerHTML });
  }).observe(document.querySelector("[role=grid]") as HTMLElement, { childList: true, subtree: true });
  Object.assign(window, { put });
}

/** What `notePut` has noted. Runs in the page. */
const putSince = () => (window as unknown as { put: { role: string; html: string }[] }).put;

/** Scrolls the grid once to its right end, 400 pixels a frame. Runs in the page. */
async function scrollAcross(): Promise<void> {
  let scroller = document.querySelector<HTMLElement>("[role=grid]") as HTMLElement;
  while (!/auto|scroll/.test(getComputedStyle(scroller).overflowY)) scroller = scroller.parentElement as HTMLElement;
  while (scroller.scrollLeft < scroller.scrollWidth - scroller.clientWidth - 1) {
    scroller.scrollLeft += 400;
    await new Promise((done) => requestAnimationFrame(done));
  }
  await new Promise((done) => requestAnimationFrame(done));
  scroller.scrollLeft = 0;
}

/** Left and right end of a column in the head and in the rows in sight, and what the rows show in it. Runs in the page. */
function columnEnds(column: number): { ends: string[]; texts: string[] } {
  const seen = [...document.querySelectorAll<HTMLElement>(`[role=row]:not([hidden]) > [aria-colindex="${column}"]`)].filter(
    (cell) => cell.role !== "columnheader" || cell.closest('[aria-rowindex="2"]'),
  );
  const end = (cell: HTMLElement) => `${cell.getBoundingClientRect().left} ${cell.getBoundingClientRect().right}`;
  return {
    ends: [...new Set(seen.map(end))],
    texts: seen.filter(({ role }) => role === "gridcell").map(({ innerText }) => innerText.trim()),
  };
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
    // What comes into sight later is made at rest, the head of the last column last of all.
    const last = await page.locator("[role=grid]").getAttribute("aria-colcount");
    await page.locator(`[role=columnheader][aria-colindex="${last}"]`).first().waitFor({ state: "attached", timeout: 20_000 });
    await page.evaluate(notePut);
    await page.evaluate(scrollAcross);
    expect(await page.evaluate(putSince)).toEqual([]);
    for (const way of [
      { axis: "y", step: 140, frames: 120 },
      { axis: "x", step: 140, frames: 90 },
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

  it("draws what passes quickly as it stands there afterwards, in both skins and on a finer screen", { timeout: 120_000 }, async () => {
    const projectId = await makeJourneyProject(journey.owner, "PASSING");
    const [pm] = await journey.owner<{ id: number }[]>`select id from app_user where account = 'pm'`;
    const made = await makeActivities(journey.owner, projectId, ["Survey", ...Array.from({ length: 11 }, (_, at) => `Step ${at}`)]);
    const id = await makeFlow(journey.owner, projectId, pm!.id, made, "Rollout");
    const day = (from: number) => isoDay(dayNumber(new Date().toISOString().slice(0, 10)) + from) as string;
    const plan = (du: number) =>
      Object.fromEntries(
        made.map(({ slot }, at) => [slot, { plan_end: day(du - 20 + 9 * at), ...(at < 2 && du < 15 && { actual_end: day(-at) }) }]),
      );
    const names = ["Short", "W".repeat(24), "é".repeat(60), "安装".repeat(12), "👍".repeat(20)];
    const all = Array.from({ length: 120 }, (_, at) => ({ code: `P-${100 + at}`, name: names[at % names.length]!, plan: plan(at) }));
    const isOutside = (at: number) => at % 4 === 3;
    await makeDus(
      journey.owner,
      projectId,
      all.filter((_, at) => !isOutside(at)),
      { id, activities: made },
    );
    // Outside the flow: hatched.
    await makeDus(
      journey.owner,
      projectId,
      all.filter((_, at) => isOutside(at)).map(({ code, name }) => ({ code, name })),
    );
    const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", to: "/PASSING" });
    const grid = new GridPage(page);
    await grid.ready();
    await page.waitForLoadState("networkidle");
    // Unsaved, refused and chosen rows among them.
    const days = ["2031-02-03", "no day", "2031-02-05"];
    for (const [at, typed] of days.entries()) await grid.type(20 + at, "Plan end", "Survey", typed);
    await page.locator('[role=row][aria-rowindex="27"] [role=rowheader]').click();
    await page.locator('[role=row][aria-rowindex="28"] [role=rowheader]').click();
    // The frames around a selection and its handle stay elements, so the selection goes where it is not seen.
    await page.keyboard.press("Control+Home");
    await page.locator("[role=grid] canvas").waitFor({ state: "hidden" });
    // In a window of another size it is drawn a few times where nobody sees it, once all is quiet.
    const rehearsal = page.evaluate(shownOfCanvas);
    await page.setViewportSize({ width: 1_440, height: 880 });
    const shown = await rehearsal;
    expect([...new Set(shown)].sort()).toEqual(["1 × 1 behind the head", "nothing"]);
    expect(shown.at(-1)).toBe("nothing");
    const screen = await context.newCDPSession(page);
    // Below the rows stands the summary, beside them what tells where they stand.
    const area = new PassingArea(page, "[role=grid]", 3 * 28);
    for (const skin of ["dark", "light"]) {
      await page.evaluate((scheme) => document.documentElement.setAttribute("data-mantine-color-scheme", scheme), skin);
      for (const axis of ["y", "x"] as const) await area.expectAlike(screen, axis);
    }
    await screen.send("Emulation.setDeviceMetricsOverride", { width: 1_440, height: 900, deviceScaleFactor: 2, mobile: false });
    await page.evaluate(() => document.documentElement.setAttribute("data-mantine-color-scheme", "dark"));
    await area.expectAlike(screen, "y");
    await screen.send("Emulation.clearDeviceMetricsOverride");

    // What passed one row further is another picture: the comparison would tell.
    const [here, further] = [await area.picture({ axis: "y", steps: [160, 160] }), await area.picture({ axis: "y", steps: [160, 188] })];
    expect((await area.differing(here, further)).differing).toBeGreaterThan(10_000);
    // Elements are back before they are seen, in whatever steps the scroll slows down.
    for (const slow of [[149], [149, 149], [149, 149, 149], [10, 140, 149]])
      expect(await page.evaluate(missingAfter, [300, 300, 300, ...slow, 149])).toEqual([]);
    // What goes to a cell that is to be read is drawn with elements, and so is what moves slowly.
    await area.passed({ axis: "y", steps: [] });
    await page.mouse.move(700, 450);
    expect(await area.drawnBy(() => page.mouse.wheel(0, 2_000))).toBe(true);
    await page.keyboard.press("Control+Home");
    await page.waitForTimeout(500);
    expect(await area.drawnBy(() => page.keyboard.press("PageDown"))).toBe(false);
    expect(await area.passed({ axis: "y", steps: [149, 149, 149, 149] })).toBeNull();
    // No element is named that a screen reader would not find.
    await page.keyboard.press("Control+Home");
    await page.waitForTimeout(500);
    const [before, passing, after] = await page.evaluate(namedAround);
    expect(before).toMatch(/-0-0$/);
    expect([passing, after]).toEqual([null, before]);
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
    const picture = () => status.evaluate((cell) => getComputedStyle(cell).backgroundImage);
    const bitmaps = async (value: string) => page.evaluate(openBitmaps, value);
    // The picture of a cell is an outline first, and one that has just gone has none.
    const ink = async () => (await bitmaps(await picture()))[0]?.ink;
    const near = (color: number[]) => color.map((part) => expect.closeTo(part, -1));
    const hatch = () =>
      page.locator("[role=grid]").evaluate((grid) => {
        let scroller = grid as HTMLElement;
        while (!scroller.style.getPropertyValue("--hatch-tile")) scroller = scroller.parentElement as HTMLElement;
        return scroller.style.getPropertyValue("--hatch-tile");
      });
    /** 64 by 5 steps of the hatch: so many pixels of a line in each step of a row, those of the next row one further to the left. */
    const steps = (side: number, thickness: number) =>
      Array.from({ length: 5 * side * 64 * side }, (_, at) => at).filter(
        (at) => ((at % (64 * side)) + Math.floor(at / (64 * side)) + 1) % side < thickness,
      );
    for (const skin of ["dark", "light"]) {
      await page.evaluate((scheme) => document.documentElement.setAttribute("data-mantine-color-scheme", scheme), skin);
      await expect.poll(ink).toEqual(near(await page.evaluate(colorOf, "--st-after7")));
      const color = await page.evaluate(colorOf, "--hatch");
      await expect.poll(async () => bitmaps(await hatch())).toEqual([{ side: 448, drawn: steps(7, 1), ink: color }]);
    }
    for (const place of ["lead", "mark"] as const) {
      const drawings = glyphDrawings(() => "red").filter(({ property }) => property.startsWith(`--${place}-`));
      const outlines = drawings.map((drawing) => [...glyphImage(drawing)] as [string, string]);
      expect(await page.evaluate(farFromOutlines, { outlines, side: glyphSideOf(`--${place}-`) })).toBeLessThan(0.001);
    }
    // On a finer screen the pictures are finer. One without a window tells no page of another screen: the skin makes them anew.
    const screen = await context.newCDPSession(page);
    await screen.send("Emulation.setDeviceMetricsOverride", { width: 1_440, height: 900, deviceScaleFactor: 2, mobile: false });
    await page.evaluate(() => document.documentElement.setAttribute("data-mantine-color-scheme", "dark"));
    await expect.poll(async () => (await bitmaps(await picture()))[0]?.side).toBe(24);
    expect(await hatch()).toMatch(/ 2x\)$/);
    expect((await bitmaps(await hatch())).map(({ side, drawn }) => [side, drawn])).toEqual([[896, steps(14, 2)]]);
    await screen.send("Emulation.clearDeviceMetricsOverride");

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
    const states = () => pictures("[role=treegrid] [role=row][aria-level='2']:not([hidden]) > :nth-child(2)");
    await expect.poll(async () => (await states()).filter((state) => state.startsWith('url("blob:')).length).toBe(2 * names.length);
    const each = Object.values(Object.groupBy(await states(), (state) => state)).map((same) => same!.length);
    expect(each).toEqual([names.length, names.length]);
    await page.goto(`${journey.base}/CUT?view=board`);
    await page.locator("[role=grid] [role=button][data-key]").first().waitFor();
    const cards = () => pictures("[role=grid] [role=button][data-key]:not([hidden])");
    expect((await cards()).length).toBeGreaterThan(0);
    await expect.poll(async () => (await cards()).filter((card) => !card.includes('url("blob:'))).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });
});

describe("a grid whose columns change", () => {
  it("keeps its rows while an edge is dragged and groups fold, every cell under its head", { timeout: 90_000 }, async () => {
    const projectId = await makeJourneyProject(journey.owner, "DRAGGED");
    const [pm] = await journey.owner<{ id: number }[]>`select id from app_user where account = 'pm'`;
    const made = await makeActivities(journey.owner, projectId, ["Survey", "Design", "Install"]);
    const id = await makeFlow(journey.owner, projectId, pm!.id, made, "Rollout");
    const codes = Array.from({ length: 80 }, (_, at) => `D-${String(at).padStart(2, "0")}`);
    const plan = (du: number) =>
      Object.fromEntries(made.map(({ slot }) => [slot, { plan_end: isoDay(20_700 + du + slot * 100) as string }]));
    await makeDus(
      journey.owner,
      projectId,
      codes.map((code, at) => ({ code, plan: plan(at) })),
      { id, activities: made },
    );
    const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", to: "/DRAGGED" });
    const grid = new GridPage(page);
    await grid.ready();
    // What regions and subcontractors there are comes later than the rows: that is no reason to draw them anew either.
    await page.evaluate(notePut);
    await page.waitForLoadState("networkidle");
    const ends = async (group: string) => page.evaluate(columnEnds, await grid.column("Plan end", group));
    const days = (slot: number, count: number) => Array.from({ length: count }, (_, du) => isoDay(20_700 + du + slot * 100));
    /** All cells of a column stand under its head with their text, as soon as they are drawn. */
    const stands = async (group: string, slot: number) => {
      await expect
        .poll(async () => {
          const { ends: sides, texts } = await ends(group);
          return { sides: sides.length, areMany: texts.length > 20, areRight: isDeepStrictEqual(texts, days(slot, texts.length)) };
        })
        .toEqual({ sides: 1, areMany: true, areRight: true });
      return ends(group);
    };

    const fold = (group: string) => page.getByRole("button", { name: new RegExp(`^${group}`) });
    for (const group of ["Install", "Design"]) {
      await fold(group).click();
      await expect.poll(() => fold(group).getAttribute("aria-expanded")).toBe("true");
    }
    const before = await stands("Design", made[1]!.slot);
    const edge = await page
      .locator(`[role=columnheader][aria-colindex="${await grid.column("Plan end", "Survey")}"] i`)
      .last()
      .boundingBox();
    await page.mouse.move(edge!.x + 2, edge!.y + 5);
    await page.mouse.down();
    await page.mouse.move(edge!.x + 42, edge!.y + 5, { steps: 8 });
    const wider = (both: string) =>
      both
        .split(" ")
        .map((one) => Number(one) + 40)
        .join(" ");
    await expect.poll(async () => (await ends("Design")).ends).toEqual(before.ends.map(wider));
    await stands("Design", made[1]!.slot);
    await page.mouse.up();

    await fold("Survey").click();
    await expect.poll(() => fold("Survey").getAttribute("aria-expanded")).toBe("false");
    grid.moved();
    for (const { name, slot } of made.slice(1)) await stands(name, slot);
    expect((await page.evaluate(putSince)).filter(({ role }) => role === "row")).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
