import { readdirSync } from "node:fs";
import { constants, setPriority } from "node:os";
import type { Browser, Page } from "playwright";
import type { Sql } from "#db/client.ts";
import { openBrowser } from "../support/chromium.ts";
import { signedIn } from "./grid.ts";
import { type Installation, prepared } from "./installation.ts";
import { startPlainMap } from "./map-plain-page.ts";
import { line, median } from "./measure.ts";
import { besideQuiet } from "./quiet.ts";
import { serverAside } from "./stand-aside.ts";

const dus = 80_000;
const activities = 10;
const opens = { wanted: 5, most: 10 };
/** Times its work that the library's longest task may take by the clock. */
const heldUp = 1.15;
/**
 * A browser composes a page with the machine's GPU; without one every frame of the map is read back into memory, and the page's thread waits for it. These
 * make it compose as if it had one, whose work is done by the processor.
 */
const composing = ["--use-gl=angle", "--use-angle=swiftshader", "--ignore-gpu-blocklist", "--enable-gpu-rasterization"];
const number = "MAPS";

/**
 * A GPU takes no core from the page: what stands for it gets what the page leaves. The browser would let it go first, as what only hands work to a GPU.
 * Threads it starts later have the priority of those that start them.
 */
async function yieldToPages(browser: Browser): Promise<void> {
  // Elsewhere a GPU is there.
  if (process.platform !== "linux") return;
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  for (const { id } of processInfo.filter(({ type }) => type === "GPU"))
    for (const thread of readdirSync(`/proc/${id}/task`)) setPriority(Number(thread), constants.priority.PRIORITY_LOW);
}

/** A project of its own: 80,000 DUs around twenty towns, on a flow of ten activities. */
async function makeMapProject(sql: Sql): Promise<number> {
  const [known] = await sql<{ id: number }[]>`select id from project where number = ${number}`;
  if (known) return known.id;
  const [project] = await sql<{ id: number }[]>`
    insert into project (number, name, country, hosting_country, datacenter) values (${number}, 'Map of 80,000', 'CN', 'CN', 'dc-1') returning id`;
  const id = project!.id;
  await sql`insert into plan_seq (project_id) values (${id})`;
  await sql`insert into project_member (project_id, user_id, role, valid_from, granted_at) select ${id}, u.id, 'PM', current_date - 30, now() from app_user u where account = 'pm'`;
  await sql`
    insert into activity_library (project_id, slot, code, name) select ${id}, n, 'A' || n, 'Activity ' || n from generate_series(1, ${activities}) n`;
  const [flow] = await sql<{ id: number }[]>`
    insert into activity_flow (project_id, name, status, version, owner_id, created_by, created_at, updated_by, updated_at)
    select ${id}, 'Ten', 'released', 1, id, id, now(), id, now() from app_user where account = 'pm' returning id`;
  await sql`
    insert into flow_activity (flow_id, activity_id, name, seq, is_anchor)
    select ${flow!.id}, l.id, l.name, l.slot, l.slot = 1 from activity_library l where l.project_id = ${id}`;
  await sql`
    insert into customer_site (project_id, code, name, longitude, latitude)
    select ${id}, 'S' || n, 'Site ' || n, 104 + (n % 5) * 3.5 + (random() + random() - 1) * 1.6, 23 + (n / 5 % 4) * 4 + (random() + random() - 1) * 1.6
    from generate_series(1, ${dus}) n`;
  await sql`insert into du (project_id, code, name, site_id) select ${id}, 'D' || code, name, id from customer_site where project_id = ${id}`;
  // Each plan: activities ten days apart around today, those before it done but for every fifth DU.
  await sql`
    insert into du_plan (du_id, project_id, plan_start, plan_end, actual_start, actual_end, state, last_plan_end, next_plan_end, done_count, applicable_count)
    select d.id, ${id}, e.ends, e.ends, a.done, a.done, array_fill(1, array[${activities}::int]), e.ends[${activities}::int], coalesce(e.ends[a.count + 1], 0), a.count, ${activities}
    from du d cross join lateral (select (current_date - date '2000-01-01')::int - (d.id % 100)::int as first) f
    cross join lateral (select array_agg((f.first + n * 10)::smallint order by n) as ends from generate_series(1, ${activities}) n) e
    cross join lateral (select least(${activities}, (d.id % 100)::int / 10 - case when d.id % 5 = 0 and d.id % 100 >= 10 then 1 else 0 end) as count) c
    cross join lateral (select c.count, array_agg(case when n <= c.count then e.ends[n] else 0::smallint end order by n) as done from generate_series(1, ${activities}) n) a
    where d.project_id = ${id}`;
  await sql`
    insert into du_flow (project_id, du_id, flow_id, flow_version, source, bound_at) select ${id}, id, ${flow!.id}, 1, 'manual', now() from du where project_id = ${id}`;
  await sql`analyze`;
  // What the worker does for 80,000 rows that are new would run beside the map.
  await prepared(sql, id);
  return id;
}

/** Notes when the map was first drawn with its points, and every task of the page's thread above 50 ms. Runs in the page before anything else. */
function watchMap(): void {
  const marks = window as unknown as { firstClusters?: number; tasks: number[] };
  marks.tasks = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) marks.tasks.push(duration);
  }).observe({ type: "longtask", buffered: true });
  const look = () => {
    if (document.querySelector("[data-drawn=true]")) marks.firstClusters = performance.now();
    else requestAnimationFrame(look);
  };
  look();
}

type Marks = { first: number; tasks: number[] };

/**
 * Leaves a map for a picture of the same server until all the map had is given back: a second after it was left the page's thread waits for the drawing threads,
 * up to a second long, which would else be in the midst of the next opening.
 */
async function leaveMap(page: Page, address: string): Promise<void> {
  // A page behind another draws a frame now and then only.
  await page.bringToFront();
  await page.goto(new URL("/icon.svg", address).href);
  await page.waitForTimeout(1_100);
  // Answered by the thread that waits.
  await page.evaluate(() => {});
}

async function openMap(page: Page, address: string): Promise<Marks> {
  await page.goto(address);
  await page.waitForFunction(() => "firstClusters" in window, undefined, { timeout: 60_000 });
  return page.evaluate(() => {
    const marks = window as unknown as { firstClusters: number; tasks: number[] };
    return { first: marks.firstClusters, tasks: marks.tasks };
  });
}

type TraceEvent = { name: string; ph: string; pid: number; tid: number; tdur?: number; args: { name?: string } };

/**
 * Opens the map once more and gives the longest task of the page's thread by the time it worked, in ms. A task of the clock also holds what others took of the
 * machine's cores meanwhile: the worker that finds the clusters, the drawing of what a GPU would draw.
 */
async function longestWork(browser: Browser, page: Page, address: string): Promise<number> {
  await leaveMap(page, address);
  await browser.startTracing(page, { categories: ["toplevel"] });
  await openMap(page, address);
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const threads = traceEvents.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain");
  const tasks = traceEvents.filter(
    ({ ph, pid, tid, tdur }) => ph === "X" && tdur !== undefined && threads.some((thread) => thread.pid === pid && thread.tid === tid),
  );
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1_000;
}

type Moves = { frames: number[]; tasks: number[] };

/** Drags and zooms as a hand would, and notes every frame. */
async function move(page: Page): Promise<Moves> {
  await page.bringToFront();
  const box = (await page.locator("canvas").first().boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.waitForTimeout(500);
  await page.evaluate(() => {
    const marks = window as unknown as { tasks: number[]; frames: number[]; stop: boolean };
    Object.assign(marks, { tasks: [], frames: [], stop: false });
    let before = performance.now();
    const tick = (now: number) => {
      marks.frames.push(now - before);
      before = now;
      if (!marks.stop) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
  await page.mouse.move(x, y);
  for (const [dx, dy] of [
    [-240, -120],
    [240, 120],
  ] as const) {
    await page.mouse.down();
    await page.mouse.move(x + dx, y + dy, { steps: 20 });
    await page.mouse.up();
    await page.mouse.move(x, y);
    await page.waitForTimeout(300);
  }
  for (const step of [-240, -240, -240, -240, 240, 240, 240, 240]) {
    await page.mouse.wheel(0, step);
    await page.waitForTimeout(250);
  }
  await page.waitForTimeout(500);
  return page.evaluate(() => {
    const marks = window as unknown as { tasks: number[]; frames: number[]; stop: boolean };
    marks.stop = true;
    // The first frame began before anything moved.
    return { frames: marks.frames.slice(1), tasks: marks.tasks };
  });
}

/** 80,000 points to their first clusters, panned and zoomed, against the library alone with the same points in the same browser. [RPL-04] */
export async function benchMap(installation: Installation): Promise<void> {
  const projectId = await makeMapProject(installation.sql);
  await serverAside(installation, () => measureMap(installation, projectId));
}

const longest = (all: { tasks: number[] }[]) => Math.max(0, ...all.flatMap(({ tasks }) => tasks));

async function measureMap(installation: Installation, projectId: number): Promise<void> {
  const plain = await startPlainMap(installation.sql, projectId);
  const browser = await openBrowser(composing);
  try {
    await yieldToPages(browser);
    const page = await signedIn(browser, installation);
    const other = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.addInitScript(watchMap);
    await other.addInitScript(watchMap);
    const address = `${installation.address}/${number}/rollout-plan/map`;
    const openProduct = async () => {
      await leaveMap(page, address);
      return openMap(page, address);
    };
    const openBare = async () => {
      await leaveMap(other, plain.address);
      return openMap(other, plain.address);
    };
    console.log(`map, opened for the first time: ${(await openProduct()).first.toFixed(0)} ms`);
    await openBare();
    const work: { product: number[]; bare: number[] } = { product: [], bare: [] };
    for (let run = 0; run < opens.wanted; run++) {
      work.product.push(await longestWork(browser, page, address));
      work.bare.push(await longestWork(browser, other, plain.address));
    }
    const isQuiet = (marks: Marks) => longest([marks]) <= median(work.bare) * heldUp;
    const { product, bare, told } = await besideQuiet(openProduct, openBare, isQuiet, opens);
    console.log(`map, openings: ${told}`);
    const firsts = (all: Marks[]) => median(all.map(({ first }) => first));
    line(`map, ${dus} points to first clusters`, firsts(product), firsts(bare), "ms", "≤ 1.5");
    line("map, longest task until then (0: none > 50)", longest(product), longest(bare), "ms", "none > 50 ms");
    line("map, longest task by the work of the page's thread", Math.max(...work.product), Math.max(...work.bare), "ms", "none > 50 ms");
    const moves: { product: Moves[]; bare: Moves[] } = { product: [], bare: [] };
    for (let run = 0; run < 3; run++) {
      moves.product.push(await move(page));
      moves.bare.push(await move(other));
    }
    const worst = (all: Moves[]) => median(all.map(({ frames }) => Math.max(...frames)));
    line("map, pan and zoom, longest frame", worst(moves.product), worst(moves.bare), "ms", "≤ 1.5");
    line("map, pan and zoom, longest task (0: none > 50)", longest(moves.product), longest(moves.bare), "ms", "none > 50 ms");
  } finally {
    await browser.close();
    plain.close();
  }
}
