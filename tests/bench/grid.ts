import type { Browser, Page } from "playwright";
import { demoPassword } from "#db/seed/accounts.ts";
import { openBrowser } from "../support/chromium.ts";
import { frameLines, type Pass, quietPasses } from "./frames.ts";
import { startPlainPage } from "./grid-plain-page.ts";
import type { Installation } from "./installation.ts";
import { line, median } from "./measure.ts";
import { type InTurn, inTurn, type Work } from "./quiet.ts";
import { serverAside } from "./stand-aside.ts";

const opens = 7;
const pixelsPerFrame = 400;
const frames = 240;
/** Passes of one opening of the grid: down through other rows each time, as far as there are any, across through the same columns. */
const passesPerOpening = 3;

/** Moments of a page in ms since it was asked for: its first cell with a text was painted, its cells could be used. */
type Opened = { shown: number; usable: number };

/** Marks both. Runs in the page before anything else. */
function watchFirstCell(): void {
  const marks = {} as Opened;
  const look = () => {
    const cell = document.querySelector('.cell, [role=gridcell][aria-colindex="2"]');
    // The frame that shows it ends after the next one has begun.
    if (cell?.textContent)
      requestAnimationFrame(() => {
        marks.shown ??= performance.now();
      });
    // Rows that come with the page cannot be used before its program is here.
    if (marks.shown && !document.querySelector("[role=grid] [inert]")) {
      marks.usable = performance.now();
      (window as unknown as { opened: Opened }).opened = marks;
    } else requestAnimationFrame(look);
  };
  look();
}

type Scroll = Pass & { unfilled: number };
type Way = { axis: "x" | "y"; from: number; step: number; count: number; looking: boolean };

/** Scrolls a fixed way in every frame, back from the end, and may look each time for places in sight that show nothing. Runs in the page. */
async function scrollThrough({ axis, from, step, count, looking }: Way): Promise<Scroll> {
  const grid = document.querySelector<HTMLElement>("[role=grid]");
  let scroller = (grid ?? document.getElementById("content")) as HTMLElement;
  while (scroller.scrollHeight <= scroller.clientHeight || !/auto|scroll/.test(getComputedStyle(scroller).overflowY))
    scroller = scroller.parentElement as HTMLElement;
  const headRows = grid ? 2 : 0;
  const rowHeight = 28;
  const locked = grid?.querySelector<HTMLElement>("[role=row][aria-rowindex] > [role=presentation]")?.offsetWidth ?? 0;
  scroller.scrollTop = axis === "y" ? from : 0;
  scroller.scrollLeft = axis === "x" ? from : 0;
  await new Promise((done) => setTimeout(done, 500));
  const times: number[] = [];
  let unfilled = 0;
  const passing = () =>
    [...(grid?.querySelectorAll<HTMLCanvasElement>(":not([data-behind]) > canvas") ?? [])].find(
      (canvas) => canvas.getBoundingClientRect().width > 0,
    );
  /** What passes quickly is drawn on a canvas: rows without the line below them, and the bars that stand for what has not arrived. */
  const lookAtPixels = (canvas: HTMLCanvasElement) => {
    const context = canvas.getContext("2d") as CanvasRenderingContext2D;
    const { data, width } = context.getImageData(0, 0, canvas.width, Math.min(canvas.height, scroller.clientHeight - 3 * rowHeight));
    const at = (x: number, y: number) =>
      (data[(y * width + x) * 4]! << 16) | (data[(y * width + x) * 4 + 1]! << 8) | data[(y * width + x) * 4 + 2]!;
    const bar = colorOf("--bg-press");
    const high = data.length / 4 / width;
    for (let y = rowHeight - 1 - (Math.round(scroller.scrollTop) % rowHeight); y < high; y += rowHeight) {
      if (y < 0) continue;
      for (let x = 50; x < width; x += 100) if (at(x, y) === at(x, Math.max(0, y - 1)) && at(x, y) === base) unfilled++;
      for (let x = 0; x + 20 < width && y >= 22; x += 20)
        if ([0, 5, 10, 15].every((by) => at(x + by, y - 13) === bar && at(x + by, y - 22) !== bar)) unfilled++;
    }
  };
  const colorOf = (token: string) => {
    const context = new OffscreenCanvas(1, 1).getContext("2d") as OffscreenCanvasRenderingContext2D;
    context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(token);
    context.fillRect(0, 0, 1, 1);
    const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
    return (red! << 16) | (green! << 8) | blue!;
  };
  const base = grid ? colorOf("--bg-base") : 0;
  /** Rows in sight without an element, and the strip at the side that no cell covers, in cells. */
  const look = () => {
    const shown = new Map<number, HTMLElement>();
    for (const row of scroller.querySelectorAll<HTMLElement>("[role=row][aria-rowindex]")) {
      const index = Number(row.getAttribute("aria-rowindex"));
      if (index > headRows && !row.hidden) shown.set(index - headRows - 1, row);
    }
    const first = Math.ceil(scroller.scrollTop / rowHeight);
    const last = Math.floor((scroller.scrollTop + scroller.clientHeight - (headRows + (grid ? 1 : 0)) * rowHeight) / rowHeight) - 1;
    const sample = [...shown.values()][0];
    const across = Math.ceil(scroller.clientWidth / 100);
    for (let row = first; row <= last; row++) if (!shown.has(row)) unfilled += across;
    if (axis === "x" && sample) {
      const sides = [...sample.children].flatMap((cell) => {
        const { offsetLeft, offsetWidth } = cell as HTMLElement;
        return offsetWidth > 0 ? [{ left: offsetLeft, right: offsetLeft + offsetWidth }] : [];
      });
      const covered = Math.max(0, ...sides.map((side) => side.right));
      const begin = Math.min(...sides.map((side) => side.left));
      const gap =
        Math.max(0, Math.min(scroller.scrollLeft + scroller.clientWidth, scroller.scrollWidth) - covered) +
        Math.max(0, begin - scroller.scrollLeft - locked);
      unfilled += Math.ceil(gap / 100) * Math.max(0, last - first + 1);
    }
    // Rows whose data has not arrived stand there as grey bars.
    if (grid) unfilled += scroller.querySelectorAll('[role=gridcell][class*="loading"]').length;
  };
  let before = performance.now();
  let direction = 1;
  for (let frame = 0; frame < count; frame++) {
    const now = await new Promise<number>((done) => requestAnimationFrame(done));
    if (frame > 0) times.push(now - before);
    before = now;
    const [place, end] =
      axis === "y"
        ? [scroller.scrollTop, scroller.scrollHeight - scroller.clientHeight]
        : [scroller.scrollLeft, scroller.scrollWidth - scroller.clientWidth];
    if (place >= end - 1) direction = -1;
    else if (place <= 0) direction = 1;
    // A canvas shows where the area stood when it was drawn, elements where it stands.
    const canvas = looking ? passing() : undefined;
    if (canvas) lookAtPixels(canvas);
    if (axis === "y") scroller.scrollTop += step * direction;
    else scroller.scrollLeft += step * direction;
    if (looking && !canvas) look();
  }
  return { times, unfilled };
}

async function firstCells(page: Page, address: string): Promise<Opened> {
  await page.goto(address);
  await page.waitForFunction(() => "opened" in window);
  return page.evaluate(() => (window as unknown as { opened: Opened }).opened);
}

/** A page in which the project manager has signed in. */
export async function signedIn(browser: Browser, { address }: Installation): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(`${address}/sign-in?lang=en&to=%2FLARGE`);
  await page.locator("input[name=account]").fill("pm");
  await page.locator("input[type=password]").fill(demoPassword);
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => !url.pathname.startsWith("/sign-in"));
  return page;
}

/** 200 columns: 20 activities unfolded with three dates each, 100 folded ones, 5 of the DU and 35 attributes. */
async function wideView({ call }: Installation): Promise<void> {
  type Column = { key: string };
  const head = await call<{
    activities: { activityId: number }[];
    activityColumns: Column[];
    fields: Column[];
    attributes: (Column & { level: string })[];
  }>("rolloutPlan/head", {});
  const shownFields = new Set(["code", "name", "status", "region", "subcontractor"]);
  const shownDates = new Set(["planStart", "planEnd", "actualEnd"]);
  const hidden = [
    ...head.fields.filter(({ key }) => !shownFields.has(key)).map(({ key }) => key),
    ...head.activityColumns.filter(({ key }) => !shownDates.has(key)).map(({ key }) => `*:${key}`),
    ...head.attributes.slice(35).map(({ key }) => key),
  ];
  const folded = head.activities.slice(20).map(({ activityId }) => `activity:${activityId}`);
  await call("wbs/saveHomePage", { state: { hidden, folded, locked: ["code", "name", "status"], widths: {} } });
}

/** Opening and scrolling the plan of 10,000 DUs × 200 columns in Chromium, against a plain page of recycled cells over the same data. */
export async function benchGrid(installation: Installation): Promise<void> {
  await wideView(installation);
  const plain = await startPlainPage(installation.sql, installation.projectId);
  const browser = await openBrowser();
  try {
    const page = await signedIn(browser, installation);
    const other = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.addInitScript(watchFirstCell);
    await other.addInitScript(watchFirstCell);
    const grid = `${installation.address}/LARGE`;
    const firsts: { product: Opened[]; bare: Opened[] } = { product: [], bare: [] };
    for (let run = -2; run < opens; run++) {
      // What either page still reads behind its first cells would run beside the other.
      const product = await firstCells(page, grid);
      await page.waitForLoadState("networkidle");
      const bare = await firstCells(other, plain.address);
      await other.waitForSelector("body[data-loaded=all]");
      if (run < 0) continue;
      firsts.product.push(product);
      firsts.bare.push(bare);
    }
    const middle = (moment: keyof Opened, of: Opened[]) => median(of.map((opened) => opened[moment]));
    line("grid 10,000 × 200, first cells", middle("shown", firsts.product), middle("shown", firsts.bare), "ms", "≤ 1.5");
    line("grid 10,000 × 200, cells can be used", middle("usable", firsts.product), middle("usable", firsts.bare), "ms", "-");
    await page.close();
    await other.close();
    /** Passes of both ways, in pages of their own: what the openings before left in theirs would be tidied up beside the scrolling. */
    const scrollPages = async <P extends InTurn<Scroll>>(
      looking: boolean,
      run: (product: Work<Scroll>, bare: Work<Scroll>) => Promise<P>,
    ) => {
      const product = await page.context().newPage();
      const bare = await browser.newPage({ viewport: { width: 1440, height: 900 } });
      const open = async () => {
        await product.goto(grid);
        await product.waitForLoadState("networkidle");
      };
      await open();
      await bare.goto(plain.address);
      await bare.waitForSelector("body[data-loaded=all]");
      const through = (axis: "x" | "y") => {
        const scroll = async (of: Page, pass: number): Promise<Scroll> => {
          const from = axis === "y" ? (pass % passesPerOpening) * frames * pixelsPerFrame : 0;
          await of.bringToFront();
          return of.evaluate(scrollThrough, { axis, from, step: pixelsPerFrame, count: frames, looking });
        };
        return run(
          async (pass) => {
            // Rows read before would not be read again.
            if (pass > 0 && pass % passesPerOpening === 0) await open();
            return scroll(product, pass);
          },
          (pass) => scroll(bare, pass),
        );
      };
      const scrolls = { y: await through("y"), x: await through("x") };
      await product.close();
      await bare.close();
      return scrolls;
    };
    // Looking takes time that would be measured.
    const [timed, looked] = await serverAside(
      installation,
      async () =>
        [await scrollPages(false, quietPasses), await scrollPages(true, (...works) => inTurn(passesPerOpening, ...works))] as const,
    );
    for (const axis of ["y", "x"] as const) {
      const way = axis === "y" ? "down" : "across";
      frameLines(`grid ${way}`, timed[axis]);
      const { product, bare } = looked[axis];
      const unfilled = (of: Scroll[]) => of.reduce((sum, scroll) => sum + scroll.unfilled, 0);
      line(`grid ${way}, unfilled cells in ${product.length * frames} frames`, unfilled(product), unfilled(bare), "", "0");
    }
  } finally {
    await browser.close();
    plain.close();
  }
}
