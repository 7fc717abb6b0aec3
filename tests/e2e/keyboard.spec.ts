import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import * as XLSX from "xlsx";
import { demoPassword } from "#db/seed/accounts.ts";
import { makeFlowByCall } from "../support/flow-by-call.ts";
import { GridPage } from "../support/grid-page.ts";
import { alive, makeJourneyProject, signIn, useJourney } from "../support/journey.ts";
import { Keyboard } from "../support/keyboard.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();
const rows = 6;
const csv = [
  "DU ID,DU name,Site ID,Site name,City",
  ...Array.from({ length: rows }, (_, at) => `KEY-${at + 1},Unit ${at + 1},KS-${at + 1},Site ${at + 1},Suzhou`),
].join("\n");

describe("the main job without a mouse", () => {
  it("signs in, imports, binds, types a date, schedules, undoes, exports and fetches the file", { timeout: 180_000 }, async () => {
    const projectId = await makeJourneyProject(journey.owner, "KEYS");
    const context = await journey.browser.newContext({ viewport: { width: 1440, height: 900 }, acceptDownloads: true });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const complaints: string[] = [];
    page.on("pageerror", (error) => complaints.push(error.message));
    // No mouse: a click anywhere is a fault of this journey.
    await page.addInitScript(() => addEventListener("pointerdown", () => console.error("the mouse was used"), { capture: true }));
    page.on("console", (message) => {
      if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) complaints.push(message.text());
    });
    // Asked for early: the browser has to be told that no window is to be opened.
    const chosen = page.waitForEvent("filechooser", { timeout: 60_000 });
    const keyboard = new Keyboard(page);
    const grid = new GridPage(page);

    await page.goto(`${journey.base}/sign-in?lang=en&to=${encodeURIComponent("/KEYS")}`);
    await keyboard.reach(page.locator("input[name=account]"));
    await page.keyboard.type("pm");
    await keyboard.reach(page.locator("input[type=password]"));
    await page.keyboard.type(demoPassword);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/KEYS/);
    await alive(page);
    await makeFlowByCall(
      page,
      "Rollout",
      [
        ["Survey", 5],
        ["Install", 3],
      ],
      "Survey",
    );

    // Import, bound to the flow.
    await keyboard.jump("DU and Site Configuration");
    await page.waitForURL(/\/sites/);
    await alive(page);
    await keyboard.use(page.getByRole("button", { name: /^Import/ }).first());
    const entry = page.getByRole("menuitem", { name: /DU/ }).first();
    const choose = page.getByRole("button", { name: "Choose a file" });
    await entry.or(choose).first().waitFor();
    if (await entry.isVisible()) await keyboard.use(entry);
    await keyboard.reach(choose);
    await page.keyboard.press("Enter");
    await (await chosen).setFiles({ name: "keys.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
    await keyboard.choose(page.getByRole("combobox", { name: "Bind to a flow" }), "Rollout");
    await keyboard.use(page.getByRole("button", { name: "Check" }));
    await keyboard.use(page.getByRole("button", { name: `Apply ${rows} rows` }));
    await keyboard.use(page.getByRole("link", { name: "Open the roll-out plan" }));

    // A date typed in the grid.
    await grid.ready();
    await keyboard.reach(page.getByLabel(/^Cell editor/));
    await page.keyboard.press("Control+Home");
    const column = await grid.column("Plan start", "Survey");
    for (let at = (await grid.active()).column; at < column; at++) await page.keyboard.press("ArrowRight");
    await expect.poll(() => grid.active()).toMatchObject({ row: 0, column });
    for (const day of ["2027-03-01", "2027-03-02", "2027-03-03"]) {
      await page.keyboard.type(day);
      await page.keyboard.press("Enter");
    }
    await page.keyboard.press("Control+s");
    await page.getByText("3 cells saved").first().waitFor();

    // Scheduled from those anchors; the others have none and are told so.
    // Tab goes from cell to cell; F6 leaves the grid.
    await page.keyboard.press("F6");
    await keyboard.use(page.getByRole("button", { name: "Schedule" }));
    const dialog = page.getByRole("dialog");
    await keyboard.use(dialog.getByRole("button", { name: "Preview" }));
    await dialog.getByText("Nothing written").waitFor();
    const accept = dialog.getByRole("checkbox", { name: /^Apply with/ });
    if ((await accept.count()) > 0) await keyboard.use(accept, "Space");
    await keyboard.use(dialog.getByRole("button", { name: "Apply 3 DUs" }));
    await page.getByText("3 DUs scheduled").first().waitFor();
    const close = dialog.getByRole("button", { name: "Close" });
    if ((await dialog.count()) > 0) await keyboard.use(close);
    await dialog.waitFor({ state: "detached" });
    const planned = async () =>
      (
        await journey.owner<{ planned: number }[]>`
          select count(*)::int as planned from du d join du_plan p on p.du_id = d.id
          where d.project_id = ${projectId} and p.plan_end[2] > 0`
      )[0]!.planned;
    await expect.poll(planned).toBe(3);
    await page.keyboard.press("F6");
    await keyboard.use(page.getByRole("button", { name: /^Undo/ }).first());
    await expect.poll(planned).toBe(0);

    // Exported by its command, and fetched.
    await keyboard.jump("Export the rollout plan");
    await keyboard.jump("Export Query");
    await page.waitForURL(/\/tasks\/exports/);
    await alive(page);
    const result = page.getByRole("link", { name: /Result/ }).or(page.getByRole("button", { name: /Result/ }));
    await keyboard.reach(result);
    const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
    const book = XLSX.read(await readFile(await download.path()));
    const sheet = book.Sheets[book.SheetNames.find((name) => name !== "_meta")!]!;
    expect(XLSX.utils.sheet_to_json<string[]>(sheet, { header: 1 }).filter((row) => String(row[0]).startsWith("KEY-"))).toHaveLength(rows);
    expect(complaints).toEqual([]);
    await context.close();
  });
});

describe("a question above a dialog", () => {
  it("keeps the keys to itself: neither the shortcut nor Escape reaches the dialog, which keeps what was typed", {
    timeout: 60_000,
  }, async () => {
    const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", to: "/DEMO" });
    const texts = textsOf("en", "scheduling");
    const released = () =>
      journey.owner`select from plan_batch where source = 'release' and project_id = (select id from project where number = 'DEMO')`;
    const before = (await released()).count;
    await page.getByRole("button", { name: "Release", exact: true }).click();
    const name = page.getByRole("textbox", { name: texts("release.name") });
    await name.fill("First wave");
    // From here on the shortcut would release.
    await expect.poll(() => page.getByRole("button", { name: /^Release \d/ }).isEnabled()).toBe(true);
    await page.keyboard.press("Escape");
    const question = page.getByRole("dialog", { name: textsOf("en", "ui")("discard.verb") });
    await question.waitFor();
    await page.keyboard.press("Control+Enter");
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "hidden" });
    expect(await name.inputValue()).toBe("First wave");
    expect((await released()).count).toBe(before);
    await name.press("Escape");
    await question.getByRole("button", { name: textsOf("en", "ui")("discard.verb") }).click();
    await name.waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
    await context.close();
  });
});
