import type { Page } from "playwright";
import { describe, expect, it } from "vitest";
import { demoPassword } from "#db/seed/accounts.ts";
import { noteAsks } from "../support/asks.ts";
import { alive, expectAccessible, makeJourneyProject, signIn, signInByForm, useJourney } from "../support/journey.ts";
import { Keyboard } from "../support/keyboard.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();

const cookieOf = async (page: Page, name: string) => (await page.context().cookies()).find((cookie) => cookie.name === name);

/** Makes the page ask the server, by the list of tasks in the header, until a dialog stands over it: what was read lately is trusted for some seconds. */
async function askUntil(page: Page, title: string) {
  const dialog = page.getByRole("dialog", { name: title });
  const bell = page.getByRole("button", { name: /^(Background tasks|\d+ tasks? running)$/ });
  await expect
    .poll(
      async () => {
        if ((await dialog.count()) === 0) await bell.click({ timeout: 1_000 }).catch(() => {});
        return dialog.count();
      },
      { timeout: 90_000, interval: 1_000 },
    )
    .toBe(1);
  return dialog;
}

/** The key works once the page is alive; the page may have choices of its own. */
async function openCommandBox(page: Page) {
  await expect
    .poll(async () => {
      await page.keyboard.press("Control+k");
      return page.getByRole("dialog").getByRole("combobox").count();
    })
    .toBe(1);
}

/** The menu of languages opens once the page is alive; gives what it offers. */
async function openLanguages(page: Page): Promise<string[]> {
  const button = page.getByRole("button", { name: "Language EN" });
  const offered = page.getByRole("menuitem");
  await expect
    .poll(async () => {
      if ((await button.getAttribute("aria-expanded")) !== "true") await button.click();
      return offered.count();
    })
    .toBeGreaterThan(0);
  return offered.allInnerTexts();
}

describe("the root", () => {
  it("leads to the same address with the project number added; other values survive [RTE-03]", async () => {
    const { page, context } = await signInByForm(journey, "scheduler", { lang: "en" });
    await page.goto(`${journey.base}/?a=1`);
    expect(new URL(page.url()).pathname).toMatch(/^\/[A-Za-z0-9_-]+$/);
    expect(new URL(page.url()).search).toBe("?a=1");
    await page.goto(`${journey.base}/?projectNumber=DEMO&a=1`);
    await page.waitForURL(`${journey.base}/DEMO?a=1`);
    await context.close();
  });
});

describe("language", () => {
  it("is the address's, else the cookie's, else Chinese; the cookie lives 30 days [SES-04] [SES-05]", async () => {
    const context = await journey.browser.newContext({ locale: "ja-JP" });
    const page = await context.newPage();
    const language = () => page.locator("html").getAttribute("lang");
    await page.goto(`${journey.base}/sign-in`);
    await expect.poll(language).toBe("zh-CN");
    await page.goto(`${journey.base}/sign-in?lang=fr`);
    expect([await language(), await cookieOf(page, "lang")]).toEqual(["zh-CN", undefined]);
    await page.goto(`${journey.base}/sign-in?lang=ja`);
    await expect.poll(language).toBe("ja");
    const cookie = await cookieOf(page, "lang");
    expect(cookie?.value).toBe("ja");
    expect(Math.abs((cookie?.expires ?? 0) - Date.now() / 1000 - 30 * 86_400)).toBeLessThan(60);
    await page.goto(`${journey.base}/sign-in`);
    await expect.poll(language).toBe("ja");
    await page.goto(`${journey.base}/sign-in?lang=en`);
    await expect.poll(language).toBe("en");
    await context.close();
  });

  it("is chosen in the header among Chinese, English and Japanese, and no other [SES-03]", async () => {
    const { page, context } = await signIn(journey, "etm", { lang: "en", to: "/DEMO/tasks" });
    expect(await openLanguages(page)).toEqual(["中文", "English", "日本語"]);
    await context.close();
  });

  it("changes title, breadcrumb and menu at once when it is chosen in the header [RTE-02]", async () => {
    const { page, context, complaints } = await signIn(journey, "etm", { lang: "en", to: "/DEMO/etm/check-items" });
    const trail = page.getByRole("navigation", { name: "パンくずリスト" }).getByRole("listitem");
    await expect.poll(() => page.title()).toBe("ETM Check Items - DEMO");
    await page.getByRole("button", { name: "Language EN" }).click();
    await page.getByRole("menuitem", { name: "日本語" }).click();
    await page.getByRole("heading", { name: "ETMチェック項目", exact: true }).waitFor();
    await expect.poll(() => page.title()).toBe("ETMチェック項目 - DEMO");
    await expect.poll(() => trail.filter({ hasText: "ETM設定項目" }).count()).toBe(1);
    await expect.poll(() => page.locator("html").getAttribute("lang")).toBe("ja");
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("the delivery type stands in the title of the three change screens, and in their breadcrumb's links [RTE-08]", async () => {
    const { page, context } = await signIn(journey, "pm", { lang: "en" });
    for (const [route, title] of [
      ["/duChange", "DU-to-Flow Change - FTTH"],
      ["/approveDuChange", "Approve DU-to-Flow Change - FTTH"],
      ["/submitDuChange", "Submit DU-to-Flow Change - FTTH"],
    ]) {
      await page.goto(`${journey.base}/?projectNumber=DEMO#${route}?deliveryType=FTTH&other=1`);
      await page.waitForURL(/activity-flows\/changes/);
      await page.getByRole("heading", { level: 1, name: title!, exact: true }).waitFor();
      await expect.poll(() => page.title()).toBe(`${title} - DEMO`);
    }
    const link = page.getByRole("navigation").getByRole("link", { name: "DU-to-Flow Change - FTTH" });
    await expect.poll(() => link.getAttribute("href")).toBe("/DEMO/activity-flows/changes?deliveryType=FTTH");
    await context.close();
  });
});

describe("sign-in", () => {
  it("tells who has tried too often that it was too often, not that the password is wrong", async () => {
    const context = await journey.browser.newContext();
    const page = await context.newPage();
    await page.goto(`${journey.base}/sign-in?lang=en`);
    await journey.owner`delete from rate_limit where bucket = 'sign-in:dqa'`;
    const attempt = async () => {
      await page.locator("input[name=account]").fill("dqa");
      await page.locator("input[type=password]").fill("not the password");
      await page.keyboard.press("Enter");
    };
    await attempt();
    await page.getByText(textsOf("en", "errors")("SIGN_IN_FAILED")).first().waitFor();
    await journey.owner`update rate_limit set hits = array_fill(hits[1], array[10]) where bucket = 'sign-in:dqa'`;
    await attempt();
    await page
      .getByText(textsOf("en", "errors")("RATE_LIMIT", { max: 10 }))
      .first()
      .waitFor();
    await context.close();
  });
});

describe("skin", () => {
  it("is black until the person chooses the light one, which then follows him [SES-23]", async () => {
    const context = await journey.browser.newContext();
    const page = await context.newPage();
    await page.goto(`${journey.base}/sign-in`);
    await expect.poll(() => page.locator("html").getAttribute("data-mantine-color-scheme")).toBe("dark");
    await expect.poll(() => page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe("rgb(11, 12, 14)");
    await context.close();

    const first = await signInByForm(journey, "tl", { lang: "en", to: "/DEMO/tasks" });
    await first.page.getByRole("button", { name: /personal menu$/ }).click();
    const saved = first.page.waitForResponse((response) => response.url().includes("saveUserSetting"));
    await first.page.getByRole("menuitem", { name: "Switch to light" }).click();
    await saved;
    await first.context.close();
    const second = await signInByForm(journey, "tl", { lang: "en", to: "/DEMO/tasks" });
    await second.page.locator("html[data-mantine-color-scheme=light]").waitFor();
    await second.page.getByRole("button", { name: /personal menu$/ }).click();
    const back = second.page.waitForResponse((response) => response.url().includes("saveUserSetting"));
    await second.page.getByRole("menuitem", { name: "Switch to dark" }).click();
    await back;
    await second.context.close();
  });
});

describe("command box", () => {
  it("opens by Ctrl+K, finds a permitted screen by its title in another language, and goes there", async () => {
    const { page, context, complaints } = await signIn(journey, "pcm", { lang: "en", to: "/DEMO/tasks" });
    await page.getByRole("main").waitFor();
    await openCommandBox(page);
    await page.getByRole("combobox").fill("依赖规则");
    await page.getByRole("option", { name: /依赖规则配置/ }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/DEMO\/dependency-rules$/);
    expect(complaints).toEqual([]);
    await context.close();
  });
});

describe("rights", () => {
  it("a screen without right is replaced by what is missing, whom to ask, and another sign-in that keeps the address [PRM-26]", async () => {
    const { page, context } = await signIn(journey, "viewer", { lang: "en", to: "/DEMO/attributes/permissions?x=1" });
    await page.getByText("attribute.permission").waitFor();
    await expectAccessible(page);
    const managers = await journey.owner<{ email: string }[]>`
      select u.email from project_member m join app_user u on u.id = m.user_id join project p on p.id = m.project_id
      where p.number = 'DEMO' and m.role = 'PM' and u.active and current_date between m.valid_from and coalesce(m.valid_to, current_date)`;
    const contact = page.getByRole("button", { name: "Contact the project manager" });
    await expect.poll(() => contact.isEnabled()).toBe(true);
    const [mail] = await Promise.all([page.waitForRequest(/^mailto:/), contact.click()]);
    const addressees = new URL(mail.url()).pathname.split(",");
    expect(addressees.sort()).toEqual(managers.map(({ email }) => email).sort());
    expect(addressees.length).toBeGreaterThan(0);
    await page.getByRole("button", { name: "Log in as another user" }).click();
    await page.waitForURL(/\/sign-in/);
    await page.locator("input[name=account]").fill("pm");
    await page.locator("input[type=password]").fill(demoPassword);
    await page.keyboard.press("Enter");
    await page.waitForURL(`${journey.base}/DEMO/attributes/permissions?x=1`);
    await context.close();
  });

  it("after a change of roles nothing goes until the person enters again [PRM-25]", async () => {
    const project = await makeJourneyProject(journey.owner, "ROLES");
    const { page, context } = await signIn(journey, "dqa", { lang: "en", to: "/ROLES/tasks" });
    await page.getByRole("main").waitFor();
    await journey.owner`
      insert into project_member (project_id, user_id, role, valid_from, granted_at)
      select ${project}, id, 'PM', current_date - 1, now() from app_user where account = 'dqa'`;
    const dialog = await askUntil(page, "Your role has changed");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Re-enter" }).click();
    await dialog.waitFor({ state: "hidden" });
    await page.getByRole("banner").getByText("PM", { exact: true }).waitFor();
    await context.close();
  });
});

describe("session", () => {
  it.each([
    { place: "a screen", to: "/DEMO/tasks", isThere: openCommandBox },
    { place: "the list of projects", to: "/?choose=project", isThere: openLanguages },
    { place: "the refusal of a project", to: "/NOWHERE/tasks", isThere: openLanguages },
  ])("is kept alive every 300000 ms while $place is open [SES-17]", async ({ to, isThere }) => {
    const { page, context } = await signIn(journey, "admin", { lang: "en", to });
    await page.clock.install();
    const asks = await noteAsks(page, "/api/sso/updateSession");
    await page.reload();
    await isThere(page);
    await page.clock.runFor(900_000);
    const [first = 0, ...later] = await asks();
    expect(later).toEqual([first + 300_000, first + 600_000]);
    await context.close();
  });

  it("that has ended is asked for over the page, which stays", async () => {
    const { page, context } = await signIn(journey, "td", { lang: "en", to: "/DEMO/tasks?x=1" });
    await page.getByRole("main").waitFor();
    await journey.owner`update user_session set revoked_at = now() where revoked_at is null and user_id = (select id from app_user where account = 'td')`;
    const dialog = await askUntil(page, "The session has ended");
    await expectAccessible(page);
    await dialog.getByRole("textbox", { name: "Password" }).fill(demoPassword);
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "hidden" });
    expect(page.url()).toBe(`${journey.base}/DEMO/tasks?x=1`);
    await context.close();
  });

  it("across a border shows nothing until the approval is declared; declining ends the login [SES-18]", async () => {
    const project = await makeJourneyProject(journey.owner, "BORDER");
    await journey.owner`update project set hosting_country = 'DE' where id = ${project}`;
    const { page, context } = await signInByForm(journey, "pm", { lang: "en", to: "/BORDER/tasks" });
    await page.getByRole("heading", { name: "Access across a border" }).waitFor();
    await expectAccessible(page);
    expect(await page.getByRole("navigation").count()).toBe(0);
    await page.getByRole("button", { name: "No approval, sign out" }).click();
    await page.waitForURL(/\/sign-in/);
    await page.goto(`${journey.base}/DEMO/tasks`);
    expect(new URL(page.url()).pathname).toBe("/sign-in");
    await context.close();

    const again = await signInByForm(journey, "pm", { lang: "en", to: "/BORDER/tasks" });
    await again.page.getByRole("button", { name: "I have the approval" }).click();
    await again.page.getByRole("heading", { level: 1, name: "Tasks" }).waitFor();
    await again.context.close();
  });

  it("a role that ends soon is told at entry; put aside, it is not told again [SES-21]", async () => {
    const project = await makeJourneyProject(journey.owner, "ENDING");
    await journey.owner`update project_member set valid_to = current_date + 10 where project_id = ${project} and user_id = (select id from app_user where account = 'pcm')`;
    const { page, context } = await signIn(journey, "pcm", { lang: "en", to: "/ENDING/tasks" });
    const dialog = page.getByRole("dialog", { name: /ends? soon/ });
    await dialog.waitFor();
    await expectAccessible(page);
    const noted = page.waitForResponse((response) => response.url().includes("notice/ack"));
    await dialog.getByRole("button", { name: "Do not remind again" }).click();
    await noted;
    await context.close();
    const later = await signIn(journey, "pcm", { lang: "en", to: "/ENDING/tasks" });
    await later.page.getByRole("button", { name: "Notices" }).waitFor();
    expect(await later.page.getByRole("dialog").count()).toBe(0);
    await later.context.close();
  });
});

describe("frame", () => {
  it.each(["dark", "light"] as const)("is accessible in the %s skin, in three languages and narrow", async (skin) => {
    for (const [lang, width] of [
      ["zh", 1440],
      ["en", 1280],
      ["ja", 900],
    ] as const) {
      const { page, context, complaints } = await signIn(journey, "pd", { lang, skin, width, to: "/DEMO/etm/check-items" });
      await page.getByRole("main").waitFor();
      await expectAccessible(page);
      await page.goto(`${journey.base}/DEMO/no/such-screen`);
      await page.getByRole("main").waitFor();
      await expectAccessible(page);
      expect(complaints).toEqual([]);
      await context.close();
    }
  });

  it("tells its hints to who comes by key, until Escape", async () => {
    const { page, context, complaints } = await signIn(journey, "pd", { lang: "en", to: "/DEMO" });
    await alive(page);
    await new Keyboard(page).reach(page.getByRole("banner").getByText("PD", { exact: true }));
    const hint = page.getByRole("tooltip");
    await hint.waitFor();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await hint.waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("an address nobody knows offers the nearest screens", async () => {
    const { page, context } = await signIn(journey, "pcm", { lang: "en" });
    const response = await page.goto(`${journey.base}/DEMO/etm/check-itemz`);
    expect(response?.status()).toBe(404);
    await page.getByRole("main").getByRole("link", { name: "ETM Check Items" }).click();
    await page.waitForURL(/\/DEMO\/etm\/check-items$/);
    await context.close();
  });
});
