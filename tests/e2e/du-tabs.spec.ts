import { readFile } from "node:fs/promises";
import type { Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import * as XLSX from "xlsx";
import { makeTab, makeTabAttribute } from "../lib/du-tabs/make-tab.ts";
import { alive, expectAccessible, languageCases, makeJourneyProject, picture, signIn, useJourney } from "../support/journey.ts";
import { makeDus } from "../support/plan-factories.ts";
import { callFromPage } from "../support/plan-page.ts";
import { newestFile, rowCell, workbookFile } from "../support/row-grid.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();
const number = "DUTABS";
let projectId: number;
let dus: number[];

beforeAll(async () => {
  projectId = await makeJourneyProject(journey.owner, number);
  dus = await makeDus(journey.owner, projectId, [{ code: "T-1" }, { code: "T-2" }, { code: "T-3" }]);
});

/** The workbook with cells put in place, by number of the row and head. */
function filled(bytes: Buffer, cells: readonly [row: number, head: string, value: string | null][]): Buffer {
  const book = XLSX.read(bytes, { cellStyles: true });
  const sheet = book.Sheets[book.SheetNames[0]!]!;
  const heads = XLSX.utils.sheet_to_json<string[]>(sheet, { header: 1 })[1]!;
  for (const [row, head, value] of cells) {
    const c = heads.indexOf(head);
    expect(c, head).toBeGreaterThan(-1);
    const at = XLSX.utils.encode_cell({ r: row - 1, c });
    if (value === null) delete sheet[at];
    else sheet[at] = { t: "s", v: value };
  }
  return XLSX.write(book, { type: "buffer", bookType: "xlsx" });
}

describe("DU tabs", () => {
  it("are made, filled in the table and as workbooks, with every error by sheet, row and column and a marked copy [DUT-01] [DUT-12] [DUT-13] [DUT-15] [DUT-17]", {
    timeout: 240_000,
  }, async () => {
    const [t, common, fields, ui, errors, words] = (["du-tabs", "common", "dus", "ui", "errors", "grid"] as const).map((area) =>
      textsOf("zh", area),
    ) as [
      ReturnType<typeof textsOf>,
      ReturnType<typeof textsOf>,
      ReturnType<typeof textsOf>,
      ReturnType<typeof textsOf>,
      ReturnType<typeof textsOf>,
      ReturnType<typeof textsOf>,
    ];
    const { page, context, complaints } = await signIn(journey, "pm", { lang: "zh", skin: "dark", to: `/${number}#/listDuTab` });
    await page.waitForURL(`**/${number}/du-tabs`);
    await alive(page);
    const dialog = page.getByRole("dialog");
    const button = (name: string | RegExp, within: Pick<Page, "getByRole"> = page) =>
      within.getByRole("button", typeof name === "string" ? { name, exact: true } : { name });

    /** Waits for a refusal and closes it. */
    const closed = async (text: string) => {
      const refusal = page.getByRole("alert").filter({ hasText: text });
      await refusal.getByRole("button", { name: ui("toast.close") }).click();
    };

    // No tab yet: one is made here.
    await page.getByRole("heading", { name: t("tabs.empty") }).waitFor();
    await picture(page, "du-tabs-none");
    await button(t("admin.new")).click();
    await dialog.getByLabel(t("admin.name")).fill("网元");
    await button(common("create"), dialog).click();
    await dialog.getByRole("rowheader", { name: "网元" }).waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    const [tab] = await journey.owner<{ id: number }[]>`select id from du_tab where project_id = ${projectId}`;
    const kind = await makeTabAttribute(journey.owner, projectId, tab!.id, {
      name: "类型",
      type: "ENUM",
      enums: ["宏站", "室分"],
      required: true,
    });
    const day = await makeTabAttribute(journey.owner, projectId, tab!.id, { name: "安装日期", type: "DATE" });
    const note = await makeTabAttribute(journey.owner, projectId, tab!.id, { name: "备注" });
    await page.reload();
    await alive(page);
    await page.getByRole("heading", { name: t("list.empty") }).waitFor();

    // A row of a DU: what it must have is asked for, and named where it is missing.
    await button(t("new.verb")).first().click();
    await dialog.getByLabel(fields("fields.code")).fill("T-1");
    await page.getByRole("option", { name: /^T-1/ }).click();
    await dialog.getByLabel(t("sheet.sn")).fill("7001");
    await button(common("create"), dialog).click();
    await dialog.getByText(errors("EMPTY_CONTENT", { field: "类型" })).waitFor();
    await dialog.getByLabel("类型").click();
    await page.getByRole("option", { name: "宏站" }).click();
    await picture(page, "du-tabs-new-row");
    await button(common("create"), dialog).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText(t("list.count", { count: 1 }), { exact: true }).waitFor();
    const saveRow = (rows: object[]) => callFromPage<{ saved: { id: number }[] }>(page, "duTabAttr/saveRow", { tabId: tab!.id, rows });
    const macro = { [kind.key]: String(kind.enumIds[0]) };
    await saveRow([
      { duId: dus[1], sn: "7002", data: macro },
      { duId: dus[2], sn: "7003", data: macro },
    ]);

    // Looked for by DU, by serial number; the conditions are dropped together.
    const search = page.getByRole("textbox", { name: t("list.search") });
    await search.fill("T-3");
    await page.getByText(t("list.count", { count: 1 }), { exact: true }).waitFor();
    await expect.poll(async () => (await rowCell(page, 1, "SN")).innerText()).toBe("7003");
    await button(t("list.drop")).click();
    await page.getByText(t("list.count", { count: 3 }), { exact: true }).waitFor();

    // Edited by keys, taken back by keys; what others changed meanwhile is no loss.
    await (await rowCell(page, 1, "安装日期")).click();
    await page.keyboard.type("2026-03-01");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+z");
    await expect.poll(async () => (await rowCell(page, 1, "安装日期")).innerText()).toBe("");
    await page.keyboard.press("Control+y");
    await expect.poll(async () => (await rowCell(page, 1, "安装日期")).innerText()).toContain("2026-03-01");
    // A date is taken from the calendar below its cell too.
    await (await rowCell(page, 1, "安装日期")).dblclick();
    await page.locator("td button", { hasText: /^15$/ }).click();
    await expect.poll(async () => (await rowCell(page, 1, "安装日期")).innerText()).toContain("2026-03-15");
    await page.keyboard.press("Control+z");
    await expect.poll(async () => (await rowCell(page, 1, "安装日期")).innerText()).toContain("2026-03-01");
    await (await rowCell(page, 1, "类型")).click();
    await page.keyboard.press("F2");
    await page.keyboard.type("室");
    await page.keyboard.press("Enter");
    const [row] = await journey.owner<{ id: number }[]>`select id from du_tab_row where tab_id = ${tab!.id} and sn = '7001'`;
    await saveRow([{ id: row!.id, duId: dus[0], rowVersion: 1, data: { [day.key]: "2026-09-09" } }]);
    await page.keyboard.press("Control+s");
    await closed(t("saving.stale", { count: 1 }));
    await button(words("rowConflict.verb", { count: 1 })).click();
    await dialog.getByRole("cell", { name: "2026-03-01" }).waitFor();
    await dialog.getByRole("cell", { name: /2026-09-09/ }).waitFor();
    await expectAccessible(page);
    await picture(page, "du-tabs-conflict");
    await button(words("rowConflict.allMine"), dialog).click();
    await button(new RegExp(`^${common("save")}`)).click();
    await page
      .getByText(t("saving.done", { count: 1 }))
      .first()
      .waitFor();
    const stored = async () => (await journey.owner`select data from du_tab_row where id = ${row!.id}`)[0]?.data;
    expect(await stored()).toEqual({ [kind.key]: String(kind.enumIds[1]), [day.key]: "2026-03-01" });

    // Deleted, and taken back from the note.
    await (await rowCell(page, 3, "SN")).click();
    await page.keyboard.press("Space");
    await button(t("deleting.verb", { count: 1 })).click();
    await button(t("deleting.verb", { count: 1 }), dialog).click();
    await page.getByText(t("list.count", { count: 2 }), { exact: true }).waitFor();
    await button(t("deleting.undo")).click();
    await page.getByText(t("list.count", { count: 3 }), { exact: true }).waitFor();

    // Who changed what.
    await (await rowCell(page, 1, "SN")).click();
    await button(t("history.verb")).click();
    await dialog.getByText("2026-09-09").first().waitFor();
    await dialog.getByRole("button", { name: t("history.wholeTab") }).click();
    await dialog.getByText(t("history.source.RESTORE")).waitFor();
    await expectAccessible(page);
    await picture(page, "du-tabs-history");
    await page.keyboard.press("Escape");

    // Who writes the tab.
    await button(t("users.verb")).click();
    await dialog.getByLabel(t("users.addRole")).click();
    await page.getByRole("option", { name: "TD", exact: true }).click();
    await dialog.getByLabel(t("users.addRole")).click();
    await page.getByRole("option", { name: "DQA", exact: true }).click();
    await button(common("save"), dialog).click();
    await dialog.waitFor({ state: "detached" });
    await button(t("users.verb")).click();
    await dialog.getByText(t("users.idle")).waitFor();
    await expectAccessible(page);
    await picture(page, "du-tabs-users");
    await page.keyboard.press("Escape");

    // A tab with rows is not deleted.
    await button(t("admin.verb")).click();
    await button(t("admin.delete", { name: "网元" }), dialog).click();
    await button(common("delete"), dialog).click();
    await closed(errors("TAB_HAS_ROWS", { count: 3 }));
    await page.keyboard.press("Escape");

    // Exported, filled in, taken back: what is wrong is told by file, sheet, row and column, and nothing is written.
    await button(t("export.verb")).click();
    await dialog.getByText(t("export.text", { count: 3 })).waitFor();
    await button(t("export.verb"), dialog).click();
    await page.getByText(ui("export.started")).first().waitFor();
    const bytes = await newestFile(journey, page, { id: projectId, number }, "duTabs.export");
    const wrong = filled(bytes, [
      [3, "备注", "来自表格"],
      [4, "SN", "7001"],
      [5, "安装日期", "2025/3/1"],
    ]);
    await button(t("import.verb")).click();
    const files = dialog.locator("input[type=file]");
    await files.setInputFiles(Array.from({ length: 6 }, (_, at) => workbookFile(`${at}.xlsx`, Buffer.from("x"))));
    await dialog.getByText(t("import.tooMany", { max: 5 }), { exact: true }).waitFor();
    for (let at = 0; at < 6; at++) await button(t("import.leaveOut", { name: `${at}.xlsx` }), dialog).click();
    await files.setInputFiles([workbookFile("网元.xlsx", wrong)]);
    await expectAccessible(page);
    await picture(page, "du-tabs-import");
    await button(t("import.verb"), dialog).click();
    const table = dialog.getByRole("table", { name: t("import.errors", { count: 2 }) });
    await table.waitFor({ timeout: 60_000 });
    expect((await table.getByRole("row").allInnerTexts()).slice(1).map((line) => line.split("\t"))).toEqual([
      ["网元.xlsx", "网元", "4", "SN", errors("SN_REPEATED")],
      ["网元.xlsx", "网元", "5", "安装日期", errors("NOT_A_DATE", { field: "安装日期" })],
    ]);
    await expectAccessible(page);
    await picture(page, "du-tabs-import-errors");
    const link = dialog.getByRole("link", { name: t("import.markedOf", { name: "网元.xlsx" }) });
    const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
    const marked = await readFile(await download.path());
    const sheet = XLSX.read(marked, { cellStyles: true }).Sheets.网元!;
    const noted = Object.values(sheet).flatMap((one) => (one && typeof one === "object" && "c" in one ? [one.c[0].t] : []));
    expect(noted).toEqual([errors("SN_REPEATED"), errors("NOT_A_DATE", { field: "安装日期" })]);
    expect((await stored())?.[note.key]).toBeUndefined();

    // The marked copy put right is written.
    await button(t("import.again"), dialog).click();
    const right = filled(marked, [
      [4, "SN", "7002"],
      [5, "安装日期", "2025-03-01"],
    ]);
    await files.setInputFiles([workbookFile("网元.xlsx", right)]);
    await button(t("import.verb"), dialog).click();
    await dialog.getByText(t("import.written", { count: 2 })).waitFor({ timeout: 60_000 });
    await button(common("close"), dialog).last().click();
    await expect.poll(async () => (await rowCell(page, 1, "备注")).innerText()).toBe("来自表格");
    await picture(page, "du-tabs-dark");
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("are read by who may not write them, in every language, and of a tab by DU every DU has its line [DUT-01] [DUT-12]", {
    timeout: 120_000,
  }, async () => {
    const sites = await makeTab(journey.owner, projectId, "Site keys", "DU");
    const key = await makeTabAttribute(journey.owner, projectId, sites, { name: "Key" });
    for (let at = 1; at <= 4; at++) await makeTab(journey.owner, projectId, `More ${at}`);
    for (const { lang, skin } of languageCases.filter((one) => one.lang !== "zh")) {
      const [t, common] = [textsOf(lang, "du-tabs"), textsOf(lang, "common")];
      const to = `/${number}/du-tabs?tab=${sites}`;
      const { page, context, complaints } = await signIn(journey, "tl", { lang, skin, to });
      await page.getByText(t("list.count", { count: 3 }), { exact: true }).waitFor();
      expect(await page.getByRole("tab", { selected: true }).innerText()).toContain("Site keys");
      await page
        .getByRole("img", { name: t("list.readOnly") })
        .first()
        .waitFor();
      for (const name of [t("import.verb"), t("new.verb"), t("users.verb"), t("admin.verb"), common("save")])
        expect(await page.getByRole("button", { name, exact: true }).count(), name).toBe(0);
      await expectAccessible(page);
      // Along the strip by keys; a list of all tabs where there are many.
      await page.getByRole("tab", { selected: true }).focus();
      await page.keyboard.press("ArrowLeft");
      await page.getByRole("heading", { name: t("list.empty") }).waitFor();
      await page.getByText(t("list.emptyRead")).waitFor();
      await page.getByRole("button", { name: t("list.allTabs", { count: await page.getByRole("tab").count() }) }).click();
      await page.getByRole("menuitem", { name: "Site keys" }).click();
      await page.getByText(t("list.count", { count: 3 }), { exact: true }).waitFor();
      await picture(page, `du-tabs-read-${skin}-${lang}`);
      expect(complaints).toEqual([]);
      await context.close();
    }
    // Who writes fills in the line of a DU that has no row yet; another tab does not lose what is not saved.
    const t = textsOf("en", "du-tabs");
    const { page, context } = await signIn(journey, "pm", { lang: "en", skin: "light", to: `/${number}/du-tabs?tab=${sites}` });
    await page.getByText(t("list.count", { count: 3 }), { exact: true }).waitFor();
    await (await rowCell(page, 2, "Key")).click();
    await page.keyboard.type("under the mat");
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: /More 1/ }).click();
    await page.getByRole("heading", { name: t("list.empty") }).waitFor();
    await page.getByRole("tab", { name: /Site keys/ }).click();
    await expect.poll(async () => (await rowCell(page, 2, "Key")).innerText()).toContain("under the mat");
    await (await rowCell(page, 2, "Key")).click();
    await page.keyboard.press("Control+s");
    await page
      .getByText(t("saving.done", { count: 1 }))
      .first()
      .waitFor();
    expect(await journey.owner`select data from du_tab_row where tab_id = ${sites}`).toMatchObject([
      { data: { [key.key]: "under the mat" } },
    ]);
    await picture(page, "du-tabs-light");
    await context.close();
  });
});
