import type { Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { alive, expectAccessible, makeJourneyProject, picture, signIn, useJourney } from "../support/journey.ts";
import { makeDus } from "../support/plan-factories.ts";
import { callFromPage } from "../support/plan-page.ts";
import { newestFile, rowCell, withRows, workbookFile } from "../support/row-grid.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();
const number = "ENGHOME";
let projectId: number;
let dus: number[];

beforeAll(async () => {
  projectId = await makeJourneyProject(journey.owner, number);
  dus = await makeDus(journey.owner, projectId, [{ code: "E-1" }, { code: "E-2" }, { code: "E-3" }]);
});

describe("the planning engine", () => {
  it("takes its inputs by grid and workbook, and says what keeps them from being planned [ENG-02] [ENG-06] [ENG-18] [ENG-31] [ENG-32]", {
    timeout: 240_000,
  }, async () => {
    const [t, common, errors, shell, settings] = (["engine-home", "common", "errors", "shell", "engine-inputs"] as const).map((area) =>
      textsOf("zh", area),
    ) as [
      ReturnType<typeof textsOf>,
      ReturnType<typeof textsOf>,
      ReturnType<typeof textsOf>,
      ReturnType<typeof textsOf>,
      ReturnType<typeof textsOf>,
    ];
    const { page, context, complaints } = await signIn(journey, "pm", { lang: "zh", skin: "dark", to: `/${number}#/engine` });
    await page.waitForURL(`**/${number}/planning-engine`);
    await alive(page);
    const dialog = page.getByRole("dialog");
    const button = (name: string | RegExp, within: Pick<Page, "getByRole"> = page) =>
      within.getByRole("button", typeof name === "string" ? { name, exact: true } : { name });
    const tiles = page.getByRole("list", { name: t("tiles.label") });
    const tile = (name: string) => tiles.getByRole("listitem").filter({ has: page.getByText(t(`blocks.${name}`), { exact: true }) });

    // Nothing yet: a version is made here, and is the current one.
    await page.getByRole("heading", { name: t("version.empty") }).waitFor();
    await picture(page, "engine-home-none");
    await button(t("version.new")).first().click();
    await dialog.getByLabel(t("version.name")).fill("第一版");
    await button(common("create"), dialog).click();
    await tile("du").getByText(t("state.not_configured")).waitFor();
    await page
      .getByRole("row", { name: /第一版/ })
      .getByText(t("flag.isCurrent"))
      .waitFor();

    // Settings: a bound is named at its field, and nothing is saved where nothing was modified.
    await tile("setting").getByRole("button").click();
    await dialog.getByText(t("setting.help.noActivities")).waitFor();
    await dialog.getByLabel(settings("sheet.setting.islands")).fill("9");
    await button(t("setting.save"), dialog).click();
    await dialog.getByText(errors("NUMBER_RANGE", { min: 1, max: 8, decimals: 0 })).waitFor();
    await dialog.getByLabel(settings("sheet.setting.islands")).fill("1");
    await dialog.getByLabel(settings("sheet.setting.evaluationLimit")).fill("60");
    await button(t("setting.save"), dialog).click();
    await dialog.waitFor({ state: "detached" });
    await tile("setting").getByText(t("state.configured")).waitFor();
    await tile("setting").getByRole("button").click();
    await button(t("setting.save"), dialog).click();
    await dialog.getByText(errors("NOTHING_MODIFIED")).waitFor();
    await expectAccessible(page);
    await picture(page, "engine-settings");
    await page.keyboard.press("Escape");

    // A row is typed, taken back and typed again; verbs that need rows say so, and who leaves is asked.
    await tile("du").getByRole("link").click();
    await page.waitForURL(/planning-engine\/inputs\?/);
    await page.getByRole("heading", { name: t("rows.empty") }).waitFor();
    await button(common("delete")).click();
    await page
      .getByText(errors("NO_SELECTION", { object: "record" }))
      .first()
      .waitFor();
    expect(await button(common("save")).isDisabled()).toBe(true);
    await button(t("rows.add")).first().click();
    const code = `${t("fields.duCode")} *`;
    const flow = `${t("fields.workflowName")} *`;
    await page.keyboard.type("E-1");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+z");
    await expect.poll(async () => (await rowCell(page, 1, code)).innerText()).toBe("");
    await page.keyboard.press("Control+y");
    await expect.poll(async () => (await rowCell(page, 1, code)).innerText()).toContain("E-1");
    await (await rowCell(page, 1, flow)).click();
    await page.keyboard.type("NEW");
    await page.keyboard.press("Enter");
    await page
      .getByRole("link", { name: textsOf("zh", "screens")("planningEngine") })
      .first()
      .click();
    await dialog.getByText(shell("leave.text")).waitFor();
    await button(common("cancel"), dialog).click();
    await dialog.waitFor({ state: "detached" });
    await (await rowCell(page, 1, flow)).click();
    await page.keyboard.press("Control+s");
    await page
      .getByText(t("saving.done", { count: 1 }))
      .first()
      .waitFor();
    await page.getByText(common("rows", { count: 1 }), { exact: true }).waitFor();

    // The others come by workbook: a wrong one is refused whole, with its reasons to download.
    await button(common("export")).click();
    const bytes = await newestFile(journey, page, { id: projectId, number }, "planningEngine.export");
    const send = async (rows: Record<string, string | number>[]) => {
      await button(common("import")).click();
      await dialog.locator("input[type=file]").setInputFiles(workbookFile("dus.xlsx", withRows(bytes, rows)));
    };
    const second = { duCode: "E-2", workflowName: "NEW", duType: "install", planEndDate: "2027-06-30" };
    await send([second, { duCode: "E-9", workflowName: "NEW", duType: "install" }]);
    await dialog.getByRole("link", { name: t("import.errorFile") }).waitFor({ timeout: 60_000 });
    await picture(page, "engine-import-refused");
    await button(common("close"), dialog).last().click();
    await send([second, { ...second, duCode: "E-3" }]);
    await dialog.getByText(t("import.done", { count: 3 })).waitFor({ timeout: 60_000 });
    await button(common("close"), dialog).last().click();
    await page.getByText(common("rows", { count: 3 }), { exact: true }).waitFor();
    await expect.poll(async () => (await rowCell(page, 3, code)).innerText()).toContain("E-3");
    await expectAccessible(page);
    await picture(page, "engine-inputs-du");

    // Pasted rows find room below the last one.
    await page.getByRole("tab", { name: t("blocks.skillResource") }).click();
    await page.getByRole("heading", { name: t("rows.empty") }).waitFor();
    await page.evaluate(() => navigator.clipboard.writeText("SUR\tAlpha\t\t1\nINST\tAlpha\t\t1"));
    await button(t("rows.add")).first().click();
    await page.keyboard.press("Control+v");
    await page.keyboard.press("Control+s");
    await page
      .getByText(t("saving.done", { count: 2 }))
      .first()
      .waitFor();
    const [version] = await journey.owner<{ id: number }[]>`select id from engine_plan_version where project_id = ${projectId}`;
    const versionId = version!.id;

    // What the check finds leads to the rows it speaks of.
    await page
      .getByRole("link", { name: textsOf("zh", "screens")("planningEngine") })
      .first()
      .click();
    await button(t("check.verb")).click();
    const found = page.getByRole("region", { name: t("check.label"), exact: true });
    await found.getByRole("link").first().waitFor();
    await expectAccessible(page);
    await picture(page, "engine-check");
    await found
      .getByRole("listitem")
      .filter({ hasText: t("blocks.activity") })
      .getByRole("link")
      .first()
      .click();
    await page.waitForURL(/block=activity/);
    await page.getByRole("tab", { name: t("blocks.activity"), selected: true }).waitFor();
    await callFromPage(page, "engine/activity/save", {
      versionId,
      rows: [
        { workflowName: "NEW", activityName: "Survey", durationDays: 1, needSubcontractor: true, skillType: "SUR" },
        {
          workflowName: "NEW",
          activityName: "Install",
          sort: 2,
          durationDays: 3,
          needSubcontractor: true,
          skillType: "INST",
          predecessors: [{ activityName: "Survey", relation: "FS", offsetDays: 2 }],
        },
      ],
    });
    await page.reload();
    await alive(page);
    const predecessors = await rowCell(page, 2, t("fields.predecessors"));
    await expect.poll(async () => predecessors.innerText()).toContain("Survey FS+2");
    await predecessors.click();
    await page.keyboard.type("Survey SS+1");
    await page.keyboard.press("Enter");
    await expect.poll(async () => predecessors.innerText()).toContain("Survey SS+1");
    await page.keyboard.press("Control+s");
    await page
      .getByText(t("saving.done", { count: 1 }))
      .first()
      .waitFor();
    expect(await journey.owner`select relation, offset_days from engine_activity_pre where project_id = ${projectId}`).toEqual([
      { relation: "SS", offset_days: 1 },
    ]);

    expect(complaints).toEqual([]);
    await context.close();
    expect(dus).toHaveLength(3);
  });

  it("synchronises stock, says why that failed and tries again; not beside unsaved rows; deletes it with its warehouse only once that is confirmed [ENG-19] [ENG-33] [ENG-36] [ENG-59] [ENG-60]", {
    timeout: 120_000,
  }, async () => {
    const [t, common] = [textsOf("ja", "engine-home"), textsOf("ja", "common")];
    const { page, context, complaints } = await signIn(journey, "pm", { lang: "ja", skin: "light", to: `/${number}/planning-engine` });
    await alive(page);
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    const dialog = page.getByRole("dialog");
    const tile = page.getByRole("listitem").filter({ has: page.getByText(t("blocks.inventory"), { exact: true }) });
    const { ids } = await callFromPage<{ ids: number[] }>(page, "nc/centerWarehouse/save", {
      rows: [{ name: "Main", type: "central", priority: 1 }],
    });
    await callFromPage(page, "nc/warehouseMapping/save", { rows: [{ sourceSystem: "WMS", sourceCode: "W1", warehouseId: ids[0]! }] });

    // What the other system has, and what is told when it did not answer.
    await tile.getByText(t("sync.idle")).waitFor();
    await tile.getByRole("button", { name: t("sync.verb"), exact: true }).click();
    await tile.getByText(t("sync.success")).waitFor();
    const rows = async () =>
      (await journey.owner`select 1 from engine_inventory where project_id = ${projectId} and origin = 'sync'`).length;
    const stock = await rows();
    expect(stock).toBeGreaterThan(0);
    await expectAccessible(page);
    await picture(page, "engine-sync-done");
    await journey.owner`
      update engine_inventory_sync set state = 'failed', rows = null, reason = 'HTTP 503' where project_id = ${projectId}`;
    await page.reload();
    await tile.getByText("HTTP 503").waitFor();
    await expectAccessible(page);
    await picture(page, "engine-sync-failed");
    await tile.getByRole("button", { name: t("sync.retry"), exact: true }).click();
    await tile.getByText(t("sync.success")).waitFor();
    expect(await rows()).toBe(stock);

    // What is not saved would be told apart no more.
    const tasks = async () =>
      (await journey.owner`select 1 from task where project_id = ${projectId} and kind = 'planningEngine.sync'`).length;
    await tile.getByRole("link").click();
    await page
      .getByRole("gridcell", { name: t("values.origin.sync"), exact: true })
      .first()
      .waitFor();
    await button(t("rows.add")).first().click();
    await page.keyboard.type("CABLE");
    await page.keyboard.press("Enter");
    await button(t("sync.verb")).click();
    await page.getByText(t("sync.dirty")).first().waitFor();
    expect(await tasks()).toBe(2);
    await page.keyboard.press("Control+z");
    await page.reload();
    await page
      .getByRole("gridcell", { name: t("values.origin.sync"), exact: true })
      .first()
      .waitFor();

    await page.getByRole("tab", { name: t("blocks.warehouse"), exact: true }).click();
    await page.getByText("Main").click();
    await page.keyboard.press("Space");
    await button(common("delete")).click();
    await dialog.getByRole("button", { name: t("deleting.verb", { count: 1 }) }).click();
    await dialog.getByText(t("deleting.stockText", { count: stock })).waitFor();
    await expectAccessible(page);
    await picture(page, "engine-warehouse-delete");
    await dialog.getByRole("button", { name: t("deleting.stockVerb") }).click();
    await page.getByRole("heading", { name: t("rows.empty") }).waitFor();
    expect(await rows()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
