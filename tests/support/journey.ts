import { mkdirSync } from "node:fs";
import { join } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import type { Browser, BrowserContext, Page } from "playwright";
import { afterAll, beforeAll, expect } from "vitest";
import { connect, type Pool } from "#db/client.ts";
import { demoAccounts, demoPassword } from "#db/seed/accounts.ts";
import type { Locale } from "#lib/core/locale.ts";
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

/** A signed-in visitor in a browser context of its own. */
export async function signIn(
  { browser, base, owner }: Journey,
  account: string,
  options: { lang?: Locale; skin?: "dark" | "light"; to?: string; width?: number; height?: number } = {},
): Promise<Visitor> {
  const { lang = "zh", skin = "dark", to = "/" } = options;
  // Journeys sign in more often than a person may.
  await owner`delete from rate_limit where bucket like 'sign-in%'`;
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1440, height: options.height ?? 900 },
    acceptDownloads: true,
  });
  await context.addCookies([{ name: "skin", value: skin, url: base }]);
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: base });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    // A refused call is an answer, not a fault of the page.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) complaints.push(message.text());
  });
  await page.goto(`${base}/sign-in?lang=${lang}&to=${encodeURIComponent(to)}`);
  await page.locator("input[name=account]").fill(account);
  await page.locator("input[type=password]").fill(demoPassword);
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => !url.pathname.startsWith("/sign-in"));
  return { context, page, complaints };
}

/** Waits until a page of a project answers keys and clicks: its shell then listens itself. */
export async function alive(page: Page): Promise<void> {
  await page.waitForFunction(() => globalThis.milepostHash === undefined);
}

/** Fails with every rule of axe the page breaks, each with its first element. What is fading in or out has no colours yet: what fades is waited for, and nothing fades while axe looks. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== "running" || effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY),
  );
  const { violations } = await new AxeBuilder({ page } as never)
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
    .analyze();
  await page.emulateMedia({ reducedMotion: null });
  expect(
    violations.map(
      ({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)} (${nodes.length}) ${nodes[0]?.failureSummary?.slice(0, 300)}`,
    ),
  ).toEqual([]);
}

const folder = join(import.meta.dirname, "../../docs/screenshots");

/** Keeps a picture of the page for the reader of the docs when `SCREENSHOTS=1`; otherwise only makes it, so that the step is the same. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env.SCREENSHOTS !== "1") return void (await page.screenshot());
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
