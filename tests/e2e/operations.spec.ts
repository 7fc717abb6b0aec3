import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { formatNumber } from "#lib/core/format.ts";
import { limitKeys, limitSettings } from "#lib/settings/limits.ts";
import { alive, expectAccessible, makeJourneyProject, picture, signIn, useJourney } from "../support/journey.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();
const number = "OPS1";
let projectId: number;

beforeAll(async () => {
  projectId = await makeJourneyProject(journey.owner, number);
});

describe("the audit log", () => {
  it.each([
    { lang: "zh", skin: "dark", address: "dataControlSetting" },
    { lang: "en", skin: "light", address: "dataConfigSetting" },
  ] as const)("shows in $lang who changed what, before and after, and is exported as filtered; a change of global data, on the screen that is $address too, is asked for first [OPS-29] [OPS-38]", async ({
    lang,
    skin,
    address,
  }) => {
    const [t, settings] = [textsOf(lang, "audit"), textsOf(lang, "settings")];
    const { page, context, complaints } = await signIn(journey, "pm", { lang, skin, to: `/${number}#/${address}` });
    await page.waitForURL((url) => url.pathname === `/${number}/settings/data-control`);
    // A change of what everybody may do is asked for first.
    await alive(page);
    const flag = settings("switch.customerDataControl.name");
    const control = page.getByRole("switch", { name: flag });
    // Until its state is read the switch shows none and cannot be turned.
    await expect.poll(() => control.isEnabled(), { timeout: 20_000 }).toBe(true);
    const on = await control.isChecked();
    const stored = () => journey.owner`select key, value from project_switch where project_id = ${projectId} order by key`;
    const before = await stored();
    const question = page.getByRole("dialog").getByText(settings("switches.confirmText", { project: number }));
    // Who does not confirm has changed nothing.
    await control.press("Space");
    await question.waitFor();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: textsOf(lang, "common")("cancel") })
      .click();
    await question.waitFor({ state: "detached" });
    expect([await control.isChecked(), await stored()]).toEqual([on, before]);
    await control.press("Space");
    await question.waitFor();
    await page.getByRole("button", { name: settings("switches.confirmVerb", { count: 1 }) }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });

    await page.goto(`${journey.base}/${number}#/auditLog`);
    await page.waitForURL((url) => url.pathname === `/${number}/logs/audit`);
    const line = page
      .getByRole("grid", { name: t("title") })
      .getByText(t("object.switches"), { exact: true })
      .first();
    await line.waitFor();
    await expectAccessible(page);
    await picture(page, `audit-log-${skin}-${lang}`);
    await line.click();
    const dialog = page.getByRole("dialog");
    await dialog.locator("del").getByText(String(on), { exact: true }).waitFor();
    await dialog.locator("ins").getByText(String(!on), { exact: true }).waitFor();
    await expectAccessible(page);
    await dialog
      .getByRole("button", { name: t("close") })
      .last()
      .click();

    await page.getByRole("searchbox", { name: t("filter.object") }).fill("nothing like it");
    await page.getByRole("heading", { name: textsOf(lang, "ui")("table.empty") }).waitFor();
    await page.getByRole("button", { name: t("export"), exact: true }).click();
    await page.getByText(textsOf(lang, "errors")("NO_DATA")).waitFor();
    await page.getByRole("button", { name: t("filter.clear") }).click();
    await line.waitFor();
    await page.getByRole("button", { name: t("export"), exact: true }).click();
    await page.getByText(t("exportStarted")).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });
});

describe("a failure", () => {
  it("is shown with code, details and a report that administrators find [OPS-28]", async () => {
    const [ui, t] = [textsOf("en", "ui"), textsOf("en", "audit")];
    const { page, context } = await signIn(journey, "pm", { lang: "en", skin: "light", to: `/${number}/tasks` });
    const requestId = randomUUID();
    await page.route("**/api/audit/list/**", (route) =>
      route.fulfill({ status: 500, json: { status: 500, code: "SYSTEM_FAILURE", msg: "System failure", requestId } }),
    );
    await page.goto(`${journey.base}/${number}/logs/audit`);
    await page.getByText(requestId).waitFor();
    await page.getByRole("button", { name: ui("failure.report") }).click();
    const dialog = page.getByRole("dialog", { name: ui("failure.systemFailure") });
    await dialog.getByRole("button", { name: ui("failure.details") }).click();
    await dialog.getByText(requestId).waitFor();
    await dialog.getByText("SYSTEM_FAILURE", { exact: true }).waitFor();
    await dialog.getByText("auditLog", { exact: true }).waitFor();
    await expectAccessible(page);
    await picture(page, "failure-light-en");
    await dialog.getByRole("textbox").fill("I opened the log");
    await dialog.getByRole("button", { name: ui("failure.report") }).click();
    const [report] = await (async () => {
      await dialog.getByRole("status").getByText(/\d/).waitFor();
      return journey.owner<{ id: number; code: string; text: string }[]>`
        select id, code, text from error_report where request_id = ${requestId}`;
    })();
    expect(report).toMatchObject({ code: "SYSTEM_FAILURE", text: "I opened the log" });
    await dialog.getByText(ui("failure.sent", { ticket: report!.id })).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: t("tab.reports") }).click();
    await page.getByText("I opened the log").waitFor();
    await context.close();
  });
});

describe("a denial", () => {
  it.each([
    { code: "NO_PERMISSION", kind: "noAuthorisation" },
    { code: "NOT_AUTHORISED_FOR_PROJECT", kind: "accessDenied" },
  ] as const)("has the dialog of its own, with its code: $code; one for want of a right leads on to the project manager and to another sign-in [OPS-28] [PRM-26]", async ({
    code,
    kind,
  }) => {
    const [ui, errors, shell] = [textsOf("en", "ui"), textsOf("en", "errors"), textsOf("en", "shell")];
    const { page, context } = await signIn(journey, "pm", { lang: "en", skin: "dark", to: `/${number}/tasks` });
    const msg = errors(code, { right: "audit.view", project: number });
    await page.route("**/api/audit/list/**", (route) =>
      route.fulfill({ status: 403, json: { status: 403, code, msg, requestId: randomUUID() } }),
    );
    await page.goto(`${journey.base}/${number}/logs/audit`);
    await page.getByRole("button", { name: ui("failure.report") }).click();
    const dialog = page.getByRole("dialog", { name: ui(`failure.${kind}`), exact: true });
    await dialog.getByText(code, { exact: true }).waitFor();
    await dialog.getByText(msg, { exact: true }).waitFor();
    await dialog.getByRole("button", { name: ui("failure.report") }).waitFor();
    await dialog.getByRole("button", { name: ui("failure.details") }).waitFor();
    const contact = dialog.getByRole("button", { name: shell("denied.mail"), exact: true });
    const other = dialog.getByRole("button", { name: shell("denied.other"), exact: true });
    const offered = kind === "noAuthorisation" ? 1 : 0;
    expect([await contact.count(), await other.count()]).toEqual([offered, offered]);
    if (kind === "noAuthorisation") {
      await expectAccessible(page);
      const managers = await journey.owner<{ email: string }[]>`
        select u.email from project_member m join app_user u on u.id = m.user_id
        where m.project_id = ${projectId} and m.role = 'PM' and u.active and current_date between m.valid_from and coalesce(m.valid_to, current_date)`;
      const [mail] = await Promise.all([page.waitForRequest(/^mailto:/), contact.click()]);
      const { pathname, searchParams } = new URL(mail.url());
      expect(pathname.split(",").sort()).toEqual(managers.map(({ email }) => email).sort());
      expect(searchParams.get("body")).toContain(msg);
      await other.click();
      await page.waitForURL((url) => url.pathname === "/sign-in" && url.searchParams.get("to") === `/${number}/logs/audit`);
    }
    await context.close();
  });
});

describe("the limits of a project", () => {
  it("stand on the screen of their original address, each with its range, and can be set and taken back [OPS-39]", async () => {
    const t = textsOf("en", "settings");
    const { page, context, complaints } = await signIn(journey, "admin", { lang: "en", skin: "light", to: `/${number}#/pageMaxSetting` });
    await page.waitForURL((url) => url.pathname === `/${number}/settings/limits`);
    await alive(page);
    const row = (key: string) => page.getByRole("row").filter({ has: page.getByText(key, { exact: true }) });
    for (const key of limitKeys) {
      const { min, max } = limitSettings[key];
      await row(key)
        .getByText(`${formatNumber(min)} – ${formatNumber(max)}`, { exact: true })
        .waitFor();
    }
    expect(
      await page
        .getByRole("table", { name: t("limits.label") })
        .getByRole("textbox")
        .count(),
    ).toBe(limitKeys.length);
    await expectAccessible(page);

    const key = "rule.validMax";
    const name = t("limit.rule-validMax");
    const stored = () => journey.owner`select value from limit_setting where project_id = ${projectId} and key = ${key}`;
    await page.getByRole("textbox", { name: t("limits.edit", { name }) }).fill("40");
    await row(key)
      .getByRole("button", { name: t("limits.save") })
      .click();
    await page.getByText(t("limits.saved", { name, value: "40" }), { exact: true }).waitFor();
    expect(await stored()).toEqual([{ value: 40 }]);
    await row(key)
      .getByRole("button", { name: t("limits.reset") })
      .click();
    await page.getByText(t("limits.resetDone", { name, value: String(limitSettings[key].value) }), { exact: true }).waitFor();
    expect(await stored()).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });
});

describe("pages of a list", () => {
  it("hold up to 200 rows, and 500 once the project says so [OPS-07]", { timeout: 120_000 }, async () => {
    const project = "OPS3";
    await makeJourneyProject(journey.owner, project);
    const [ui, settings] = [textsOf("en", "ui"), textsOf("en", "settings")];
    const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", skin: "light", to: `/${project}/access/members` });
    const size = page.getByLabel(ui("table.size"));
    const offered = async () => {
      await size.waitFor();
      return size.locator("option").allTextContents();
    };
    expect(await offered()).toEqual(["20", "50", "100", "200"]);

    await page.goto(`${journey.base}/${project}/settings/data-control`);
    await alive(page);
    const control = page.getByRole("switch", { name: settings("switch.page-rows500.name") });
    await expect.poll(() => control.isEnabled(), { timeout: 20_000 }).toBe(true);
    await control.press("Space");
    await page.getByRole("button", { name: settings("switches.confirmVerb", { count: 1 }) }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });

    await page.goto(`${journey.base}/${project}/access/members`);
    await alive(page);
    expect(await offered()).toEqual(["20", "50", "100", "200", "500"]);
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().includes("/api/memberRole/list/1/500/")),
      size.selectOption("500"),
    ]);
    expect(answer.status()).toBe(200);
    expect(complaints).toEqual([]);
    await context.close();
  });
});

describe("tasks", () => {
  it.each([
    ["dus", `/${number}/rollout-plan/sites`],
    ["plan", `/${number}`],
  ])("a checked file of the kind %s leads on to its preview [OPS-08]", async (kind, screen) => {
    const [pm] = await journey.owner<{ id: number }[]>`select id from app_user where account = 'pm'`;
    const id = randomUUID();
    await journey.owner`
      insert into task (id, project_id, kind, direction, title, params, status, progress, created_by, created_at, started_at, finished_at)
      values (${id}, ${projectId}, 'imports.preview', 'import', 'plan.xlsx', ${journey.owner.json({ kind })}, 'succeeded', 100, ${pm!.id}, now(), now(), now())`;
    const t = textsOf("zh", "tasks");
    const { page, context } = await signIn(journey, "pm", { lang: "zh", to: `/${number}/tasks/imports?id=${id}` });
    const link = page.getByRole("dialog").getByRole("link", { name: t("action.preview") });
    await expect.poll(() => link.getAttribute("href")).toBe(`${screen}?import=${kind}&task=${id}`);
    await expectAccessible(page);
    await link.click();
    await page
      .getByText(textsOf("zh", "imports")(`kinds.${kind}`))
      .first()
      .waitFor();
    await context.close();
  });
});

describe("closing a project", () => {
  it("takes its number, makes it read-only, and is undone the same way", async () => {
    const closing = "OPS2";
    await makeJourneyProject(journey.owner, closing);
    const [t, errors] = [textsOf("en", "settings"), textsOf("en", "errors")];
    const { page, context, complaints } = await signIn(journey, "pm", {
      lang: "en",
      skin: "light",
      to: `/${closing}/settings/data-control`,
    });
    await alive(page);
    await page.getByRole("button", { name: t("closing.close") }).click();
    const dialog = page.getByRole("dialog");
    await expect.poll(() => dialog.getByRole("button", { name: t("closing.close") }).isDisabled()).toBe(true);
    await dialog.getByRole("textbox").fill(closing);
    await expectAccessible(page);
    await dialog.getByRole("button", { name: t("closing.close") }).click();
    await page.getByText(t("closing.doneClosed")).waitFor();
    await picture(page, "data-control-closed-light-en");
    await page.getByRole("switch", { name: new RegExp(`^${t("switch.dataControl.name")}`) }).press("Space");
    await page.getByRole("button", { name: t("switches.confirmVerb", { count: 1 }) }).click();
    await page.getByText(errors("PROJECT_CLOSED")).first().waitFor();
    // A refusal stays in the dialog until it is closed.
    await dialog.getByRole("button", { name: textsOf("en", "common")("cancel") }).click();
    await page.getByRole("button", { name: t("closing.reopen") }).click();
    await dialog.getByRole("textbox").fill(closing);
    await dialog.getByRole("button", { name: t("closing.reopen") }).click();
    await page.getByText(t("closing.doneOpen")).waitFor();
    const [row] = await journey.owner`select status from project where number = ${closing}`;
    expect(row).toEqual({ status: "active" });
    expect(complaints).toEqual([]);
    await context.close();
  });
});
