import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
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
    { lang: "zh", skin: "dark" },
    { lang: "en", skin: "light" },
  ] as const)("shows in $lang who changed what, before and after, and is exported as filtered; a change of global data is asked for first [OPS-29]", async ({
    lang,
    skin,
  }) => {
    const [t, settings] = [textsOf(lang, "audit"), textsOf(lang, "settings")];
    const { page, context, complaints } = await signIn(journey, "pm", { lang, skin, to: `/${number}/settings/data-control` });
    // A change of what everybody may do is asked for first.
    await alive(page);
    const flag = settings("switch.customerDataControl.name");
    const control = page.getByRole("switch", { name: flag });
    // Until its state is read the switch shows none and cannot be turned.
    await expect.poll(() => control.isEnabled(), { timeout: 20_000 }).toBe(true);
    const on = await control.isChecked();
    await control.press("Space");
    await page
      .getByRole("dialog")
      .getByText(settings("switches.confirmText", { project: number }))
      .waitFor();
    await page.getByRole("button", { name: settings("switches.confirmVerb", { count: 1 }) }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });

    await page.goto(`${journey.base}/${number}#/auditLog`);
    await page.waitForURL((url) => url.pathname === `/${number}/logs/audit`);
    await page.getByText("switches", { exact: true }).first().waitFor();
    await expectAccessible(page);
    await picture(page, `audit-log-${skin}-${lang}`);
    await page.getByText("switches", { exact: true }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.locator("del").getByText(String(on), { exact: true }).waitFor();
    await dialog.locator("ins").getByText(String(!on), { exact: true }).waitFor();
    await expectAccessible(page);
    await dialog
      .getByRole("button", { name: t("close") })
      .last()
      .click();

    await page.getByRole("searchbox", { name: t("filter.object") }).fill("nothing like it");
    await page.getByRole("heading", { name: t("empty") }).waitFor();
    await page.getByRole("button", { name: t("export"), exact: true }).click();
    await page.getByText(textsOf(lang, "errors")("NO_DATA")).waitFor();
    await page.getByRole("button", { name: t("filter.clear") }).click();
    await page.getByText("switches", { exact: true }).first().waitFor();
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
    await dialog.getByText("auditLog", { exact: true }).waitFor();
    await expectAccessible(page);
    await picture(page, "failure-light-en");
    await dialog.getByRole("textbox").fill("I opened the log");
    await dialog.getByRole("button", { name: ui("failure.report") }).click();
    const [report] = await (async () => {
      await dialog.getByRole("status").getByText(/\d/).waitFor();
      return journey.owner<{ id: number; text: string }[]>`select id, text from error_report where request_id = ${requestId}`;
    })();
    expect(report?.text).toBe("I opened the log");
    await dialog.getByText(ui("failure.sent", { ticket: report!.id })).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: t("tab.reports") }).click();
    await page.getByText("I opened the log").waitFor();
    await context.close();
  });
});

describe("tasks", () => {
  it("a checked file leads on to its preview", async () => {
    const [pm] = await journey.owner<{ id: number }[]>`select id from app_user where account = 'pm'`;
    const id = randomUUID();
    await journey.owner`
      insert into task (id, project_id, kind, direction, title, params, status, progress, created_by, created_at, started_at, finished_at)
      values (${id}, ${projectId}, 'imports.preview', 'import', 'plan.xlsx', ${journey.owner.json({ kind: "dus" })}, 'succeeded', 100, ${pm!.id}, now(), now(), now())`;
    const t = textsOf("zh", "tasks");
    const { page, context } = await signIn(journey, "pm", { lang: "zh", to: `/${number}/tasks/imports?id=${id}` });
    const link = page.getByRole("dialog").getByRole("link", { name: t("action.preview") });
    await expect.poll(() => link.getAttribute("href")).toBe(`/${number}/rollout-plan/sites?import=dus&task=${id}`);
    await expectAccessible(page);
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
