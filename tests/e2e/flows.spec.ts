import { readFile } from "node:fs/promises";
import type { Page } from "playwright";
import { describe, expect, it } from "vitest";
import * as XLSX from "xlsx";
import { expectAccessible, makeJourneyProject, picture, signIn, useJourney } from "../support/journey.ts";
import { callFromPage } from "../support/plan-page.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();

const cases = [
  { lang: "zh", skin: "dark", yes: "是" },
  { lang: "ja", skin: "dark", yes: "はい" },
] as const;

/** A draft of three activities and a released flow, made as a person's program would. */
async function makeFlows(page: Page): Promise<void> {
  const node = (name: string, leadTimeDays: number, isAnchor = false) => ({ key: name, name, leadTimeDays, isAnchor });
  const relation = (pre: string, next: string, type: string, offset: number) => ({ pre, node: next, type, offset });
  for (const [name, release] of [
    ["Rooftop", false],
    ["Tower", true],
  ] as const) {
    const { id } = await callFromPage<{ id: number }>(page, "flow/save", { name });
    const graph = {
      nodes: [node("Survey", 5, true), node("Design", 10), node("Install", 3)],
      relations: [relation("Survey", "Design", "FS", 0), relation("Design", "Install", "SS", 2)],
    };
    const { rowVersion } = await callFromPage<{ rowVersion: number }>(page, "flow/graph/save", { flowId: id, rowVersion: 1, ...graph });
    if (release) await callFromPage(page, "flow/release", { id, rowVersion });
  }
}

const upload = (page: Page, buffer: Buffer) =>
  page.locator("input[type=file]").setInputFiles({
    name: "flows.xlsx",
    mimeType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    buffer,
  });

describe("the workbook of flows", () => {
  it.each(cases)("is exported, comes back unchanged without a change, is edited, previewed and applied, in $lang", {
    timeout: 240_000,
  }, async ({ lang, skin, yes }) => {
    const number = `FLW-${lang.toUpperCase()}`;
    await makeJourneyProject(journey.owner, number);
    const t = textsOf(lang, "activity-flows");
    const imports = textsOf(lang, "imports");
    const { page, context, complaints } = await signIn(journey, "pm", { lang, skin, to: `/${number}/activity-flows` });
    await makeFlows(page);
    await page.reload();
    await page.getByText("Rooftop", { exact: true }).waitFor();
    for (const box of await page
      .getByRole("row", { name: /Rooftop|Tower/ })
      .getByRole("checkbox")
      .all())
      await box.check();
    await expectAccessible(page);
    await page.getByRole("button", { name: t("sheet.exportMany", { count: 2 }) }).click();
    await page.getByText(t("sheet.exportStarted")).first().waitFor();
    await page.goto(`${journey.base}/${number}/tasks/exports`);
    const result = page.locator('a[href*="/result"]').first();
    await result.waitFor({ timeout: 60_000 });
    const [file] = await Promise.all([page.waitForEvent("download"), result.click()]);
    const bytes = await readFile(await file.path());

    const check = async (buffer: Buffer) => {
      await page.goto(`${journey.base}/${number}/activity-flows`);
      await page.getByRole("link", { name: t("sheet.importVerb"), exact: true }).click();
      await page.getByText(imports("file.notes.flows")).waitFor();
      await upload(page, buffer);
      await page.getByRole("button", { name: imports("foot.checkVerb"), exact: true }).click();
      await page.getByRole("button", { name: imports("foot.back"), exact: true }).waitFor();
    };
    const tiles = async () => (await page.locator("dl > div").allInnerTexts()).map((text) => text.split("\n")[0]);
    await check(bytes);
    await page.getByText(imports("foot.none"), { exact: true }).waitFor({ timeout: 60_000 });
    await expect.poll(tiles).toEqual(["0", "0", "6", "0"]);

    // One row longer, one gone, one new; and a row of the released flow that waits for one that is not there.
    const book = XLSX.read(bytes);
    const sheet = book.Sheets[book.SheetNames[0]!]!;
    const rows = XLSX.utils.sheet_to_json<(string | number | null)[]>(sheet, { header: 1, defval: null });
    const change = (row: number, column: number, value: string | number) =>
      XLSX.utils.sheet_add_aoa(sheet, [[value]], { origin: { r: row, c: column } });
    expect(rows.slice(2, 5).map((row) => [row[0], row[1], row[3], row[5]])).toEqual([
      ["Rooftop", 1, "Survey", null],
      ["Rooftop", 2, "Design", "1FS"],
      ["Rooftop", 3, "Install", "2SS+2"],
    ]);
    expect(rows[2]?.[6]).toBe(yes);
    change(2, 4, 8);
    change(4, 3, "Acceptance");
    change(4, 2, "");
    change(4, 5, "2FS+1");
    change(7, 5, "9FS");
    const edited = XLSX.write(book, { type: "buffer", bookType: "xlsx" }) as Buffer;
    await check(edited);
    const apply = page.getByRole("button", { name: imports("foot.apply", { count: 3 }) });
    await apply.waitFor({ timeout: 60_000 });
    await expect.poll(tiles).toEqual(["1", "2", "1", "3"]);
    await page.getByText("9FS").first().waitFor();
    await expectAccessible(page);
    await picture(page, `flow-import-${skin}-${lang}`);
    await apply.click();
    await page.getByRole("link", { name: imports("result.flows") }).click();
    await page.getByText("Rooftop", { exact: true }).click();
    await page.getByText("Acceptance").first().waitFor();
    const stored = await journey.owner<{ flow: string; name: string; days: number }[]>`
      select f.name as flow, n.name, n.lead_time_days as days from flow_activity n join activity_flow f on f.id = n.flow_id join project p on p.id = f.project_id
      where p.number = ${number} order by f.name, n.seq`;
    expect(stored.map(({ flow, name, days }) => `${flow} ${name} ${days}`)).toEqual([
      "Rooftop Survey 8",
      "Rooftop Design 10",
      "Rooftop Acceptance 3",
      "Tower Survey 5",
      "Tower Design 10",
      "Tower Install 3",
    ]);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
