import type { Page } from "playwright";
import { describe, expect, it } from "vitest";
import { demoPassword } from "#db/seed/accounts.ts";
import { isoDay } from "#lib/core/clock.ts";
import { GridPage } from "../support/grid-page.ts";
import { expectAccessible, makeJourneyProject, signIn, useJourney } from "../support/journey.ts";
import { Keyboard } from "../support/keyboard.ts";
import { type MadeActivity, makeActivities, makeAttribute, makeDus, makeFlow, makeOwnerSet } from "../support/plan-factories.ts";

const journey = useJourney();

async function makePlan(number: string, dus: number): Promise<{ projectId: number; duIds: number[] }> {
  const projectId = await makeJourneyProject(journey.owner, number);
  const [pm] = await journey.owner<{ id: number }[]>`select id from app_user where account = 'pm'`;
  const activities = await makeActivities(journey.owner, projectId, ["Survey", "Install"]);
  const id = await makeFlow(journey.owner, projectId, pm!.id, activities, "Rollout");
  await makeAttribute(journey.owner, projectId);
  const made = Array.from({ length: dus }, (_, at) => ({ code: `${number}-${String(at + 1).padStart(3, "0")}` }));
  return { projectId, duIds: await makeDus(journey.owner, projectId, made, { id, activities }) };
}

/** Gives the survey of the first DU plan and actual dates and the PM as plan owner, and the second DU a flow without survey. */
async function makeDifferent(projectId: number, [first, second]: number[]): Promise<{ owner: string }> {
  const sql = journey.owner;
  const [pm] = await sql<{ id: number; name: string }[]>`select id, name from app_user where account = 'pm'`;
  const set = await makeOwnerSet(sql, projectId, [pm!.id]);
  await sql`
    update du_plan set plan_start = '{9490,0}', plan_end = '{9495,0}', actual_start = '{9500,0}', actual_end = '{9505,0}', plan_owner = array[${set}::int, 0], done_count = 1 where du_id = ${first!}`;
  const activities = await sql<
    MadeActivity[]
  >`select id, slot, name from activity_library where project_id = ${projectId} and name = 'Install'`;
  const flowId = await makeFlow(sql, projectId, pm!.id, activities, "Installation alone");
  await sql`update du_flow set unbound_at = now() where du_id = ${second!}`;
  await sql`
    insert into du_flow (project_id, du_id, flow_id, flow_version, source, bound_at) values (${projectId}, ${second!}, ${flowId}, 1, 'manual', now())`;
  await sql`update du_plan set state = '{0,1}', applicable_count = 1 where du_id = ${second!}`;
  return { owner: pm!.name };
}

async function openGrid(number: string) {
  const visitor = await signIn(journey, "pm", { lang: "en", to: `/${number}` });
  const grid = new GridPage(visitor.page);
  await grid.ready();
  return { ...visitor, grid };
}

const heads = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[role=row][aria-rowindex="2"] [role=columnheader]')].map((head) => head.innerText.trim()),
  );

describe("the grid as a spreadsheet", () => {
  it("comes with its first rows, which look as they are drawn afterwards and cannot be used before", { timeout: 90_000 }, async () => {
    const { projectId } = await makePlan("SHEET-FIRST", 30);
    const name = `<b onclick="x">"bold" & 'plain'</b>`;
    await journey.owner`update du set name = ${name} where project_id = ${projectId} and code = 'SHEET-FIRST-002'`;
    const { page, context, complaints, grid } = await openGrid("SHEET-FIRST");
    /** Every cell of the rows of DUs by its row and column; the last row is the summary. */
    const cells = (of: Page) =>
      of.evaluate(() =>
        Object.fromEntries(
          [...document.querySelectorAll<HTMLElement>('[role=row]:not([aria-rowindex="33"]) > [role=gridcell][aria-colindex]')].flatMap(
            (cell) => {
              const row = cell.parentElement!;
              const { left, top, width } = cell.getBoundingClientRect();
              const place = `${row.getAttribute("aria-rowindex")}:${cell.getAttribute("aria-colindex")}`;
              return row.hidden
                ? []
                : [[place, [cell.textContent, cell.className, cell.style.getPropertyValue("--lead"), left, top, width, row.className]]];
            },
          ),
        ),
      );
    const still = await journey.browser.newContext({
      viewport: { width: 1440, height: 900 },
      javaScriptEnabled: false,
      storageState: await context.storageState(),
    });
    const unprogrammed = await still.newPage();
    await unprogrammed.goto(page.url());
    const first = await cells(unprogrammed);
    const drawn = await cells(page);
    expect(Object.keys(first).length).toBeGreaterThan(300);
    expect(first["4:3"]?.[0]).toBe(name);
    const seen = Object.keys(first).filter((place) => place in drawn);
    expect(seen.length).toBeGreaterThan(250);
    expect(Object.fromEntries(seen.map((place) => [place, drawn[place]]))).toEqual(
      Object.fromEntries(seen.map((place) => [place, first[place]])),
    );
    expect(await unprogrammed.locator("[role=rowgroup] > [inert]").count()).toBe(1);
    expect(await page.locator("[role=grid] [inert]").count()).toBe(0);
    const cell = await grid.cell(1, "DU name");
    await cell.click();
    await expect.poll(async () => (await grid.active()).row).toBe(1);
    expect(complaints).toEqual([]);
    await still.close();
    await context.close();
  });

  it("[RPL-01] shows DUs with the dates, owners and status of every activity of their flow, as a grid to screen readers", {
    timeout: 120_000,
  }, async () => {
    const { projectId, duIds } = await makePlan("SHEET-A", 30);
    const { owner } = await makeDifferent(projectId, duIds);
    await journey.owner`update du set name = ${"湘桥 Xiangqiao 湘橋 ".repeat(4)} where project_id = ${projectId} and code = 'SHEET-A-001'`;
    const { page, context, complaints, grid } = await openGrid("SHEET-A");
    const table = page.getByRole("grid", { name: "Rollout plan" });
    await expect.poll(() => table.getAttribute("aria-rowcount")).toBe(String(30 + 3));
    await expect.poll(() => table.getAttribute("aria-multiselectable")).toBe("true");
    await expect
      .poll(() => heads(page))
      .toEqual(expect.arrayContaining(["DU ID", "Plan start", "Plan end", "Actual start", "Actual end", "Plan owner", "Status"]));
    const surveyed = (row: number) =>
      Promise.all(["Plan start", "Plan end", "Actual start", "Actual end", "Plan owner"].map((name) => grid.text(row, name, "Survey")));
    await expect.poll(() => surveyed(0)).toEqual([isoDay(9490), isoDay(9495), isoDay(9500), isoDay(9505), owner]);
    await expect.poll(() => surveyed(1)).toEqual(["", "", "", "", ""]);
    await expect.poll(async () => (await grid.cell(1, "Plan end", "Survey")).getAttribute("aria-label")).toBe("not in the flow of this DU");
    await expect.poll(async () => (await grid.cell(1, "Plan end", "Install")).getAttribute("aria-label")).toBeNull();
    const cell = await grid.cell(0, "Plan end", "Install");
    await cell.click();
    await expect.poll(() => cell.getAttribute("aria-selected")).toBe("true");
    await expect.poll(async () => (await grid.cell(0, "Status", "Install")).getAttribute("aria-readonly")).toBe("true");
    await expect.poll(() => cell.getAttribute("aria-readonly")).toBeNull();
    await expect.poll(async () => (await grid.active()).row).toBe(0);
    await expectAccessible(page);

    // A text that does not fit is told whole when the pointer rests on it; one that fits is not told twice.
    const [long, short] = [await grid.cell(0, "DU name"), await grid.cell(1, "DU name")];
    await short.hover();
    await long.hover();
    await expect.poll(() => long.getAttribute("title")).toContain("湘橋 湘桥");
    await expect.poll(async () => (await short.getAttribute("title")) ?? "").toBe("");

    // Paste in every named form of a date, with one that is none.
    const start = await grid.cell(0, "Plan start", "Install");
    await start.click();
    await grid.paste(["2026-12-01\t2026/12/11", "02.12.2026\t46368", "2026-12-03\tsoon"].join("\n"));
    const shown = async (rows: number) =>
      Promise.all(
        Array.from({ length: rows }, async (_, row) => [
          await grid.text(row, "Plan start", "Install"),
          await grid.text(row, "Plan end", "Install"),
        ]),
      );
    await expect
      .poll(() => shown(3))
      .toEqual([
        ["2026-12-01", "2026-12-11"],
        ["2026-12-02", "2026-12-12"],
        ["2026-12-03", "soon"],
      ]);
    await expect.poll(async () => (await grid.cell(2, "Plan end", "Install")).getAttribute("aria-invalid")).toBe("true");
    await (await grid.cell(2, "Plan end", "Install")).click();
    await page.keyboard.press("Escape");
    await expect.poll(() => grid.text(2, "Plan end", "Install")).toBe("");

    // The handle counts the three days on; what it did is one step.
    await grid.select(start, await grid.cell(2, "Plan start", "Install"));
    const handle = page.locator("[class*=handle]").last();
    const [from, to] = [await handle.boundingBox(), await (await grid.cell(9, "Plan start", "Install")).boundingBox()];
    await page.mouse.move(from!.x + 3, from!.y + 3);
    await page.mouse.down();
    await page.mouse.move(from!.x + 3, to!.y + 10, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => grid.text(9, "Plan start", "Install")).toBe("2026-12-10");
    await page.keyboard.press("Control+z");
    await expect.poll(() => grid.text(9, "Plan start", "Install")).toBe("");
    await page.keyboard.press("Control+y");

    // Copy with Ctrl+C gives what is seen; Ctrl+Home, Ctrl+arrows and selecting lines as in a spreadsheet.
    await grid.select(start, await grid.cell(1, "Plan end", "Install"));
    await page.keyboard.press("Control+c");
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe("2026-12-01\t2026-12-11\n2026-12-02\t2026-12-12");
    await start.click();
    await page.keyboard.press("Control+ArrowDown");
    await expect.poll(async () => (await grid.active()).row).toBe(9);
    await page.keyboard.press("Control+End");
    await expect.poll(async () => (await grid.active()).row).toBe(29);
    await page.keyboard.press("Control+Space");
    await page.getByText("30 × 1").first().waitFor();
    await page.keyboard.press("Control+a");
    await page
      .getByText(/^30 × \d\d$/)
      .first()
      .waitFor();
    await page.keyboard.press("Control+Home");
    await expect.poll(() => grid.active()).toMatchObject({ row: 0, column: 2 });

    // 100 steps of unsaved edits come back one by one, the 101st is forgotten.
    const before = await grid.unsaved();
    await (await grid.cell(20, "Plan start", "Install")).click();
    for (let step = 0; step < 101; step++) {
      await page.keyboard.insertText(`2027-0${1 + (step % 9)}-${10 + (step % 18)}`);
      await page.keyboard.press("Enter");
      await page.keyboard.press("ArrowUp");
    }
    for (let step = 0; step < 101; step++) await page.keyboard.press("Control+z");
    await expect.poll(() => grid.text(20, "Plan start", "Install")).toBe("2027-01-10");
    await expect.poll(() => grid.unsaved()).toBe(before + 1);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("keeps unsaved edits over a sign-out and asks before the page is left", { timeout: 120_000 }, async () => {
    const { duIds } = await makePlan("SHEET-B", 5);
    const { page, context, complaints, grid } = await openGrid("SHEET-B");
    await grid.type(0, "Plan end", "Survey", "2026-12-24");
    await grid.type(1, "Plan end", "Survey", "2026-12-25");
    // The session ends elsewhere: the save is refused, the page asks to sign in and the edits are there again afterwards.
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByRole("menuitem", { name: /DUs/ }).click();
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(() => grid.unsaved()).toBe(2);
    await context.clearCookies({ name: /session/ });
    await page.goto(`${journey.base}/SHEET-B`);
    await page.locator("input[name=account]").fill("pm");
    await page.locator("input[type=password]").fill(demoPassword);
    await page.keyboard.press("Enter");
    await page.getByText("2 unsaved cells are back").first().waitFor();
    await grid.ready();
    await expect.poll(() => grid.text(1, "Plan end", "Survey")).toBe("2026-12-25");
    // A second tab takes nothing from this one, and keeps what is its own.
    const other = await context.newPage();
    await other.goto(`${journey.base}/SHEET-B`);
    const second = new GridPage(other);
    await second.ready();
    await second.type(2, "Plan end", "Survey", "2026-12-26");
    expect([await second.unsaved(), await grid.unsaved()]).toEqual([1, 2]);
    await page.bringToFront();
    await page.keyboard.press("Control+s");
    await page.getByText("2 cells saved").first().waitFor();
    await other.reload();
    await other.getByText("1 unsaved cell is back").first().waitFor();
    const plans = await journey.owner<
      { end: number }[]
    >`select plan_end[1]::int as end from du_plan where du_id = any(${duIds}::bigint[]) order by du_id`;
    expect(plans.map(({ end }) => end > 0)).toEqual([true, true, false, false, false]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("keeps what was typed the moment before the page is gone", { timeout: 120_000 }, async () => {
    await makePlan("SHEET-G", 6);
    const { page, context, complaints, grid } = await openGrid("SHEET-G");
    const keyboard = new Keyboard(page);
    const back = (count: number) => page.getByText(`${count} unsaved ${count === 1 ? "cell is" : "cells are"} back`).first();
    const at = `${journey.base}/SHEET-G`;
    const ways = [
      () => page.reload(),
      async () => {
        await page.evaluate(() => window.location.replace("about:blank"));
        await page.waitForURL("about:blank");
        await page.goto(at);
      },
      // Who leaves by a link is told that nothing is lost.
      async () => {
        await keyboard.jump("DU and Site Configuration");
        const asked = page.getByRole("dialog", { name: "There are unsaved changes" });
        await asked.getByText("This browser keeps the changes").waitFor();
        await asked.getByRole("button", { name: "Leave" }).click();
        await page.waitForURL(/\/sites/);
        await page.goto(at);
      },
    ];
    for (let row = 0; row < 6; row++) {
      await grid.type(row, "Plan end", "Survey", `2026-12-2${row}`);
      await ways[row % ways.length]!();
      await back(row + 1).waitFor();
      await grid.ready();
    }
    for (let row = 0; row < 6; row++) await expect.poll(() => grid.text(row, "Plan end", "Survey")).toBe(`2026-12-2${row}`);
    await page.keyboard.press("Control+s");
    await page.getByText("6 cells saved").first().waitFor();
    await page.reload();
    await grid.ready();
    await expect.poll(() => grid.unsaved()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("keeps order, width, locked and hidden columns per person", { timeout: 120_000 }, async () => {
    await makePlan("SHEET-C", 3);
    const { page, context, complaints } = await openGrid("SHEET-C");
    const saved = () => page.waitForResponse((response) => response.url().includes("wbs/saveHomePage"));
    await page.getByRole("button", { name: "Columns" }).click();
    const dialog = page.getByRole("dialog", { name: "Columns" });
    await dialog.getByRole("button", { name: "Move Plan end up" }).click();
    await dialog
      .getByRole("group", { name: /^Locked/ })
      .getByRole("button", { name: "Move DU name down" })
      .click();
    await Promise.all([saved(), dialog.getByLabel("Actual start", { exact: true }).uncheck()]);
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Done" }).click();
    const menu = async (name: string) => {
      await page.getByRole("columnheader", { name, exact: true }).first().getByRole("button").click();
      return page.getByRole("dialog", { name: new RegExp(`${name}$`) });
    };
    await expectAccessible(page);
    await Promise.all([saved(), (await menu("Delivery region")).getByRole("button", { name: "Move right" }).click()]);
    await Promise.all([saved(), (await menu("Plan owner")).getByRole("button", { name: "Lock column" }).click()]);
    const wanted = await heads(page);
    expect(wanted.slice(0, 5)).toEqual(["Row number", "DU ID", "Status", "DU name", "Plan owner"]);
    expect(wanted.slice(5, 7)).toEqual(["Subcontractor", "Delivery region"]);
    expect(wanted.indexOf("Plan end")).toBeLessThan(wanted.indexOf("Plan start"));
    expect(wanted).not.toContain("Actual start");
    await page.reload();
    await new GridPage(page).ready();
    await expect.poll(() => heads(page)).toEqual(wanted);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("filters by lists with counts: days, owners, statuses", { timeout: 120_000 }, async () => {
    const { duIds } = await makePlan("SHEET-D", 6);
    await journey.owner`update du_plan set plan_end = '{10200,0}', next_plan_end = 10200 where du_id = any(${duIds.slice(0, 4)}::bigint[])`;
    const { page, context, complaints, grid } = await openGrid("SHEET-D");
    const open = async (name: string) => {
      const column = await grid.column(name, "Survey");
      await page.locator(`[role=columnheader][aria-colindex="${column}"]`).last().getByRole("button").click();
      return page.getByRole("dialog", { name: `Survey · ${name}` });
    };
    let menu = await open("Status");
    await menu.getByText("After 7 d").waitFor();
    const row = (text: string) => menu.locator("div", { has: page.getByText(text, { exact: true }) }).last();
    await expect.poll(() => row("After 7 d").innerText()).toMatch(/4$/);
    await expect.poll(() => row("Not planned").innerText()).toMatch(/2$/);
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    menu = await open("Plan end");
    await menu.getByRole("combobox").selectOption({ label: "List" });
    await menu.getByLabel("2027-12-05").check();
    await menu.getByRole("button", { name: "Apply" }).click();
    await page.getByText("4 / 6 DU").waitFor();
    // The focus is back in the grid.
    await expect.poll(async () => (await grid.active()).row).toBeGreaterThanOrEqual(0);
    expect(complaints).toEqual([]);
    await context.close();
  });
});

describe("batches from the grid", () => {
  it("[RPL-09] set dates, owners and attributes of the selected DUs, list what is refused, and can be undone", {
    timeout: 180_000,
  }, async () => {
    const { projectId, duIds } = await makePlan("SETS", 4);
    await journey.owner`update du_plan set state = '{17,1}' where du_id = ${duIds[0]!}`;
    const { page, context, complaints } = await openGrid("SETS");
    await page.getByRole("checkbox", { name: "Select all rows" }).click();
    const start = async (item: string) => {
      await page.getByRole("button", { name: "Batch", exact: true }).first().click();
      await page.getByRole("menuitem", { name: item }).click();
      const dialog = page.getByRole("dialog");
      await dialog.waitFor();
      return dialog;
    };
    const finish = async (verb: RegExp) => {
      // The cross of a dialog may bear the same word; the verb stands at its foot.
      await page.getByRole("dialog").getByRole("button", { name: verb }).last().click();
      const result = page.getByRole("dialog", { name: /saved|closed|reopened/ });
      await result.waitFor();
      await expectAccessible(page);
      return result;
    };

    let dialog = await start("Set dates");
    await dialog.getByLabel("Survey").check();
    await dialog.getByText("Set to", { exact: true }).click();
    await dialog.getByLabel("Day", { exact: true }).fill("2026-12-24");
    await dialog.getByLabel("Day", { exact: true }).press("Tab");
    await dialog.getByRole("button", { name: "Preview" }).click();
    await dialog.getByText("3 cells would change, 1 are refused").waitFor();
    await dialog.getByRole("region", { name: "Refused cells" }).getByText("SETS-001").waitFor();
    await expectAccessible(page);
    let result = await finish(/^Apply 3 cells/);
    const planned = async () =>
      (
        await journey.owner<{ count: number }[]>`
          select count(*) filter (where coalesce(plan_end[1], 0) > 0)::int as count from du_plan where project_id = ${projectId}`
      )[0]!.count;
    await expect.poll(planned).toBe(3);
    await result.getByRole("button", { name: "Undo this save" }).click();
    await expect.poll(planned).toBe(0);

    dialog = await start("Set owners");
    await dialog.getByLabel("Survey").check();
    await dialog.getByRole("combobox", { name: "People" }).fill("pm");
    await dialog.getByRole("option", { name: /\(pm\)/ }).click();
    // Going on with Tab closes the list.
    await page.keyboard.press("Tab");
    await dialog.getByRole("button", { name: "Preview" }).click();
    await dialog.getByText("4 cells would change, 0 are refused").waitFor();
    await expectAccessible(page);
    result = await finish(/^Apply 4 cells/);
    await result.getByRole("button", { name: "Done" }).click();
    const owned = await journey.owner<{ users: number[] | null }[]>`
      select o.user_ids as users from du_plan p left join owner_set o on o.id = p.plan_owner[1] where p.project_id = ${projectId}`;
    expect(owned.every(({ users }) => users?.length === 1)).toBe(true);

    dialog = await start("Set attribute");
    await dialog.getByLabel("Value", { exact: true }).fill("north");
    await dialog.getByRole("button", { name: "Preview" }).click();
    await expectAccessible(page);
    result = await finish(/^Apply 4 cells/);
    await result.getByRole("button", { name: "Done" }).click();
    const [marked] = await journey.owner<
      { count: number }[]
    >`select count(*)::int as count from du where project_id = ${projectId} and ext <> '{}'`;
    expect(marked!.count).toBe(4);

    // Closing takes completed activities only; the refused rows can be chosen again.
    await journey.owner`update du_plan set actual_end = '{9700,0}', done_count = 1 where du_id = ${duIds[3]!}`;
    dialog = await start("Close activities");
    await dialog.getByLabel("Survey").check();
    result = await finish(/^Close$/);
    await result.getByRole("button", { name: "Select refused rows" }).click();
    await page.getByText("3 rows selected").waitFor();
    await page.getByRole("checkbox", { name: "Select all rows" }).click();
    dialog = await start("Reopen activities");
    await dialog.getByLabel("Survey").check();
    await dialog.getByRole("textbox", { name: /Reason/ }).fill("closed by mistake");
    result = await finish(/^Reopen$/);
    await result
      .getByText(/SETS-00/)
      .first()
      .waitFor();
    const [reopened] = await journey.owner<{ state: number }[]>`select state[1]::int as state from du_plan where du_id = ${duIds[3]!}`;
    expect(reopened!.state & 64).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
