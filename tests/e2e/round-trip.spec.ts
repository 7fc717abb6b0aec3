import { readFile } from "node:fs/promises";
import type { Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import * as XLSX from "xlsx";
import { addDays } from "#lib/core/clock.ts";
import { expectAccessible, makeJourneyProject, picture, signIn, useJourney } from "../support/journey.ts";
import { type MadeActivity, makeActivities, makeDus, makeFlow, makeOwnerSet } from "../support/plan-factories.ts";
import { callFromPage, cellOf } from "../support/plan-page.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();
const number = "TRIP";
const soon = addDays(new Date().toISOString().slice(0, 10), 30);
let activities: MadeActivity[];
let ids: number[];

beforeAll(async () => {
  const projectId = await makeJourneyProject(journey.owner, number);
  const [pm] = await journey.owner<{ id: number }[]>`select id from app_user where account = 'pm'`;
  activities = await makeActivities(journey.owner, projectId, ["Survey", "Install"]);
  const flow = { id: await makeFlow(journey.owner, projectId, pm!.id, activities), activities };
  const set = await makeOwnerSet(journey.owner, projectId, [pm!.id]);
  const plan = { 1: { plan_start: soon, plan_end: addDays(soon, 5), plan_owner: set }, 2: { plan_end: addDays(soon, 20) } };
  ids = await makeDus(
    journey.owner,
    projectId,
    ["TRIP-1", "TRIP-2", "TRIP-3"].map((code) => ({ code, plan })),
    flow,
  );
});

const keyOf = (name: string, field: string) => `${activities.find((activity) => activity.name === name)!.id}:${field}`;

/** Exports through the screen of exports and gives the bytes of the workbook. */
async function download(page: Page): Promise<Buffer> {
  await page.goto(`${journey.base}/${number}/tasks/exports`);
  const result = page.getByRole("link", { name: /Result/ }).first();
  await result.waitFor({ timeout: 60_000 });
  const [file] = await Promise.all([page.waitForEvent("download"), result.click()]);
  return readFile(await file.path());
}

/** The plan exported as a whole, without the screens. */
async function exportPlan(page: Page): Promise<Buffer> {
  const head = await callFromPage<{ activityColumns: { key: string }[]; fields: { key: string }[] }>(page, "rolloutPlan/head", {});
  const columns = [
    ...head.fields.map((column) => column.key),
    ...activities.flatMap((activity) => head.activityColumns.map((column) => `${activity.id}:${column.key}`)),
  ];
  const { taskId } = await callFromPage<{ taskId: string }>(page, "rolloutPlan/export", { duIds: ids, columns });
  const base64 = await page.evaluate(
    async ([id, project]) => {
      for (;;) {
        const response = await fetch(`/api/task/file/${id}/result?projectNumber=${project}`);
        if (!response.ok) {
          await new Promise((resolve) => requestAnimationFrame(resolve));
          continue;
        }
        const bytes = new Uint8Array(await response.arrayBuffer());
        return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
      }
    },
    [taskId, number] as const,
  );
  return Buffer.from(base64, "base64");
}

const workbook = (name: string, buffer: Buffer) => ({
  name,
  mimeType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  buffer,
});

describe("notes of activities", () => {
  it("are shown, edited within their bounds, saved and read back", { timeout: 180_000 }, async () => {
    const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", to: `/${number}` });
    await page.getByRole("grid").waitFor();
    await page.getByRole("button", { name: "Columns" }).click();
    const kept = page.waitForResponse((response) => response.url().includes("wbs/saveHomePage"));
    for (const name of ["Delay reason", "Score", "Score remark"]) await page.getByRole("checkbox", { name, exact: true }).check();
    await page.getByRole("button", { name: "Done" }).click();
    await kept;
    const type = async (column: string, text: string) => {
      const cell = await cellOf(page, 1, "Survey", column);
      await cell.click();
      await page.keyboard.type(text);
      await page.keyboard.press("Enter");
      return cell;
    };
    const score = await type("Score", "2");
    await score.click();
    await page.getByText("A score below 3 needs a remark").first().waitFor();
    await picture(page, "plan-notes");
    await type("Score remark", "crew came late");
    await type("Delay reason", "雨 and wind");
    await page.keyboard.press("Control+s");
    await page.getByText("3 cells saved").first().waitFor();
    await page.reload();
    await page.getByRole("grid").waitFor();
    await expect.poll(async () => (await (await cellOf(page, 1, "Survey", "Delay reason")).innerText()).trim()).toBe("雨 and wind");
    await expect.poll(async () => (await (await cellOf(page, 1, "Survey", "Score")).innerText()).trim()).toBe("2");
    await (await cellOf(page, 1, "Survey", "Delay reason")).click({ button: "right" });
    await page.getByRole("menuitem", { name: "History of this cell" }).click();
    await page.getByRole("dialog").getByText("雨 and wind").waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });
});

describe("the plan workbook", () => {
  it("is exported, edited and merged cell by cell; what both sides changed is asked [OPS-08]", { timeout: 240_000 }, async () => {
    const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", skin: "light", to: `/${number}` });
    await page.getByRole("grid").waitFor();
    await page.getByRole("button", { name: "Export" }).click();
    await page.getByText("The export has started").first().waitFor();
    const book = XLSX.read(await download(page), { cellNF: true });
    const sheet = book.Sheets[book.SheetNames[0]!]!;
    const keys = XLSX.utils.sheet_to_json<string[]>(sheet, { header: 1 })[0]!;
    const set = (row: number, key: string, value: number | string) => {
      const at = XLSX.utils.encode_cell({ r: row + 1, c: keys.indexOf(key) });
      sheet[at] = typeof value === "number" ? { t: "n", v: value, z: "yyyy-mm-dd" } : { t: "s", v: value };
    };
    const serial = (iso: string) => Date.parse(`${iso}T00:00:00Z`) / 86_400_000 + 25_569;
    const end = keyOf("Install", "planEnd");
    set(1, end, serial(addDays(soon, 22)));
    set(2, end, addDays(soon, 23));
    set(3, keyOf("Survey", "planStart"), serial(addDays(soon, 9)));

    // Meanwhile a colleague moves a cell of the second row, and another that nobody touches here.
    const other = await signIn(journey, "pcm", { lang: "en", to: `/${number}` });
    const edit = (duId: number, name: string, to: number, base: number) => ({
      duId,
      activityId: activities.find((activity) => activity.name === name)!.id,
      field: "planEnd",
      value: addDays(soon, to),
      base: addDays(soon, base),
    });
    await callFromPage(other.page, "rolloutPlan/save", { edits: [edit(ids[1]!, "Install", 21, 20), edit(ids[0]!, "Survey", 6, 5)] });
    await other.context.close();

    await page.goto(`${journey.base}/${number}`);
    await page.getByRole("button", { name: "Import" }).click();
    await page.getByRole("menuitem", { name: "Exported plan" }).click();
    await page.getByText("Drop the file here").waitFor();
    await expectAccessible(page);
    const edited = XLSX.write(book, { type: "buffer", bookType: "xlsx" }) as Buffer;
    await page.locator("input[type=file]").setInputFiles(workbook("plan.xlsx", edited));
    await page.getByRole("region", { name: "Checked rows" }).waitFor({ timeout: 60_000 });
    const choice = page.getByRole("group", { name: /Install · Plan end.*value that stands/ });
    await choice.waitFor();
    await expect.poll(() => choice.getByRole("radio", { name: new RegExp(`Now ${addDays(soon, 21)}`) }).isChecked()).toBe(true);
    await page.getByText("Plan end before plan start").first().waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Apply 1 row", exact: true }).waitFor();
    await choice.getByRole("radio", { name: new RegExp(`File ${addDays(soon, 23)}`) }).check();
    await picture(page, "plan-import-conflict");
    await page.getByRole("button", { name: "Apply 2 rows" }).click();
    await page.getByRole("heading", { name: "2 rows written" }).waitFor({ timeout: 60_000 });
    await page.getByRole("button", { name: "Undo the import" }).waitFor();
    await expectAccessible(page);
    await picture(page, "plan-import-result");
    await page.getByRole("link", { name: "Open the roll-out plan" }).click();
    await page.getByRole("grid").waitFor();
    const shown = async (row: number, group: string) => (await (await cellOf(page, row, group, "Plan end")).innerText()).trim();
    await expect.poll(() => shown(1, "Install")).toBe(addDays(soon, 22));
    await expect.poll(() => shown(2, "Install")).toBe(addDays(soon, 23));
    await expect.poll(() => shown(3, "Install")).toBe(addDays(soon, 20));
    await expect.poll(() => shown(1, "Survey")).toBe(addDays(soon, 6));
    expect(complaints).toEqual([]);
    await context.close();
  });

  it.each([
    ["zh", "dark"],
    ["en", "light"],
    ["ja", "dark"],
  ] as const)("changes nothing when it comes back unchanged, in %s", { timeout: 180_000 }, async (lang, skin) => {
    const t = textsOf(lang, "imports");
    const { page, context, complaints } = await signIn(journey, "pm", { lang, skin, to: `/${number}` });
    const bytes = await exportPlan(page);
    await page.goto(`${journey.base}/${number}?import=plan`);
    await page.locator("input[type=file]").setInputFiles(workbook("plan.xlsx", bytes));
    await page.getByText(t("foot.none"), { exact: true }).waitFor({ timeout: 60_000 });
    const tiles = await page.locator("dl > div").allInnerTexts();
    expect(tiles.map((text) => text.split("\n")[0])).toEqual(["0", "0", "3", "0"]);
    await expectAccessible(page);
    await picture(page, `plan-import-${skin}-${lang}`);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
