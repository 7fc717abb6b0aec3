import type { Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { demoAccounts } from "#db/seed/accounts.ts";
import { grantsFor } from "#lib/access/logic.ts";
import { type PermissionCode, type Role, roles } from "#lib/permissions.ts";
import { mayOpen, menuGroups, type Screen, screens } from "#lib/screens.ts";
import notBuilt from "#scripts/not-built.json" with { type: "json" };
import { sessionCookie } from "../support/browser-session.ts";
import { makeProject, makeUser } from "../support/factories.ts";
import { expectAccessible, settled, signIn, useJourney } from "../support/journey.ts";
import { ownLane } from "../support/lane.ts";
import { comesWithRow, makeHolder, makeOwned } from "../support/role-holders.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();
const addressed = screens.filter((screen) => !screen.redirect);
const unbuilt = new Set<string>(notBuilt);

/** Address of a screen in a project, with something in the place of each parameter. */
const addressOf = ({ path }: Screen) => `/WALK${path === "" ? "" : "/"}${path.replace(/:\w+/g, "1")}`;

type Opened = "opened" | "refused" | string;

/** Opens an address as a browser does that is sent there. */
async function openPage(path: string, cookie: string): Promise<Opened> {
  const response = await fetch(`${journey.base}${path}`, { headers: { cookie, "accept-encoding": "identity" }, redirect: "manual" });
  await response.arrayBuffer();
  return response.status === 200 ? "opened" : response.status === 403 ? "refused" : `status ${response.status}`;
}

// What an open page of the project says it has already: the server then makes the new screen alone, without document and shell.
const page = ["some-screen", { children: ["__PAGE__", {}] }];
const standing = ["", { children: [["projectNumber", "WALK", "d", null], { children: page }] }, null, null];
const steps = { rsc: "1", "next-router-state-tree": encodeURIComponent(JSON.stringify(standing)), "accept-encoding": "identity" };
// The framework wants the headers' hash in the query, the same for all addresses.
let hash = "";

/** Goes to an address as a link within the application does; refusals come as a row of the answer, not as its status. */
async function followLink(path: string, cookie: string): Promise<Opened> {
  const response = await fetch(`${journey.base}${path}${hash}`, { headers: { cookie, ...steps }, redirect: "manual" });
  const text = await response.text();
  if (response.status !== 200 || !text.includes("$Sreact.fragment")) return `status ${response.status}`;
  const fault = /^\w+:E(\{.*)/m.exec(text)?.[1];
  return fault === undefined ? "opened" : fault.includes("HTTP_ERROR_FALLBACK;403") ? "refused" : fault;
}

/** Who may not enter the project is told so in place of the screen, and learns nothing of it. */
async function openAsStranger(path: string, cookie: string): Promise<Opened> {
  const headers = { cookie: `${cookie}; lang=en`, "accept-encoding": "identity" };
  const text = await (await fetch(`${journey.base}${path}`, { headers, redirect: "manual" })).text();
  return text.includes("You are not authorised for project WALK") && !text.includes(projectName) ? "refused" : "opened";
}

/** Visits the screens, a few at a time; gives those that did not answer as expected. */
async function walk(
  visited: readonly Screen[],
  open: (path: string, cookie: string) => Promise<Opened>,
  cookie: string,
  may: (screen: Screen) => boolean,
): Promise<string[]> {
  const wrong: string[] = [];
  const queue = [...visited];
  const visit = async () => {
    for (let screen = queue.pop(); screen; screen = queue.pop()) {
      const [given, expected] = [await open(addressOf(screen), cookie), may(screen) ? "opened" : "refused"];
      if (given !== expected) wrong.push(`${screen.key} (${addressOf(screen)}): ${given} instead of ${expected}`);
    }
  };
  await Promise.all([visit(), visit(), visit()]);
  return wrong;
}

const mayAs = (held: readonly Role[]) => (screen: Screen) =>
  mayOpen(screen, (code: PermissionCode) => {
    const { all, own } = grantsFor(held, code, new Map());
    return all || own.length > 0;
  });

const cookies = new Map<string, string>();
const projectName = "Name only members read";

beforeAll(async () => {
  const sql = journey.owner;
  const project = await makeProject(sql, { number: "WALK", name: projectName });
  const owned = await makeOwned(sql, project.id);
  const elsewhere = await makeProject(sql, { number: "WALK-ELSEWHERE" });
  const ownedElsewhere = await makeOwned(sql, elsewhere.id);
  const enter = async (name: string, user: { id: number }) => cookies.set(name, await sessionCookie(sql, user.id, ownLane().authSecret));
  for (const role of roles) {
    await enter(role, await makeHolder(sql, project.id, role, owned, `roles-${role}`));
    if (!comesWithRow(role)) continue;
    // The same row in another project, and the same row beside a granted role.
    await enter(`${role} elsewhere`, await makeHolder(sql, elsewhere.id, role, ownedElsewhere, `elsewhere-${role}`));
    const both = await makeHolder(sql, project.id, role, owned, `both-${role}`);
    await sql`insert into project_member (project_id, user_id, role, valid_from, granted_at) values (${project.id}, ${both.id}, 'HRBP', '2026-01-01', now())`;
    await enter(`${role} and HRBP`, both);
  }
  await enter("nobody", await makeUser(sql, { account: "roles-nobody" }));
  const first = await fetch(`${journey.base}/WALK`, { headers: { cookie: cookies.get("PM")!, ...steps }, redirect: "manual" });
  if (first.status === 307) hash = new URL(first.headers.get("location") ?? "", journey.base).search;
});

describe("every screen", () => {
  it.each(roles)("%s reaches exactly those its rights give, by a link [PRM-07]", async (role) => {
    expect(await walk(addressed, followLink, cookies.get(role)!, mayAs([role]))).toEqual([]);
  });

  // A link and an address ask the same gate: two roles of different reach open every address, the others take turns with the built ones.
  it.each(roles.map((role, at) => [role, at] as const))("%s opens exactly those its rights give, by their address", async (role, at) => {
    const built = addressed.filter((screen) => !unbuilt.has(screen.key));
    const visited = role === "PM" || role === "SITE_OWNER" ? addressed : built.filter((_, turn) => turn % 4 === at % 4);
    expect(await walk(visited, openPage, cookies.get(role)!, mayAs([role]))).toEqual([]);
  });

  it.each(roles.filter(comesWithRow))("%s loses them all without the row, and adds them to those of a granted role", async (role) => {
    const built = addressed.filter((screen) => !unbuilt.has(screen.key));
    expect(await walk(addressed, followLink, cookies.get(`${role} elsewhere`)!, () => false)).toEqual([]);
    expect(await walk(built, openAsStranger, cookies.get(`${role} elsewhere`)!, () => false)).toEqual([]);
    expect(await walk(addressed, followLink, cookies.get(`${role} and HRBP`)!, mayAs([role, "HRBP"]))).toEqual([]);
  });

  it("is closed to who has no part in the project", async () => {
    expect(await walk(addressed, followLink, cookies.get("nobody")!, () => false)).toEqual([]);
    expect(await walk(addressed.slice(0, 20), openAsStranger, cookies.get("nobody")!, () => false)).toEqual([]);
  });

  it("sends who is not signed in to sign-in, with the way back", async () => {
    const response = await fetch(`${journey.base}/DEMO/tasks/imports?x=1`, { redirect: "manual" });
    expect([response.status, response.headers.get("location")]).toEqual([
      307,
      expect.stringContaining("/sign-in?to=%2FDEMO%2Ftasks%2Fimports%3Fx%3D1"),
    ]);
  });
});

describe("every built screen", () => {
  const open = addressed.filter(({ key, path, aliasOf }) => !unbuilt.has(key) && !path.includes(":") && aliasOf === undefined);
  const accounts: readonly (typeof demoAccounts)[number]["account"][] = ["pm", "admin", "pd"];
  const accountOf = (screen: Screen) =>
    accounts.find((account) => mayAs([demoAccounts.find((given) => given.account === account)!.role])(screen));

  // Those of the PM are looked at one by one in access.spec.ts.
  it.each(accounts.slice(1))("that %s opens first is accessible in both skins, with the demo project's data", {
    timeout: 300_000,
  }, async (account) => {
    const visited = open.filter((screen) => accountOf(screen) === account);
    const { page, context, complaints } = await signIn(journey, account, { lang: "en", to: "/DEMO" });
    for (const { path } of visited) {
      await page.goto(`${journey.base}/DEMO/${path}`);
      await page.getByRole("main").waitFor();
      await settled(page);
      for (const skin of ["dark", "light"] as const) {
        await page.evaluate((scheme) => document.documentElement.setAttribute("data-mantine-color-scheme", scheme), skin);
        await expectAccessible(page, skin === "dark" ? "everything" : "colours");
      }
    }
    expect(complaints).toEqual([]);
    await context.close();
  });

  // They may do the least, so screens made for others show up here.
  it.each(["subcon", "customer"] as const)("asks nothing that %s, who may open it, is refused", { timeout: 120_000 }, async (account) => {
    const { role } = demoAccounts.find((given) => given.account === account)!;
    const { page, context, complaints } = await signIn(journey, account, { lang: "en", to: "/DEMO" });
    const refused: string[] = [];
    page.on("response", (response) => {
      if (response.status() === 403) refused.push(response.url());
    });
    for (const { path } of open.filter(mayAs([role]))) {
      await page.goto(`${journey.base}/DEMO/${path}`);
      await page.getByRole("main").waitFor();
      await settled(page);
    }
    expect(refused).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("shows who may not open it where to go on, and those open", async () => {
    const { page, context, complaints } = await signIn(journey, "etm", { lang: "en", to: "/DEMO" });
    const ways = page.getByRole("navigation", { name: textsOf("en", "shell")("denied.ways") });
    await ways.waitFor();
    await expectAccessible(page);
    const [own] = demoAccounts.filter(({ account }) => account === "etm");
    const shown = await ways.getByRole("link").evaluateAll((links) => links.map((link) => link.getAttribute("href")!));
    const may = mayAs([own!.role]);
    const groups = menuGroups.filter((group) => screens.some((screen) => screen.menu === group && may(screen)));
    expect(shown).toHaveLength(groups.length);
    const { id } = (await journey.owner<{ id: number }[]>`select id from app_user where account = 'etm'`)[0]!;
    const cookie = await sessionCookie(journey.owner, id, ownLane().authSecret);
    for (const path of shown) expect([path, await openPage(path, cookie)]).toEqual([path, "opened"]);
    // An address nobody knows leads there as well, not to the plan.
    await page.goto(`${journey.base}/DEMO/qwxz`);
    const near = page.getByRole("navigation", { name: textsOf("en", "shell")("notFound.near") }).getByRole("link");
    await near.first().waitFor();
    expect(await near.evaluateAll((links) => links.map((link) => link.getAttribute("href")))).toEqual(shown);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("is opened by one of them", () => expect(open.filter((screen) => !accountOf(screen)).map(({ key }) => key)).toEqual([]));
});

describe("an original address", () => {
  it.each([
    ["/?projectNumber=DEMO#/config/task/listimport?status=failed", "/DEMO/tasks/imports", "status=failed"],
    ["/#/planlog?duId=7", "/DEMO/logs/plan", "duId=7"],
    ["/DEMO#/FLOWCONFIG", "/DEMO/activity-flows", ""],
    ["/DEMO#/newEtmDetail?batch=3", "/DEMO/etm/batch/edit", "batch=3"],
    ["/?projectNumber=DEMO#/planlog?projectNumber=OTHER&duId=7", "/DEMO/logs/plan", "duId=7"],
  ])("%s opens its screen with the query kept [RTE-01]", async (original, path, query) => {
    // At once after the sign-in, while the page is still starting, then in a page of its own, then where a page has long been open.
    const { context, page, complaints } = await signIn(journey, "pm", { lang: "en" });
    const opens = async (at: Page) => {
      await at.goto(`${journey.base}${original}`);
      await at.waitForURL((url) => url.pathname.startsWith(path) && url.hash === "" && url.search.includes(query));
      await at.getByRole("main").waitFor();
    };
    await opens(page);
    await opens(await context.newPage());
    await page.goto(`${journey.base}/DEMO/tasks`);
    // The shell listens itself from the moment it has ended the listening of the head.
    await page.waitForFunction(() => globalThis.milepostHash === undefined);
    await opens(page);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("survives the sign-in", async () => {
    const context = await journey.browser.newContext();
    const page = await context.newPage();
    await page.goto(`${journey.base}/?projectNumber=DEMO#/config/task/listexport?lang=ja`);
    await page.locator("input[name=account]").fill("pm");
    await page.locator("input[type=password]").fill("milepost-demo");
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname === "/DEMO/tasks/exports");
    expect(await page.locator("html").getAttribute("lang")).toBe("ja");
    await context.close();
  });
});
