import { readFile } from "node:fs/promises";
import type { Page } from "playwright";
import { describe, expect, it } from "vitest";
import * as XLSX from "xlsx";
import { expectAccessible, makeJourneyProject, picture, signIn, useJourney } from "../support/journey.ts";
import { makeActivities, makeDus, makeFlow } from "../support/plan-factories.ts";
import { callFromPage } from "../support/plan-page.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();
const workbook = (name: string, buffer: Buffer) => ({
  name,
  mimeType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  buffer,
});

/** Exports what the screen shows and gives the bytes of the workbook. */
async function exportFrom(page: Page, lang: "zh" | "en" | "ja"): Promise<Buffer> {
  const [common, ui, tasks] = [textsOf(lang, "common"), textsOf(lang, "ui"), textsOf(lang, "tasks")];
  await page.getByRole("button", { name: common("export"), exact: true }).click();
  await page.getByText(ui("export.started")).first().waitFor();
  // The end of the export is told with the same verb.
  await page
    .getByRole("button", { name: ui("export.show"), exact: true })
    .first()
    .click();
  await page.waitForURL((url) => url.pathname.endsWith("/tasks/exports"));
  const link = page.getByRole("link", { name: new RegExp(`^${tasks("file.result")}`) }).first();
  await link.waitFor({ timeout: 60_000 });
  const [file] = await Promise.all([page.waitForEvent("download"), link.click()]);
  return readFile(await file.path());
}

/** Leads a workbook of this product through the import up to its preview. */
async function previewOf(page: Page, lang: "zh" | "en" | "ja", bytes: Buffer): Promise<string[]> {
  const t = textsOf(lang, "imports");
  await page.locator("input[type=file]").setInputFiles(workbook("back.xlsx", bytes));
  await page.getByRole("button", { name: t("foot.checkVerb"), exact: true }).click();
  await page.locator("dl > div").first().waitFor({ timeout: 60_000 });
  return (await page.locator("dl > div").allInnerTexts()).map((text) => text.split("\n")[0]!);
}

describe("workbooks of DUs, sites and members", () => {
  it.each([
    ["zh", "dark"],
    ["en", "light"],
    ["ja", "dark"],
  ] as const)("come back from their screens without a change, in %s", { timeout: 240_000 }, async (lang, skin) => {
    const number = `BOOK-${lang.toUpperCase()}`;
    const projectId = await makeJourneyProject(journey.owner, number);
    const [pm] = await journey.owner<{ id: number }[]>`select id from app_user where account = 'pm'`;
    const activities = await makeActivities(journey.owner, projectId, ["Survey"]);
    const flow = { id: await makeFlow(journey.owner, projectId, pm!.id, activities), activities };
    await makeDus(journey.owner, projectId, [{ code: "=B-1", name: "@one" }, { code: "B-2" }], flow);
    await journey.owner`update du set work_type = 'dismantle', allow_direct_moving = true, eomonth = '2026-10' where project_id = ${projectId} and code = 'B-2'`;
    const roles = (await journey.owner`select 1 from project_member where project_id = ${projectId}`).length;
    const t = textsOf(lang, "imports");
    const screens = [
      ["sites", "/rollout-plan/sites", "?import=dus", 2],
      ["sites", "/rollout-plan/sites?tab=sites", "?tab=sites&import=sites", 2],
      ["members", "/access/members", "?import=members", roles],
    ] as const;
    const { page, context, complaints } = await signIn(journey, "pm", { lang, skin, to: `/${number}` });
    for (const [, path, query, rows] of screens) {
      await page.goto(`${journey.base}/${number}${path}`);
      const bytes = await exportFrom(page, lang);
      await page.goto(`${journey.base}/${number}${path.split("?")[0]}${query}`);
      const tiles = await previewOf(page, lang, bytes);
      expect([query, ...tiles.map(Number)]).toEqual([query, 0, 0, rows, 0]);
      await page.getByText(t("foot.none"), { exact: true }).waitFor();
      await expectAccessible(page);
    }
    await picture(page, `members-import-${skin}-${lang}`);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("give and change roles from an edited workbook, with what is refused named by row and column", { timeout: 180_000 }, async () => {
    const number = "BOOK-CREW";
    const projectId = await makeJourneyProject(journey.owner, number);
    const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", skin: "light", to: `/${number}/access/members` });
    const book = XLSX.read(await exportFrom(page, "en"));
    const sheet = book.Sheets[book.SheetNames[0]!]!;
    const rows = XLSX.utils.sheet_to_json<string[]>(sheet, { header: 1 });
    const line = (account: string) => rows.findIndex((row) => row[0] === account) + 1;
    sheet[`G${line("tl")}`] = { t: "s", v: "2030-12-31" };
    sheet[`G${line("pm")}`] = { t: "s", v: "2001-01-01" };
    XLSX.utils.sheet_add_aoa(sheet, [["tl", null, null, null, "PCM", "2026-01-01"]], { origin: -1 });
    await page.goto(`${journey.base}/${number}/access/members`);
    await page.getByRole("link", { name: "Import" }).click();
    await page.getByText("Drop the file here").waitFor();
    await expectAccessible(page);
    const tiles = await previewOf(page, "en", XLSX.write(book, { type: "buffer", bookType: "xlsx" }) as Buffer);
    expect(tiles.slice(0, 2)).toEqual(["1", "1"]);
    await page.getByText("The start is after the end").first().waitFor();
    await picture(page, "members-import-refused");
    await page.getByRole("button", { name: "Apply 2 rows" }).click();
    await page.getByRole("heading", { name: "2 rows written" }).waitFor({ timeout: 60_000 });
    await page.getByRole("link", { name: "Open the members" }).click();
    await page.getByRole("row").filter({ hasText: "PCM" }).first().waitFor();
    const held = await journey.owner`
      select m.role, m.valid_to::text as to from project_member m join app_user u on u.id = m.user_id
      where m.project_id = ${projectId} and u.account in ('tl', 'pm') order by m.role`;
    expect(held.map(({ role, to }) => [role, to])).toEqual([
      ["PCM", null],
      ["PM", null],
      ["TL", "2030-12-31"],
    ]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("the plan log is exported from its screen as it is filtered", { timeout: 120_000 }, async () => {
    const number = "BOOK-LOG";
    const projectId = await makeJourneyProject(journey.owner, number);
    const ids = await makeDus(journey.owner, projectId, [{ code: "L-1" }, { code: "L-2" }]);
    const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", skin: "light", to: `/${number}/logs/plan` });
    const edits = ids.map((duId) => ({ duId, field: "rfcNumber", value: "R-1", base: null }));
    await callFromPage(page, "rolloutPlan/save", { edits, reason: "said so" });
    await page.goto(`${journey.base}/${number}/logs/plan?du=L-2`);
    const book = XLSX.read(await exportFrom(page, "en"));
    const rows = XLSX.utils.sheet_to_json<string[]>(book.Sheets[book.SheetNames[0]!]!, { header: 1 });
    expect(rows.map((row) => row.slice(3, 5).concat(row.slice(7)))).toEqual([
      ["Reason", "DU", "Field", "Before", "After"],
      ["said so", "L-2", "RFC number", undefined, "R-1"],
    ]);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
