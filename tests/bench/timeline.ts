import type { Page } from "playwright";
import { openBrowser } from "../support/chromium.ts";
import { frameLines, type Pass, quietPasses } from "./frames.ts";
import { signedIn } from "./grid.ts";
import { startPlainPage } from "./grid-plain-page.ts";
import type { Installation } from "./installation.ts";
import { line, pair } from "./measure.ts";
import { serverAside } from "./stand-aside.ts";

const pixelsPerFrame = 400;
const frames = 240;

type Way = { selector: string; axis: "x" | "y"; step: number; count: number };

/** Scrolls a fixed way in every frame, turning at the ends; answers how long each frame took. Runs in the page. */
async function scrollFrames({ selector, axis, step, count }: Way): Promise<Pass> {
  const scroller = document.querySelector<HTMLElement>(selector) as HTMLElement;
  scroller.scrollTop = 0;
  scroller.scrollLeft = 0;
  await new Promise((done) => setTimeout(done, 500));
  const times: number[] = [];
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
    if (place + step * direction >= end) direction = -1;
    else if (place + step * direction <= 0) direction = 1;
    if (axis === "y") scroller.scrollTop += step * direction;
    else scroller.scrollLeft += step * direction;
  }
  return { times };
}

/** Scrolls a view and a plain page of recycled cells in turn, and reports the frames of both. */
async function measure(name: string, page: Page, selector: string, axis: Way["axis"], plain: Page): Promise<void> {
  const scroll = (of: Page, within: string) => async () => {
    await of.bringToFront();
    return of.evaluate(scrollFrames, { selector: within, axis, step: pixelsPerFrame, count: frames });
  };
  const passes = await quietPasses(scroll(page, selector), scroll(plain, "#scroller"));
  frameLines(`${name} ${axis === "y" ? "down" : "across"}`, passes);
}

/** The answer of a board of all DUs, beside the bare reading of the same plan rows activity by activity. */
async function benchAnswer({ call, sql, projectId }: Installation): Promise<void> {
  const { queryId } = await call<{ queryId: string }>("wbs/filter", {});
  const from = new Date().toISOString().slice(0, 10);
  const to = new Date(Date.parse(from) + 91 * 86_400_000).toISOString().slice(0, 10);
  const times = await pair(
    7,
    () => call("rolloutPlan/board", { from, to, groupBy: "owner", queryId }),
    () => sql`
      select u.owner, count(*) from du_plan p cross join lateral unnest(p.plan_start, p.plan_end, p.actual_end, p.state, p.plan_owner) u(s, e, done, state, owner)
      where p.project_id = ${projectId} and u.state & 7 = 1 and coalesce(u.done, 0) = 0 and u.e > 0 group by 1`,
  );
  line("board 92 days, 10,000 DUs, answer", times.product, times.bare, "ms", "-");
}

/** Scrolling the board of 92 days, with cards and with numbers alone, and the Gantt of 200 DUs × 60 activities, beside a plain page of recycled cells. */
export async function benchTimeline(installation: Installation): Promise<void> {
  await benchAnswer(installation);
  await serverAside(installation, () => scrollViews(installation));
}

async function scrollViews(installation: Installation): Promise<void> {
  const plain = await startPlainPage(installation.sql, installation.projectId);
  const browser = await openBrowser();
  try {
    const page = await signedIn(browser, installation);
    const other = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await other.goto(plain.address);
    await other.waitForSelector("body[data-loaded=all]");
    const open = async (view: string, du: string, ready: string) => {
      await page.goto(`${installation.address}/LARGE?view=${view}${du === "" ? "" : `&du=${du}`}`);
      await page.waitForSelector(ready);
    };
    // A hundred DUs: every day has cards. They are read once, on the way there and back.
    await open("board", "DU-000", "[role=grid] [role=gridcell] [role=button][data-key]");
    await page.evaluate(scrollFrames, { selector: "[role=grid]", axis: "x", step: 100, count: frames } satisfies Way as Way);
    await page.waitForTimeout(1_000);
    await measure("board 92 days, cards", page, "[role=grid]", "x", other);
    await measure("board 92 days, cards", page, "[role=grid]", "y", other);
    await open("board", "", "[role=grid] [role=gridcell]:not([hidden])");
    // Until its lanes are counted and drawn.
    await page.waitForTimeout(3_000);
    await measure("board 92 days, 10,000 DUs", page, "[role=grid]", "x", other);
    await open("gantt", "", "[role=treegrid] [role=row][aria-level]");
    await measure("Gantt 200 × 60", page, "[role=treegrid]", "y", other);
    await measure("Gantt 200 × 60", page, "[role=treegrid]", "x", other);
  } finally {
    await browser.close();
    plain.close();
  }
}
