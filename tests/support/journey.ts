import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { run } from "axe-core";
import type { Browser, BrowserContext, Page, Request } from "playwright";
import { afterAll, beforeAll, expect } from "vitest";
import { connect, type Pool } from "#db/client.ts";
import { demoAccounts, demoPassword } from "#db/seed/accounts.ts";
import { type Locale, localeCookie } from "#lib/core/locale.ts";
import { sessionCookie } from "./browser-session.ts";
import { openBrowser } from "./chromium.ts";
import { ownLane } from "./lane.ts";

/** The shared installation as a browser suite sees it. */
export type Journey = { browser: Browser; base: string; owner: Pool };

/** Opens one browser for the suite, and the owner's login to prepare and look behind the screens. */
export function useJourney(): Journey {
  const journey = {} as Journey;
  beforeAll(async () => {
    const lane = ownLane();
    journey.base = lane.baseUrl;
    journey.owner = connect(lane.ownerUrl, 2);
    journey.browser = await openBrowser();
  });
  afterAll(async () => {
    await journey.browser?.close();
    await journey.owner?.end({ timeout: 2 });
  });
  return journey;
}

/** Every language, and both skins among them. */
export const languageCases = [
  { lang: "zh", skin: "dark" },
  { lang: "en", skin: "light" },
  { lang: "ja", skin: "dark" },
] as const;

/** An empty project in which the demo accounts hold their roles. */
export async function makeJourneyProject(owner: Pool, number: string): Promise<number> {
  const [project] = await owner<{ id: number }[]>`
    insert into project (number, name, country, hosting_country, datacenter) values (${number}, ${`Journey ${number}`}, 'CN', 'CN', 'dc-1') returning id`;
  await owner`insert into plan_seq (project_id) values (${project!.id})`;
  for (const { account, role } of demoAccounts)
    await owner`
      insert into project_member (project_id, user_id, role, valid_from, granted_at)
      select ${project!.id}, id, ${role}, current_date - 30, now() from app_user where account = ${account}`;
  await owner`
    insert into resource (project_id, user_id, type)
    select ${project!.id}, id, case kind when 'subcontractor' then 'SUBCONTRACT' when 'customer' then 'CUSTOMER' else 'OWN' end
    from app_user where account = any(${demoAccounts.map(({ account }) => account)})`;
  return project!.id;
}

export type Visitor = {
  context: BrowserContext;
  page: Page;
  /** What the browser complained about: page errors, console errors, violations of the content security policy. */
  complaints: string[];
};

/** Requests of a page that have no answer yet. */
const waitedFor = new WeakMap<Page, Set<Request>>();

/** What has no end, or none that is told: the stream of events, and what the worker of a map asks for, which may be ended with its map. */
const isEndless = (request: Request) =>
  request.resourceType() === "eventsource" || request.url().startsWith("blob:") || new URL(request.url()).pathname.startsWith("/maplibre/");

type Visit = { lang?: Locale; skin?: "dark" | "light"; to?: string; width?: number; height?: number };

/** A browser context of its own in a language and a skin, with a page whose complaints are kept. */
async function openContext(
  { browser, base }: Journey,
  { lang = "zh", skin = "dark", width = 1440, height = 900 }: Visit,
): Promise<Visitor> {
  const context = await browser.newContext({ viewport: { width, height }, acceptDownloads: true });
  await context.addCookies([
    { name: "skin", value: skin, url: base },
    { name: localeCookie, value: lang, url: base },
  ]);
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: base });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const open = new Set<Request>();
  waitedFor.set(page, open);
  page.on("request", (request) => {
    // What a page had asked for when it is left has no answer any more, and its end is not always told.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) open.clear();
    if (!isEndless(request)) open.add(request);
  });
  page.on("requestfinished", (request) => open.delete(request));
  page.on("requestfailed", (request) => open.delete(request));
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    // A refused call is an answer, not a fault of the page; what the map says of its layers is one, though it is no error to it.
    const isFault =
      message.type() === "error" ? !message.text().startsWith("Failed to load resource") : message.text().startsWith("layers[");
    if (isFault) complaints.push(message.text());
  });
  return { context, page, complaints };
}

/** A visitor whose session is open already, at the page asked for. */
export async function signIn(journey: Journey, account: string, options: Visit = {}): Promise<Visitor> {
  const visitor = await openContext(journey, options);
  const [user] = await journey.owner<{ id: number }[]>`select id from app_user where account = ${account}`;
  const [name, value] = (await sessionCookie(journey.owner, user!.id, ownLane().authSecret)).split("=", 2);
  await visitor.context.addCookies([{ name: name!, value: value!, url: journey.base }]);
  await visitor.page.goto(`${journey.base}${options.to ?? "/"}`);
  return visitor;
}

/** A visitor who signs in as people do, with account and password. */
export async function signInByForm(journey: Journey, account: string, options: Visit = {}): Promise<Visitor> {
  // Journeys sign in more often than a person may.
  await journey.owner`delete from rate_limit where bucket like 'sign-in%'`;
  const visitor = await openContext(journey, options);
  const { page } = visitor;
  await page.goto(`${journey.base}/sign-in?to=${encodeURIComponent(options.to ?? "/")}`);
  await page.locator("input[name=account]").fill(account);
  await page.locator("input[type=password]").fill(demoPassword);
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => !url.pathname.startsWith("/sign-in"));
  return visitor;
}

/** Waits until a page of a project answers keys and clicks: its shell then listens itself. */
export async function alive(page: Page): Promise<void> {
  await page.waitForFunction(() => globalThis.milepostHash === undefined);
}

const settleMs = 30_000;

/** Waits until a page has what it asked for: nothing that has an end has been on its way for a moment. */
export async function settled(page: Page): Promise<void> {
  const open = waitedFor.get(page)!;
  const until = performance.now() + settleMs;
  for (let quiet = 0; quiet < 3; quiet = open.size === 0 ? quiet + 1 : 0) {
    if (performance.now() > until) throw new Error(`still on its way: ${[...open].map((request) => request.url()).join(" ")}`);
    await page.waitForTimeout(50);
  }
}

declare global {
  var axe: { run: typeof run };
}

const axeProgram = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Rules of axe that look at colours: all a page can break anew when nothing but its skin changes. */
const colourRules = ["color-contrast", "link-in-text-block"];
const accessibleTags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/**
 * Fails with every rule of axe the page breaks, each with its first element. What is fading in or out has no colours yet: what fades is waited for, and nothing fades while axe looks.
 * What has been scrolled to is drawn with elements a moment later.
 * @param looksAt all rules, or only those of colours, for a page looked at in its other skin already
 */
export async function expectAccessible(page: Page, looksAt: "everything" | "colours" = "everything"): Promise<void> {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.waitForFunction(
    () =>
      document
        .getAnimations()
        .every(({ playState, effect }) => playState !== "running" || effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY) &&
      [...document.querySelectorAll("[role=grid] canvas, [role=treegrid] canvas")].every((canvas) => canvas.getClientRects().length === 0),
  );
  // A document keeps the program for the next look; its frames would need their own, but pages have none.
  if (await page.evaluate(() => typeof axe === "undefined")) await page.evaluate(axeProgram);
  const violations = await page.evaluate(
    // What is right is not written down: it would take longer than looking.
    async (runOnly) => {
      const found = await axe.run({ runOnly, resultTypes: ["violations"] });
      return found.violations.map(
        ({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)} (${nodes.length}) ${nodes[0]?.failureSummary?.slice(0, 300)}`,
      );
    },
    looksAt === "colours" ? colourRules : accessibleTags,
  );
  await page.emulateMedia({ reducedMotion: null });
  expect(violations).toEqual([]);
}

const folder = join(import.meta.dirname, "../../docs/screenshots");

/** Keeps a picture of the page for the reader of the docs when `SCREENSHOTS=1`; otherwise only makes it, so that the step is the same. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env.SCREENSHOTS !== "1") return void (await page.screenshot());
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
