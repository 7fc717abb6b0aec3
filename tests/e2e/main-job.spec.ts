import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import * as XLSX from "xlsx";
import { makeFlowByCall } from "../support/flow-by-call.ts";
import { expectAccessible, makeJourneyProject, picture, signInByForm, useJourney } from "../support/journey.ts";
import { cellOf } from "../support/plan-page.ts";
import { realSites, sampleSites } from "../support/sample-sites.ts";

const journey = useJourney();
const activities: [name: string, days: number][] = [
  ["Survey", 5],
  ["Permit", 20],
  ["Civil works", 10],
  ["Power", 8],
  ["Installation", 3],
  ["Commissioning", 4],
  ["Activation", 0],
  ["Acceptance (PAC)", 10],
];

describe("the main job on a real roll-out", () => {
  it("imports 2,250 kiosks with their real dates, schedules them backward from the installation, edits, undoes and exports [OPS-08]", {
    timeout: 300_000,
  }, async () => {
    const projectId = await makeJourneyProject(journey.owner, "KIOSK");
    const { page, context, complaints } = await signInByForm(journey, "pm", { lang: "en", to: "/KIOSK" });
    await page.getByRole("link", { name: "Import DUs" }).waitFor();
    await makeFlowByCall(page, "Kiosk", activities, "Installation");

    // Import: the columns are found by their names, the flow and the owner of the dates are chosen here.
    await page.goto(`${journey.base}/KIOSK/rollout-plan/sites?import=dus`);
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "kiosks.csv", mimeType: "text/csv", buffer: realSites() ?? Buffer.from(sampleSites()) });
    await page.getByRole("combobox", { name: "Bind to a flow" }).click();
    await page.getByRole("option", { name: /Kiosk/ }).click();
    await page.getByRole("combobox", { name: "Owner of actual dates" }).click();
    await page.getByRole("option").first().click();
    await page.getByRole("checkbox", { name: "Create missing delivery regions" }).check();
    await page.getByRole("button", { name: "Check" }).click();
    await page.getByRole("region", { name: "Checked rows" }).waitFor({ timeout: 90_000 });
    await page.getByText("2,250 rows").first().waitFor();
    await page.getByText("Date out of range").first().waitFor();
    await expectAccessible(page);
    await picture(page, "import-preview");
    await page.getByRole("button", { name: /^Apply 2,2\d\d rows$/ }).click();
    await page.getByRole("link", { name: "Open the roll-out plan" }).waitFor({ timeout: 120_000 });

    const [counts] = await journey.owner<{ dus: number; installed: number; early: number; regions: number }[]>`
        select count(*)::int as dus,
          count(*) filter (where p.actual_end[(select slot from activity_library where project_id = ${projectId} and name = 'Installation')] > 0)::int as installed,
          count(*) filter (where p.actual_end[(select slot from activity_library where project_id = ${projectId} and name = 'Installation')] < 5000)::int as early,
          count(distinct d.region_id)::int as regions
        from du d join du_plan p on p.du_id = d.id where d.project_id = ${projectId}`;
    const rejected = 2250 - counts!.dus;
    expect(counts).toEqual({ dus: 2250 - rejected, installed: 2250 - rejected, early: 0, regions: 5 });
    expect(rejected).toBeGreaterThan(0);
    expect(rejected).toBeLessThan(10);

    // The plan: everything that arrived is there; scheduling previews every moved date before it writes.
    await page.getByRole("link", { name: "Open the roll-out plan" }).click();
    await page.getByRole("grid").waitFor();
    await page.getByRole("button", { name: "Schedule" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Backward", { exact: true }).first().click();
    await dialog.getByRole("button", { name: "Preview" }).click();
    await dialog.getByText("Nothing written").waitFor();
    await expectAccessible(page);
    await picture(page, "schedule-preview");
    // Dates in the past are applied only once that is confirmed.
    await dialog.getByRole("checkbox", { name: /^Apply with/ }).check();
    await dialog.getByRole("button", { name: /^Apply/ }).click();
    await dialog.waitFor({ state: "detached", timeout: 60_000 });
    const planned = async () =>
      (
        await journey.owner<{ planned: number }[]>`
            select count(*)::int as planned from du_plan where project_id = ${projectId} and plan_end[(select slot from activity_library where project_id = ${projectId} and name = 'Power')] > 0`
      )[0]!.planned;
    await expect.poll(planned).toBe(counts!.dus);

    const [known] = await journey.owner<
      { code: string }[]
    >`select code from du where project_id = ${projectId} order by code limit 1 offset 700`;

    // One cell: typed, saved, in its history, undone.
    await page.getByRole("searchbox").or(page.getByPlaceholder("Paste IDs, comma or line break")).first().fill(known!.code);
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator("[role=row][aria-rowindex]").count()).toBeLessThan(8);
    const cell = await cellOf(page, 1, "Survey", "Plan end");
    // The row is there before its values are.
    await expect.poll(async () => (await cell.innerText()).trim()).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    const before = (await cell.innerText()).trim();
    const after = new Date(Date.parse(`${before}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
    await cell.click();
    await page.keyboard.type(after);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+s");
    await page.getByText("1 cell saved").first().waitFor();
    await expect.poll(async () => (await cell.innerText()).trim()).toBe(after);
    await page.getByRole("button", { name: /Undo/ }).first().click();
    await expect.poll(async () => (await cell.innerText()).trim()).toBe(before);
    await picture(page, "plan-kiosk");

    // Export: a task whose workbook holds every DU with typed dates.
    await page.getByRole("button", { name: "Clear search" }).click();
    await page.getByRole("button", { name: "Export" }).click();
    await page.goto(`${journey.base}/KIOSK/tasks/exports`);
    const result = page
      .getByRole("link", { name: /Result/ })
      .or(page.getByRole("button", { name: /Result/ }))
      .first();
    await result.waitFor({ timeout: 60_000 });
    const [download] = await Promise.all([page.waitForEvent("download"), result.click()]);
    const book = XLSX.read(await readFile(await download.path()), { cellDates: false });
    const sheet = book.Sheets[book.SheetNames.find((name) => name !== "_meta")!]!;
    const rows = XLSX.utils.sheet_to_json<string[]>(sheet, { header: 1 });
    const codes = await journey.owner<{ code: string }[]>`select code from du where project_id = ${projectId} order by code`;
    const exported = new Set(rows.map((row) => String(row[0])));
    expect(codes.filter(({ code }) => !exported.has(code))).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
