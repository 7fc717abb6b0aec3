import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createTranslator } from "use-intl/core";
import { describe, expect, test } from "vitest";
import { menuNameChars, menuOf } from "#components/shell/menu-model.ts";
import { hrefOf, matchHash, titleValues } from "#lib/core/hash.ts";
import { classicHref, screenOfAddress } from "#lib/core/href.ts";
import { type Locale, locales } from "#lib/core/locale.ts";
import type { Messages } from "#lib/core/message-tree.ts";
import { loadMessages } from "#lib/core/messages.ts";
import { importKindNames, importKinds } from "#lib/imports/limits.ts";
import { menuGroups, type Screen, type ScreenKey, screenOf, screens, trailOf } from "#lib/screens.ts";
import { filesBelow, readSource, root } from "#tests/support/source-files.ts";

/** The original routes: path, titles in three languages, parent, area; rows after the first 131 are workspace pages and proposed ones. */
const routes = readSource("tests/support/routes.tsv")
  .trimEnd()
  .split("\n")
  .slice(1)
  .map((line) => {
    const [path = "", en = "", zh = "", ja = "", parent = "", area = ""] = line.split("\t");
    return { path, titles: { en, zh, ja }, parent, area };
  });
const originals = 131;

/** The areas of the product behind the short names of routes.tsv. */
const areas: Record<string, string[]> = {
  APR: ["approvers"],
  ATT: ["attributes"],
  AUT: ["plan-automation"],
  B2B: ["b2b"],
  CHK: ["check-items"],
  CON: ["construction"],
  DEP: ["dependency-rules"],
  DOC: ["documents"],
  DUT: ["du-tabs"],
  ENG: ["planning-engine"],
  EQP: ["equipment"],
  ETM: ["etm"],
  FLW: ["activity-flows"],
  HND: ["account-handover"],
  ISS: ["issues"],
  LOG: ["logs"],
  MDV: ["dimension-views", "milestones"],
  MRQ: ["material-requests"],
  NRO: ["work-hour-baselines"],
  OPS: ["settings", "tasks"],
  OWN: ["owners"],
  PRM: ["access"],
  PRP: ["purchase-requests"],
  REG: ["regions"],
  REM: ["reminders"],
  RES: ["resources"],
  REV: ["revenue"],
  RPL: ["rollout-plan"],
  RPT: ["reports"],
  RTE: ["session"],
  RUL: ["plan-rules"],
  SCH: ["scheduling"],
  SES: ["session"],
  SIM: ["simulation"],
  SLA: ["sla-templates"],
  SWI: ["etm-settings"],
  TPL: ["templates"],
  VER: ["plan-versions"],
  WOR: ["work-orders"],
};

const bySuffix = (query = "") => titleValues(new URLSearchParams(query));

function titleOf(locale: Locale, key: ScreenKey, query = ""): string {
  const messages = loadMessages(locale).screens as Record<string, string>;
  const translate = createTranslator({ locale, messages }) as unknown as (name: string, values: object) => string;
  return translate(key, bySuffix(query));
}

/** The title routes.tsv gives, for an address without delivery type and period. */
function expectedTitle(locale: Locale, title: string): string {
  const week = { en: "Weekly", zh: "周", ja: "週次" };
  return title.replace("{deliveryType}", "").replace("{period}", week[locale]);
}

function withValues(route: string): string {
  return route.replace(/:(\w+)/g, (_, name: string) => `${name}-Value 1`);
}

/** The screen that opens when a browser at `/P100` is sent to a hash route. */
function opened(route: string, query = "x=y"): { address: string; screen: Screen; params: Record<string, string> } {
  const match = matchHash(`#${encodeURI(withValues(route))}?${query}`);
  const address = match && hrefOf(match, { pathname: "/P100", search: "" });
  if (!address) throw new Error(`${route} opens nothing`);
  const url = new URL(address, "http://localhost");
  const found = screenOfAddress(url.pathname);
  if (!found) throw new Error(`${route} leads to ${address}, which is no screen`);
  return { address: `${url.pathname}${url.search}`, ...found };
}

describe("original routes", () => {
  test("all of them are in lib/screens.ts, once", () => {
    const hashes = screens.flatMap((screen) => screen.hash ?? []);
    expect(hashes.toSorted()).toEqual(routes.map((route) => route.path).toSorted());
    expect(new Set(hashes.map((hash) => hash.toLowerCase().replace(/:\w+/g, ":"))).size).toBe(hashes.length);
  });

  test.each(routes.map((route) => route.path))("%s opens its screen with parameters and query kept [RTE-01]", (route) => {
    const own = screens.find((screen) => screen.hash === route)!;
    const target = own.redirect
      ? screenOf(own.redirect.to)
      : own.aliasOf && screenOf(own.aliasOf).path === own.path
        ? screenOf(own.aliasOf)
        : own;
    const { address, screen, params } = opened(route);
    expect(screen.key).toBe(target.key);
    expect(new URL(address, "http://localhost").searchParams.get("x")).toBe("y");
    expect(params).toEqual(Object.fromEntries(target.params.map((name) => [name, `${name}-Value 1`])));
  });

  test.each(
    routes.slice(0, originals).map((route) => [route.path, route] as const),
  )("%s has the area, the title and the parent it always had [RTE-07]", (path, route) => {
    const own = screens.find((screen) => screen.hash === path)!;
    const { screen } = opened(path);
    expect(areas[route.area]).toContain(own.area);
    expect(areas[route.area]).toContain(screen.area);
    for (const locale of locales) {
      expect(titleOf(locale, own.key)).toBe(expectedTitle(locale, route.titles[locale]));
      // A redirect shows the title of where it leads.
      if (!own.redirect) expect(titleOf(locale, screen.key)).toBe(expectedTitle(locale, route.titles[locale]));
    }
    expect(own.parent ? screenOf(own.parent).hash : "").toBe(route.parent);
  });

  test("workspace pages and proposed routes keep their areas, titles and parents too", () => {
    for (const route of routes.slice(originals)) {
      const own = screens.find((screen) => screen.hash === route.path)!;
      expect(areas[route.area], route.path).toContain(own.area);
      for (const locale of locales) expect(titleOf(locale, own.key), route.path).toBe(expectedTitle(locale, route.titles[locale]));
      expect(own.parent ? screenOf(own.parent).hash : "", route.path).toBe(route.parent);
    }
  });

  test("the links of messages lead to their screens [RTE-11]", () => {
    const links: Record<string, ScreenKey> = {
      "/config/task/listimport": "imports",
      "/config/task/listexport": "exports",
      "/config/approval": "activityApproval",
      "/config/project/memberRole": "members",
      "/smartOrder/prePr": "smartOrders",
      "/etmAccountTransfer": "accountHandovers",
    };
    for (const [route, key] of Object.entries(links)) expect(opened(route).screen.key).toBe(key);
  });

  test("a classic link leads back to the address it was copied from", () => {
    for (const screen of screens) {
      if (screen.hash === null || screen.redirect || screen.aliasOf) continue;
      const params = Object.fromEntries(screen.params.map((name) => [name, `${name}/1 ü`]));
      const classic = classicHref(screen, params, new URLSearchParams("a=1&b=%2F"), "P100")!;
      const url = new URL(classic, "http://localhost");
      const match = matchHash(url.hash)!;
      expect(match.params, screen.key).toEqual(params);
      expect(hrefOf(match, url)?.split("?")[1], screen.key).toBe("a=1&b=%2F");
      expect(match.screen).toBe(screen.key);
    }
  });
});

describe("screens", () => {
  test("every record has a path of its own, an area, titles in three languages, a right and a parent that leads to the root [RTE-06]", () => {
    const paths = screens
      .filter((screen) => !(screen.aliasOf && screenOf(screen.aliasOf).path === screen.path))
      .map((screen) => screen.path);
    expect(new Set(paths.map((path) => path.replace(/:\w+/g, ":"))).size).toBe(paths.length);
    for (const screen of screens) {
      expect(screen.area, screen.key).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(screen.path, screen.key).toMatch(/^([a-z0-9-]+(\/(:[A-Za-z]+|[a-z0-9-]+))*)?$/);
      for (const locale of locales)
        expect((loadMessages(locale).screens as Messages)[screen.key], `messages/${locale}/screens.json lacks ${screen.key}`).toBeTruthy();
      expect(trailOf(screen.key)[0]?.key, screen.key).toBe("rolloutPlan");
    }
  });

  test.each(importKindNames)("the screen of the import %s opens it, with a file that was checked before", (kind) => {
    const page = readSource(join("app/[projectNumber]", screenOf(importKinds[kind].screen).path, "page.tsx"));
    expect(page).toMatch(new RegExp(`kind [!=]== "${kind}"`));
    expect(page).toMatch(/<ImportWizard\s[^>]*\btask=\{task\}/);
  });

  test("the breadcrumb is the chain of parents in the language of the page [RTE-02, SES-01]", () => {
    const trail = (locale: Locale) => trailOf("checkItems").map((screen) => titleOf(locale, screen.key));
    expect(trail("zh")).toEqual(["交付计划", "工程移交维护", "ETM配置项", "工程移交检查项"]);
    expect(trail("en")).toEqual(["Rollout Plan", "ETM Handover", "ETM Configuration Items", "ETM Check Items"]);
    expect(trail("ja")).toEqual(["ロールアウト計画", "ETM引き渡し", "ETM設定項目", "ETMチェック項目"]);
  });

  test.each([
    "/duChange",
    "/approveDuChange",
    "/submitDuChange",
  ])("the title of %s shows the delivery type as plain text [RTE-08]", (route) => {
    const { screen } = opened(route);
    for (const locale of locales) {
      const bare = titleOf(locale, screen.key);
      expect(titleOf(locale, screen.key, "deliveryType=FTTH%20<b>")).toBe(`${bare} - FTTH <b>`);
      expect(titleOf(locale, screen.key, `deliveryType=${"x".repeat(61)}`)).toBe(`${bare} - ${"x".repeat(60)}`);
    }
  });

  test("the period of the cycle report picks the word of its title; anything else is the week", () => {
    const titles = (locale: Locale) =>
      ["day", "week", "month", "year", ""].map((period) => titleOf(locale, "multiMilestoneReport", `period=${period}`));
    const weekly = "Multi-Milestone Weekly Report";
    expect(titles("en")).toEqual(["Multi-Milestone Daily Report", weekly, "Multi-Milestone Monthly Report", weekly, weekly]);
    expect(titles("zh").slice(0, 3)).toEqual(["多里程碑日报表", "多里程碑周报表", "多里程碑月报表"]);
    expect(titles("ja").slice(0, 3)).toEqual([
      "マルチマイルストーン日次レポート",
      "マルチマイルストーン週次レポート",
      "マルチマイルストーン月次レポート",
    ]);
  });

  test("redirects and aliases lead to real screens, directly", () => {
    for (const screen of screens) {
      if (screen.redirect) expect(screenOf(screen.redirect.to).redirect, screen.key).toBeUndefined();
      if (screen.aliasOf) expect(screenOf(screen.aliasOf).aliasOf, screen.key).toBeUndefined();
    }
  });
});

describe("menu", () => {
  test("every name has at most 40 characters in every language [RTE-05]", () => {
    const names = locales.flatMap((locale) => {
      const menu = (loadMessages(locale).shell as Messages).menu as Record<string, string>;
      const groups = menuGroups.map((group) => [`${locale} group ${group}`, menu[group] ?? ""] as const);
      const entries = screens
        .filter((screen) => screen.menu)
        .map((screen) => [`${locale} ${screen.key}`, titleOf(locale, screen.key)] as const);
      return [...groups, ...entries];
    });
    expect(names.filter(([, name]) => !name || [...name].length > 40)).toEqual([]);
    expect(menuNameChars).toBe(40);
  });

  test("its entries are the screens that name a group, in that group [RTE-06]", () => {
    const entries = menuOf(() => true, "BR").flatMap(({ group, screens: own }) => own.map(({ key }) => `${group} ${key}`));
    expect(entries.toSorted()).toEqual(screens.flatMap(({ menu, key }) => (menu ? [`${menu} ${key}`] : [])).toSorted());
  });

  test("somebody with every right sees all twelve groups; nobody's right, no entry; an empty group vanishes [SES-01]", () => {
    expect(menuOf(() => true, "CN").map((entry) => entry.group)).toEqual([...menuGroups]);
    const few = menuOf((code) => code === "flow.view", "CN");
    expect(few.map((entry) => entry.group)).toEqual(["rolloutPlan", "flows", "tasks"]);
    expect(few.flatMap((entry) => entry.screens).filter((screen) => screen.right !== "member" && screen.right !== "flow.view")).toEqual([]);
  });

  test("RFI reminders are offered to projects in Brazil only [REM-04]", () => {
    const offered = (country: string) => menuOf(() => true, country).flatMap((entry) => entry.screens.map(({ key }) => key));
    expect(offered("BR").filter((key) => !offered("CN").includes(key))).toEqual(["rfiReminders", "rfiExceptionReminders"]);
    expect(hrefOf(matchHash("#/RFIRemindSet")!, { pathname: "/P100", search: "" })).toBe("/P100/reminders/rfi");
  });
});

describe("pages", () => {
  const base = "app/[projectNumber]";
  const pageOf = (screen: Screen) => [base, ...screen.path.split("/").filter(Boolean), "page.tsx"].join("/").replace(/:(\w+)/g, "[$1]");
  const isBuilt = (screen: Screen) => existsSync(join(root, pageOf(screen)));
  const listed = JSON.parse(readSource("scripts/not-built.json")) as string[];

  test("scripts/not-built.json names exactly the screens without a page", () => {
    const missing = screens.filter((screen) => !screen.redirect && !isBuilt(screen)).map((screen) => screen.key);
    expect(
      listed.filter((key) => !missing.includes(key as ScreenKey)),
      "these screens have a page now: take them off scripts/not-built.json",
    ).toEqual([]);
    expect(
      missing.filter((key) => !listed.includes(key)),
      "these screens have no page: build them at the path lib/screens.ts gives",
    ).toEqual([]);
  });

  test("the list of screens not built only shrinks", () => {
    let before: string[];
    try {
      before = JSON.parse(
        execFileSync("git", ["show", "HEAD:scripts/not-built.json"], { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }),
      );
    } catch {
      return; // No history here, nothing to compare with.
    }
    expect(listed.filter((key) => !before.includes(key))).toEqual([]);
  });

  test("every page below a project belongs to a screen", () => {
    const known = new Set([...screens.map(pageOf), `${base}/[...screen]/page.tsx`]);
    const strays = filesBelow(base, /^page\.tsx$/).filter((path) => !known.has(path));
    expect(strays, "add the screen to lib/screens.ts, or move the page to the path it has there").toEqual([]);
  });

  test("addresses of screens are made by href(), never typed", () => {
    const typed = /(?:href|action|push|replace|assign|redirect)\s*(?:=\s*\{?|\()\s*[`"']\/(?!\/|api\/|sign-in|calls|\?|["'`])/;
    const joined = /`\/\$\{(?:encodeURIComponent\()?\w*(?:project|number)\w*\)?\}/i;
    const offenders = ["app", "components", "jobs", "lib"]
      .flatMap((folder) => filesBelow(folder, /\.tsx?$/))
      .filter((path) => !/^lib\/core\/(href|hash)\.ts$/.test(path))
      .flatMap((path) =>
        readSource(path)
          .split("\n")
          .flatMap((line, i) =>
            typed.test(line) || (joined.test(line) && /href|push|replace|assign|redirect/.test(line))
              ? [`${path}:${i + 1} ${line.trim()}`]
              : [],
          ),
      );
    expect(offenders, 'write href("screenKey", { query }, projectNumber), or useHref() in a component').toEqual([]);
  });
});
