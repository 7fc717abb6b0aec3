import type { Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { addDays, projectToday } from "#lib/core/clock.ts";
import { noteAsks } from "../support/asks.ts";
import { expectAccessible, makeJourneyProject, picture, signIn, signInByForm, useJourney } from "../support/journey.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();

beforeAll(async () => {
  const project = await makeJourneyProject(journey.owner, "CREW");
  await journey.owner`update project_member set valid_to = ${day(20)} where project_id = ${project} and role = 'TD'`;
  await journey.owner`update project_member set valid_to = ${day(3)} where project_id = ${project} and role = 'SUBCON'`;
  await journey.owner`update project_member set valid_to = ${day(-1)} where project_id = ${project} and role = 'CUSTOMER'`;
});

const rowOf = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });
/** A day of the project's clock, which is hours ahead of the server's. */
const day = (offset: number) => addDays(projectToday(new Date(), 0), offset);

/** Chooses somebody in a field that searches while typing. */
async function choosePerson(page: Page, field: ReturnType<Page["getByRole"]>, account: string) {
  await field.click();
  await field.fill(account);
  await page.getByRole("option", { name: new RegExp(`\\(${account}\\)`) }).click();
}

describe("members", () => {
  it("are found, get a role together, and lose it; who is concerned has to enter again", { timeout: 120_000 }, async () => {
    const viewer = await signIn(journey, "viewer", { lang: "en", to: "/CREW/tasks" });
    await viewer.page.getByRole("main").waitFor();
    const { page, context, complaints } = await signIn(journey, "pm", {
      lang: "en",
      to: "/CREW/tasks",
    });
    await page.goto(`${journey.base}/?projectNumber=CREW#/config/project/memberRole`);
    await page.waitForURL(/\/CREW\/access\/members$/);
    await rowOf(page, "viewer").waitFor();
    await expectAccessible(page);
    // The state of a validity stands in words and colour.
    await rowOf(page, "customer").getByRole("img", { name: "Ended" }).waitFor();
    await rowOf(page, "subcon")
      .getByText(`${day(3)} (3 days)`)
      .waitFor();

    await page.getByRole("searchbox", { name: "Account, name or e-mail" }).fill("viewer");
    await expect.poll(() => page.getByRole("row").count()).toBe(2);
    await rowOf(page, "viewer").getByRole("checkbox").check();
    await page.getByRole("button", { name: "Grant role" }).last().click();
    const dialog = page.getByRole("dialog", { name: "Grant a role" });
    await choosePerson(page, dialog.getByRole("combobox", { name: "People" }), "dqa");
    await expectAccessible(page);
    await dialog.getByRole("combobox", { name: "Role" }).fill("SCHED");
    await page.getByRole("option", { name: "SCHEDULING MANAGER" }).click();
    await dialog.getByRole("button", { name: "Grant to 2 people" }).click();
    await dialog.waitFor({ state: "hidden" });
    await rowOf(page, "viewer").getByText("SCHEDULING MANAGER").waitFor();

    // Granting it again is refused, with those named; without them it goes on.
    await page.getByRole("searchbox").first().fill("");
    await page.getByRole("button", { name: "Grant role" }).first().click();
    await choosePerson(page, dialog.getByRole("combobox", { name: "People" }), "dqa");
    await choosePerson(page, dialog.getByRole("combobox", { name: "People" }), "etm");
    await dialog.getByRole("combobox", { name: "Role" }).fill("SCHED");
    await page.getByRole("option", { name: "SCHEDULING MANAGER" }).click();
    await dialog.getByRole("button", { name: "Grant to 2 people" }).click();
    await dialog.getByText("1 person already holds this role; nothing was written").waitFor();
    await dialog.getByRole("button", { name: "Leave them out" }).click();
    await dialog.getByRole("button", { name: "Grant to 1 person" }).click();
    await dialog.waitFor({ state: "hidden" });

    // The person concerned is stopped at the next call and enters again with the new role.
    const changed = viewer.page.getByRole("dialog", { name: "Your role has changed" });
    const bell = viewer.page.getByRole("button", { name: /^(Background tasks|\d+ tasks? running)$/ });
    await expect
      .poll(
        async () => {
          if ((await changed.count()) === 0) await bell.click({ timeout: 1_000 }).catch(() => {});
          return changed.count();
        },
        {
          timeout: 60_000,
          interval: 1_000,
        },
      )
      .toBe(1);
    await changed.getByRole("button", { name: "Re-enter" }).click();
    await changed.waitFor({ state: "hidden" });
    await viewer.context.close();

    // By keyboard: a row opens with Enter, its roles can be revoked.
    await page.getByRole("searchbox").first().fill("etm");
    await expect.poll(() => page.getByRole("row").count()).toBe(2);
    await rowOf(page, "etm").focus();
    await page.keyboard.press("Enter");
    const member = page.getByRole("dialog", { name: /^Roles of/ });
    await expectAccessible(page);
    // What is typed is not dropped by Escape without a question, and Escape there leaves the question alone.
    const until = member.getByRole("textbox", { name: /^Last day of/ }).first();
    await until.fill(day(90));
    await until.press("Tab");
    const question = page.getByRole("dialog", { name: textsOf("en", "ui")("discard.verb") });
    for (const leave of [() => page.keyboard.press("Escape"), () => member.getByRole("button", { name: "Grant another role" }).click()]) {
      await leave();
      await question.waitFor();
      await page.keyboard.press("Escape");
      await question.waitFor({ state: "hidden" });
      expect(await until.inputValue()).toBe(day(90));
    }
    await page.keyboard.press("Escape");
    await question.getByRole("button", { name: textsOf("en", "ui")("discard.verb") }).click();
    await member.waitFor({ state: "hidden" });
    await rowOf(page, "etm").focus();
    await page.keyboard.press("Enter");
    await member.getByRole("button", { name: "Revoke SCHEDULING MANAGER" }).click();
    await page
      .getByRole("dialog", { name: "Revoke SCHEDULING MANAGER" })
      .getByRole("button", { name: "Revoke SCHEDULING MANAGER" })
      .click();
    // The dialog stays with the roles that are left.
    await expect.poll(() => member.getByRole("rowheader").allInnerTexts()).toEqual(["CS MANAGER"]);
    await page.keyboard.press("Escape");
    await member.waitFor({ state: "hidden" });
    await expect.poll(() => rowOf(page, "etm").getByText("SCHEDULING MANAGER").count()).toBe(0);

    // The last manager stays.
    await page.getByRole("searchbox").first().fill("pm@");
    await rowOf(page, "pm@").getByRole("checkbox").check();
    await page.getByRole("button", { name: "Revoke role" }).click();
    const revoke = page.getByRole("dialog", { name: "Revoke roles" });
    await revoke.getByRole("button", { name: "Revoke 1 role" }).click();
    await revoke.getByText("The last valid PM cannot be removed").waitFor();
    await page.keyboard.press("Escape");
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("are exported as a workbook", { timeout: 90_000 }, async () => {
    const { page, context } = await signIn(journey, "pcm", { lang: "ja", to: "/CREW/access/members" });
    await rowOf(page, "viewer").waitFor();
    expect(await page.getByRole("button", { name: "ロールを付与" }).count()).toBe(0);
    await page.getByRole("button", { name: "エクスポート", exact: true }).click();
    await expect
      .poll(
        async () =>
          (await journey.owner`select status from task where kind = 'access.exportMembers' order by created_at desc limit 1`)[0]?.status,
        {
          timeout: 30_000,
        },
      )
      .toBe("succeeded");
    const [file] =
      await journey.owner`select f.name, f.size::int from task t join file_object f on f.id = t.result_file_id where t.kind = 'access.exportMembers'`;
    expect(file?.name).toMatch(/^CREW プロジェクトメンバー .*\.xlsx$/);
    await context.close();
  });
});

describe("delegation", () => {
  it("is given for days and revoked", { timeout: 60_000 }, async () => {
    const { page, context, complaints } = await signIn(journey, "pd", { lang: "en", to: "/CREW/access/members?tab=delegations" });
    await page.getByText("No delegation").waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "New delegation" }).click();
    const dialog = page.getByRole("dialog", { name: "New delegation" });
    await choosePerson(page, dialog.getByRole("combobox", { name: /^Delegate/ }), "tl");
    await dialog.getByRole("textbox", { name: /^To/ }).fill(day(10));
    await page.keyboard.press("Tab");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Delegate", exact: true }).click();
    await dialog.waitFor({ state: "hidden" });
    const [given] = await journey.owner`select role, valid_to from role_delegation order by id desc limit 1`;
    expect(given).toMatchObject({ role: "PD", valid_to: day(10) });
    await page.getByRole("button", { name: /^Revoke the delegation/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke delegation" }).click();
    await page.getByText("Revoked", { exact: true }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });
});

describe("the permission matrix", () => {
  it.each([
    { skin: "dark", lang: "zh" },
    { skin: "light", lang: "en" },
    { skin: "dark", lang: "ja" },
  ] as const)("is accessible in $skin and $lang, also with a reason open", { timeout: 180_000 }, async ({ skin, lang }) => {
    const { page, context, complaints } = await signIn(journey, "pm", { skin, lang, to: "/CREW/access/members?tab=matrix" });
    await page.getByRole("gridcell").first().waitFor();
    // Thousands of cells take the check half a minute: whole once, in part in the other languages.
    if (lang !== "en") {
      await page.getByRole("searchbox").first().fill("rollout.");
      await expect.poll(() => page.getByRole("row").count()).toBeLessThan(40);
    }
    const side = page.getByRole("complementary");
    await choosePerson(page, side.getByRole("combobox").first(), "tl");
    await side.getByRole("combobox").last().fill("rollout.edit");
    await page.getByRole("option", { name: /rollout\.edit\)/ }).click();
    await side.locator("[data-tone=no]").waitFor();
    await expectAccessible(page);
    await picture(page, `matrix-${skin}-${lang}`);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("is walked by the arrows, changed by Enter, and the reason follows", { timeout: 60_000 }, async () => {
    const { page, context } = await signIn(journey, "pm", { lang: "en", to: "/CREW/access/members?tab=matrix" });
    await page.getByRole("searchbox", { name: "Right or its code" }).fill("rollout.edit");
    await expect.poll(() => page.getByRole("row").count()).toBe(2);
    const side = page.getByRole("complementary");
    await choosePerson(page, side.getByRole("combobox", { name: "Person" }), "tl");
    await side.getByRole("combobox", { name: "Right or screen" }).fill("rollout.edit");
    await page.getByRole("option", { name: /rollout\.edit\)/ }).click();
    await side.getByText(/may not$/).waitFor();
    await page.getByRole("gridcell", { name: /^PM,/ }).focus();
    for (let step = 0; step < 3; step++) await page.keyboard.press("ArrowRight");
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toMatch(/^TL, .*: None$/);
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Change a right" });
    await expectAccessible(page);
    await dialog.getByRole("radio", { name: "All rows" }).check();
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("gridcell", { name: /^TL, .*: All rows \(set by the project\)$/ }).waitFor();
    await side.getByText("set by the project (default: None)").waitFor();
    await page.getByRole("gridcell", { name: /^TL,/ }).click();
    await dialog.getByRole("radio", { name: "Default: None" }).check();
    await dialog.getByRole("button", { name: "Save" }).click();
    await side.getByText(/may not$/).waitFor();
    await context.close();
  });
});

describe("personal settings", () => {
  it("hold at once: language, skin, rows, default project; the root opens the project in use first", { timeout: 90_000 }, async () => {
    const { page, context, complaints } = await signIn(journey, "scheduler", { lang: "en", to: "/CREW/tasks" });
    await page.goto(`${journey.base}/?projectNumber=CREW#/userSetting`);
    await page.waitForURL(/\/CREW\/session\/preferences$/);
    const card = (name: string) => page.getByRole("region", { name });
    await card("API tokens").getByText("No token").waitFor();
    await expectAccessible(page);
    await card("Display and editing").getByRole("combobox", { name: "Rows per page" }).click();
    await page.getByRole("option", { name: "20", exact: true }).click();
    await page.getByText("Saved").first().waitFor();
    await card("Display and editing").getByRole("combobox", { name: "Skin" }).click();
    await page.getByRole("option", { name: "Light" }).click();
    await page.locator("html[data-mantine-color-scheme=light]").waitFor();
    await expectAccessible(page);
    await card("Display and editing").getByRole("combobox", { name: "Language" }).click();
    const spoken = page.waitForResponse((response) => response.request().method() === "POST" && response.status() === 200);
    await page.getByRole("option", { name: "日本語" }).click();
    await spoken;
    await page.locator("html[lang=ja]").waitFor();
    const cookie = (await context.cookies()).find(({ name }) => name === "lang");
    expect(cookie?.value).toBe("ja");
    expect(Math.abs((cookie?.expires ?? 0) - Date.now() / 1000 - 2_592_000)).toBeLessThan(60);
    await page.goto(`${journey.base}/CREW/access/members?lang=en`);
    await expect.poll(() => page.getByRole("combobox", { name: "Rows per page" }).inputValue()).toBe("20");
    // DEMO is the default project of the account; this session is in CREW.
    await page.goto(`${journey.base}/`);
    await page.waitForURL(/\/CREW/);
    await context.close();
    const later = await signInByForm(journey, "scheduler", { lang: "en", to: "/" });
    await later.page.waitForURL(/\/DEMO/);
    await journey.owner`delete from user_setting where user_id = (select id from app_user where account = 'scheduler')`;
    await later.context.close();
    expect(complaints).toEqual([]);
  });

  it("end another sign-in and make a token that is shown once and can be revoked", { timeout: 90_000 }, async () => {
    const elsewhere = await signIn(journey, "tl", { lang: "en", to: "/DEMO/tasks" });
    const { page, context } = await signIn(journey, "tl", { lang: "en", to: "/DEMO/session/preferences" });
    await page.getByRole("button", { name: "Sign out everywhere else" }).click();
    await page.getByText(/sign-ins? ended/).waitFor();
    await expect
      .poll(
        async () => {
          await elsewhere.page.goto(`${journey.base}/DEMO/tasks`);
          return new URL(elsewhere.page.url()).pathname;
        },
        { timeout: 30_000, interval: 1_000 },
      )
      .toBe("/sign-in");
    await elsewhere.context.close();

    await page.getByRole("button", { name: "New token" }).click();
    const dialog = page.getByRole("dialog", { name: "New token" });
    await dialog.getByRole("button", { name: "New token" }).click();
    await dialog.getByText("Enter a name").waitFor();
    await dialog.getByRole("textbox", { name: /^Name/ }).fill("nightly");
    await dialog.getByRole("button", { name: "New token" }).click();
    const token = (await dialog.locator("code").textContent()) ?? "";
    expect(token).toMatch(/^mp_[\w-]{43}$/);
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Close" }).last().click();
    const call = () =>
      fetch(`${journey.base}/api/personal/getProjectList/list`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: "{}",
      });
    expect((await call()).status).toBe(200);
    expect(await page.content()).not.toContain(token);
    await page.getByRole("button", { name: "Revoke token nightly" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke token" }).click();
    await page.getByText("No token").waitFor();
    await expect.poll(async () => (await call()).status, { timeout: 15_000 }).toBe(401);
    await context.close();
  });

  it("list what was put aside and remind of it again", { timeout: 60_000 }, async () => {
    const { page, context } = await signIn(journey, "td", { lang: "en", to: "/CREW/tasks" });
    const notice = page.getByRole("dialog", { name: /ends? soon/ });
    const noted = page.waitForResponse((response) => response.url().includes("notice/ack"));
    await notice.getByRole("button", { name: "Do not remind again" }).click();
    await noted;
    await page.goto(`${journey.base}/CREW/session/preferences`);
    const card = page.getByRole("region", { name: "Put-aside reminders" });
    await card
      .getByRole("row")
      .filter({ hasText: day(20) })
      .getByRole("button", { name: "Remind again" })
      .click();
    await card.getByText("No reminder was put aside").waitFor();
    await page.getByRole("button", { name: "1 notice" }).waitFor();
    await context.close();
  });
});

describe("a dialog on its own", () => {
  it("shows site, DU, cell history and task by address; anything else is not found [RTE-09]", { timeout: 90_000 }, async () => {
    const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", to: "/DEMO/tasks" });
    const [du] = await journey.owner<{ id: number; code: string; siteId: number; site: string }[]>`
      select du.id, du.code, s.id as "siteId", s.code as site from du join project p on p.id = du.project_id join customer_site s on s.id = du.site_id
      where p.number = 'DEMO' and du.deleted_at is null order by du.id limit 1`;
    const [activity] = await journey.owner<{ id: number }[]>`
      select l.id from activity_library l join project p on p.id = l.project_id where p.number = 'DEMO' order by l.id limit 1`;
    // By the original address, without the list around it.
    await page.goto(`${journey.base}/?projectNumber=DEMO#/dialog?type=siteInfo&id=${du!.siteId}`);
    await page.waitForURL(/\/DEMO\/dialog\?/);
    await page.getByRole("definition").filter({ hasText: du!.site }).first().waitFor();
    await expectAccessible(page);
    await page.getByRole("link", { name: du!.code, exact: true }).click();
    await page.waitForURL(new RegExp(`type=duDetail&id=${du!.id}`));
    await page.getByRole("definition").filter({ hasText: du!.code }).first().waitFor();
    expect(await page.getByRole("grid").count()).toBe(0);
    await expectAccessible(page);
    await page.goto(`${journey.base}/DEMO/dialog?type=cellHistory&id=${du!.id}.${activity!.id}&field=planEnd`);
    await page.getByRole("dialog", { name: "Cell history" }).waitFor();
    for (const wrong of ["type=nothing&id=1", "type=duDetail&id=999999999", "type=duDetail&id=x", "type=siteInfo"]) {
      const response = await page.goto(`${journey.base}/DEMO/dialog?${wrong}`);
      expect([wrong, response?.status()]).toEqual([wrong, 404]);
    }
    expect(complaints).toEqual([]);
    await context.close();
  });
});

describe("entering", () => {
  it("no screen opens before person and project are known; then roles, language, time zone and rights stand in the session [SES-09]", {
    timeout: 60_000,
  }, async () => {
    const project = await makeJourneyProject(journey.owner, "ENTER");
    await journey.owner`update project set datacenter = null where id = ${project}`;
    const signedOut = await fetch(`${journey.base}/ENTER/access/members`, { redirect: "manual" });
    expect([signedOut.status, signedOut.headers.get("location")]).toEqual([307, expect.stringContaining("/sign-in")]);
    const { page, context } = await signIn(journey, "pm", { lang: "en", to: "/ENTER/access/members" });
    await page.getByRole("heading", { name: "This project cannot be entered" }).waitFor();
    expect([await page.getByRole("table").count(), await page.getByRole("navigation").count()]).toEqual([0, 0]);
    const entered = () => journey.owner`select 1 from session_project where project_id = ${project}`;
    expect(await entered()).toHaveLength(0);
    await journey.owner`update project set datacenter = 'dc-1', tz_offset_beijing = -7 where id = ${project}`;
    await page.reload();
    await rowOf(page, "viewer").waitFor();
    await expect.poll(entered).toHaveLength(1);
    const state = await page.evaluate(async () => (await fetch("/api/session/bootstrap?projectNumber=ENTER")).json());
    expect(state.data).toMatchObject({
      user: { account: "pm" },
      project: { number: "ENTER" },
      roles: ["PM"],
      language: "en",
      timeZone: -7,
      permissions: { "role.assign": true, "pr.issue": false },
    });
    await context.close();
  });

  it("is refused with words of its own for a number that can be no project's, without a data centre, and for a project of others [SES-22]", {
    timeout: 60_000,
  }, async () => {
    const project = await makeJourneyProject(journey.owner, "BARE");
    await journey.owner`update project set datacenter = null where id = ${project}`;
    const { page, context } = await signIn(journey, "pm", { lang: "en", to: "/DEMO/tasks" });
    for (const [address, text] of [
      ["/a%20b!", "Project not valid: a b!"],
      ["/a%20b!/tasks", "Project not valid: a b!"],
      ["/?projectNumber=a%20b!", "Project not valid: a b!"],
      ["/BARE/tasks", "No data centre is configured for project BARE"],
      ["/NOWHERE/tasks", "You are not authorised for project NOWHERE, or it does not exist"],
    ] as const) {
      await page.goto(`${journey.base}${address}`);
      await page.getByRole("heading", { name: "This project cannot be entered" }).waitFor();
      await page.getByText(text).waitFor();
      expect(await page.getByRole("navigation").count()).toBe(0);
    }
    // The list of projects leads there too: what is missing in it would only be looked for.
    await page.getByRole("link", { name: textsOf("en", "shell")("refused.projects") }).click();
    const closed = page.getByRole("heading", { name: textsOf("en", "shell")("projects.closed") });
    await closed.waitFor();
    await expectAccessible(page);
    await picture(page, "projects-closed");
    await closed.locator("+ ul").getByRole("link", { name: "BARE" }).click();
    await page.getByText("No data centre is configured for project BARE").waitFor();
    await context.close();
  });

  it("a list that does not come within 30 seconds is given up and can be tried again [RTE-04]", { timeout: 60_000 }, async () => {
    const { page, context } = await signIn(journey, "pm", { lang: "en", to: "/CREW/tasks" });
    await page.clock.install();
    const asks = await noteAsks(page, "/api/memberRole/list/");
    let held = true;
    await page.route("**/api/memberRole/list/**", (route) => (held ? undefined : route.continue()));
    const asked = page.waitForRequest("**/api/memberRole/list/**");
    await page.goto(`${journey.base}/CREW/access/members`);
    await asked;
    // The clock stands from here on: how long this machine takes to look does not count.
    const [askedAt = 0] = await asks();
    await page.clock.pauseAt(askedAt + 29_900);
    expect(await page.getByText("The request timed out").count()).toBe(0);
    await page.clock.runFor(200);
    await page.getByText("The request timed out").waitFor();
    await page.clock.resume();
    held = false;
    await page.getByRole("button", { name: "Retry" }).click();
    await rowOf(page, "viewer").waitFor();
    await context.close();
  });
});

describe("sign-in kept simple", () => {
  it("the language can be set by a call before signing in; a fourth one is refused [SES-03]", async () => {
    const set = (lang: string) =>
      fetch(`${journey.base}/api/language/set`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ lang }),
      });
    const good = await set("ja");
    expect(good.status).toBe(200);
    expect(good.headers.get("set-cookie")).toMatch(/^lang=ja; Path=\/; Max-Age=2592000/);
    const wrong = await set("fr");
    expect([wrong.status, wrong.headers.get("set-cookie")]).toEqual([400, null]);
  });
});
