import type { Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { alive, expectAccessible, makeJourneyProject, picture, signIn, useJourney } from "../support/journey.ts";
import { makeActivities, makeDus, makeFlow } from "../support/plan-factories.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();
const number = "MASTER";
let projectId: number;

beforeAll(async () => {
  projectId = await makeJourneyProject(journey.owner, number);
  const [pm] = await journey.owner<{ id: number }[]>`select id from app_user where account = 'pm'`;
  const activities = await makeActivities(journey.owner, projectId, ["Survey"]);
  const flow = { id: await makeFlow(journey.owner, projectId, pm!.id, activities), activities };
  await makeDus(journey.owner, projectId, [{ code: "M-1", plan: { 1: { plan_end: "2027-01-05" } } }, { code: "M-2" }], flow);
});

const cell = (page: Page, row: number, column: number) =>
  page.locator(`[role=row][aria-rowindex="${row + 2}"] [role=gridcell][aria-colindex="${column}"]`);

/** Column of a field of the grid, by its name. */
async function columnOf(page: Page, name: string): Promise<number> {
  return Number(await page.getByRole("columnheader", { name }).last().getAttribute("aria-colindex"));
}

describe("DUs and sites", () => {
  it("are kept on the screen of their original address, which says of load, save, update, delete, upload and import what became of it and why not [RPL-08] [OPS-23] [OPS-27]", {
    timeout: 180_000,
  }, async () => {
    const [t, common, imports, errors, ui] = [
      textsOf("en", "dus"),
      textsOf("en", "common"),
      textsOf("en", "imports"),
      textsOf("en", "errors"),
      textsOf("en", "ui"),
    ] as const;
    const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", skin: "light", to: `/${number}` });
    await page.getByRole("grid").waitFor();

    // Load: failed with its reason and a retry, then done.
    await page.route("**/api/du/list/**", (route) => route.abort());
    await page.goto(`${journey.base}/${number}#/dUSiteConfig`);
    await page.waitForURL((url) => url.pathname === `/${number}/rollout-plan/sites`);
    await alive(page);
    await page.getByRole("heading", { name: t("list.failed") }).waitFor();
    await page.getByText(errors("SERVICE_ERROR")).waitFor();
    await page.unroute("**/api/du/list/**");
    await page.getByRole("button", { name: ui("error.retry") }).click();
    await page.getByText(t("list.count", { count: 2 })).waitFor();

    // Save: refused with its reason, then done.
    await page.getByRole("button", { name: t("new.dus") }).click();
    const dialog = page.getByRole("dialog");
    await dialog.locator("[name=code]").fill("M-2");
    await dialog.locator("[name=name]").fill("Third");
    await dialog.getByRole("button", { name: common("create") }).click();
    await dialog.getByText(errors("CODE_EXISTS")).waitFor();
    await dialog.locator("[name=code]").fill("M-3");
    await dialog.getByRole("button", { name: common("create") }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText(t("list.count", { count: 1 })).waitFor();

    // Update.
    const column = await columnOf(page, t("fields.name"));
    await cell(page, 1, column).click();
    await page.keyboard.type("Renamed");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+s");
    await page
      .getByText(t("saving.done", { count: 1 }))
      .first()
      .waitFor();
    await page.route("**/api/du/save**", (route) =>
      route.fulfill({ status: 503, json: { status: 503, code: "SERVICE_ERROR", msg: errors("SERVICE_ERROR") } }),
    );
    await cell(page, 1, column).click();
    await page.keyboard.type("Lost");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+s");
    const refusal = page.getByRole("alert").filter({ hasText: errors("SERVICE_ERROR") });
    await refusal.waitFor();
    await refusal.getByRole("button", { name: ui("toast.close") }).click();
    await page.unroute("**/api/du/save**");
    await page.getByRole("button", { name: new RegExp(`^${common("save")}`) }).click();
    await expect
      .poll(async () => (await journey.owner`select name from du where project_id = ${projectId} and code = 'M-3'`)[0]?.name)
      .toBe("Lost");

    // In the order of a column by a click on its head, turned round by the next.
    await page.getByRole("textbox", { name: t("list.search") }).fill("");
    await page.getByText(t("list.count", { count: 3 })).waitFor();
    const codes = await columnOf(page, t("fields.code"));
    for (const [first, sort] of [
      ["M-1", "ascending"],
      ["M-3", "descending"],
    ] as const) {
      await page
        .getByRole("columnheader", { name: t("fields.code") })
        .getByRole("button")
        .click();
      await expect.poll(() => cell(page, 1, codes).innerText()).toBe(first);
      expect(
        await page
          .getByRole("columnheader", { name: t("fields.code") })
          .last()
          .getAttribute("aria-sort"),
      ).toBe(sort);
    }

    // Moved to another sub-project.
    await cell(page, 1, codes).click();
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: t("moving.verb", { count: 1 }) }).click();
    await page.getByRole("dialog").getByRole("textbox").fill("SUB-9");
    await page
      .getByRole("dialog")
      .getByRole("button", { name: t("moving.verb", { count: 1 }) })
      .click();
    await page
      .getByText(t("moving.done", { count: 1 }))
      .first()
      .waitFor();
    expect(
      (await journey.owner`select sub_project_code from du where project_id = ${projectId} and code = 'M-3'`)[0]?.sub_project_code,
    ).toBe("SUB-9");

    // Delete: what is kept is told with its reason.
    await page.getByRole("checkbox", { name: textsOf("en", "grid")("selectAllRows") }).click();
    await page.getByRole("button", { name: t("deleting.dus", { count: 3 }) }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: t("deleting.dus", { count: 3 }) })
      .click();
    await page
      .getByText(t("deleting.done", { count: 2 }))
      .first()
      .waitFor();

    await page
      .getByText(t("deleting.kept", { count: 1, reason: errors("DU_HAS_PLAN") }))
      .first()
      .waitFor();
    await picture(page, "master-data-deleted");

    // Sites are edited the same way.
    await page.getByRole("link", { name: t("tabs.sites"), exact: true }).click();
    await page.getByText(t("list.count", { count: 3 })).waitFor();
    await cell(page, 1, await columnOf(page, t("fields.city"))).click();
    await page.keyboard.type("Suzhou");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+s");
    await expect.poll(() => journey.owner`select 1 from customer_site where project_id = ${projectId} and city = 'Suzhou'`).toHaveLength(1);
    await expectAccessible(page);

    // Upload: refused with its reason; import: written, refused rows with theirs.
    await page.getByRole("button", { name: common("import"), exact: true }).click();
    await page.getByText(imports("file.drop")).waitFor();
    const send = (name: string, text: string) =>
      page.locator("input[type=file]").setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
    await send("sites.txt", "code,name\nX,Y\n");
    await page.getByRole("heading", { name: imports("file.failed") }).waitFor();
    await page.getByText(errors("FILE_FORMAT")).first().waitFor();
    await send("sites.csv", "code,name,latitude\nN-1,New,31\nN-2,Far,123\n");
    await page.getByRole("button", { name: imports("foot.checkVerb"), exact: true }).click();
    await page.getByRole("button", { name: imports("foot.apply", { count: 1 }) }).click();
    await page.getByRole("heading", { name: imports("result.title", { count: 1 }) }).waitFor({ timeout: 60_000 });
    await page.getByRole("link", { name: imports("panel.download") }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });
});
