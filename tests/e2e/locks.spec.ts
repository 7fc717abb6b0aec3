import { describe, expect, it } from "vitest";
import { dayNumber, isoDay } from "#lib/core/clock.ts";
import { stateBits } from "#lib/rollout-plan/plan-rows/limits.ts";
import { GridPage } from "../support/grid-page.ts";
import { expectAccessible, languageCases, makeJourneyProject, picture, signIn, useJourney } from "../support/journey.ts";
import { makeActivities, makeDus, makeFlow } from "../support/plan-factories.ts";
import { callFromPage } from "../support/plan-page.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();
const today = dayNumber(new Date().toISOString().slice(0, 10)) as number;

/** Three DUs of the demo project on one flow, and an activity that is planned ahead and not begun in all of them. */
async function planned() {
  const [found] = await journey.owner<{ duIds: number[]; codes: string[]; activityId: number; slot: number; name: string }[]>`
    select (array_agg(du.id order by du.code))[1:3] as "duIds", (array_agg(du.code order by du.code))[1:3] as codes, l.id as "activityId", l.slot, l.name
    from du_plan d join du on du.id = d.du_id join project p on p.id = du.project_id join activity_library l on l.project_id = p.id
    join du_flow f on f.du_id = du.id and f.unbound_at is null
    where p.number = 'DEMO' and d.plan_start[l.slot] > ${today + 7} and d.plan_end[l.slot] > 0 and coalesce(d.actual_start[l.slot], 0) = 0
      and d.state[l.slot] & ${(1 << stateBits.fixed.at) | (1 << stateBits.frozen.at)} = 0
    group by l.id, f.flow_id having count(*) > 2 order by count(*) desc limit 1`;
  return found!;
}

const bits = async (duIds: number[], slot: number, bit: "fixed" | "frozen") =>
  (
    await journey.owner<{ on: boolean }[]>`
      select (state[${slot}] >> ${stateBits[bit].at}) & 1 = 1 as on from du_plan where du_id = any(${duIds}::bigint[]) order by du_id`
  ).map(({ on }) => on);

describe("fixing and freezing", () => {
  it("of chosen activities of the selected DUs, by the batch menu; shown by the lists of locks and freezes, ended by PD [SCH-01] [SCH-02] [SCH-03] [SCH-04]", {
    timeout: 180_000,
  }, async () => {
    const [scheduling, plan] = [textsOf("en", "scheduling"), textsOf("en", "plan-grid")];
    const part = (name: string) => (key: string, values?: Record<string, string | number>) => scheduling(`${name}.${key}`, values);
    const [lock, locks, freezes, filter] = [part("lock"), part("locks"), part("freezes"), part("filter")];
    const { duIds: three, codes: shown, slot, name } = await planned();
    const [duIds, codes, unselected] = [three.slice(0, 2), shown.slice(0, 2), three.slice(2)];
    const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", skin: "light", to: "/DEMO" });

    // The DUs are found by their codes; two of them are chosen as rows.
    await page.goto(`${journey.base}/DEMO?du=${shown.join(",")}`);
    for (const code of codes) {
      await page.getByRole("gridcell", { name: code, exact: true }).click();
      await page.keyboard.press("Space");
    }
    await page.getByText(plan("selection.count", { count: 2 })).waitFor();
    const ask = async (verb: "fix" | "freeze", reason?: string) => {
      await page
        .getByRole("button", { name: plan("batch.menu"), exact: true })
        .last()
        .click();
      await page.getByRole("menuitem", { name: lock(`title.${verb}`), exact: true }).click();
      const dialog = page.getByRole("dialog", { name: lock(`title.${verb}`), exact: true });
      await dialog.getByRole("checkbox", { name, exact: true }).check();
      if (reason) {
        await dialog.getByRole("button", { name: lock(`apply.${verb}`) }).click();
        await dialog.getByText(lock("reasonMissing")).waitFor();
        await expect.poll(() => bits(duIds, slot, "frozen")).toEqual([false, false]);
        await dialog.getByRole("textbox", { name: lock("reason") }).fill(reason);
      }
      await expectAccessible(page);
      if (verb === "freeze") await picture(page, "freeze-dialog-light");
      await dialog.getByRole("button", { name: lock(`apply.${verb}`) }).click();
      await dialog.waitFor({ state: "detached" });
    };
    await ask("fix");
    await expect.poll(() => bits(duIds, slot, "fixed")).toEqual([true, true]);
    expect(await bits(unselected, slot, "fixed")).toEqual([false]);
    await ask("freeze", "Promised to the customer");
    await expect.poll(() => bits(duIds, slot, "frozen")).toEqual([true, true]);
    expect(await bits(unselected, slot, "frozen")).toEqual([false]);

    // Which locks there are and how they are lifted.
    await page.goto(`${journey.base}/DEMO#/lockLogicQueries`);
    await page.waitForURL(/scheduling\/locks/);
    await page.getByRole("searchbox", { name: filter("search") }).fill(codes[0]!);
    const table = page.getByRole("table");
    for (const kind of ["FIXED", "FROZEN"])
      await table
        .getByRole("cell", { name: locks(`kinds.${kind}`), exact: true })
        .first()
        .waitFor();
    await table.getByText(locks("lifts.FROZEN")).first().waitFor();
    await picture(page, "locks-light");
    await context.close();

    // PD ends one freeze with a reason; it moves from the open ones to the history.
    const pd = await signIn(journey, "pd", { lang: "en", to: "/DEMO" });
    await pd.page.goto(`${journey.base}/DEMO#/planFreeze`);
    const row = (code: string) => pd.page.getByRole("row").filter({ hasText: code }).filter({ hasText: name });
    await row(codes[0]!).getByText("Promised to the customer").waitFor();
    await row(codes[1]!).waitFor();
    await row(codes[0]!).getByRole("checkbox").check();
    await pd.page.getByRole("button", { name: freezes("unfreeze", { count: 1 }) }).click();
    const dialog = pd.page.getByRole("dialog", { name: lock("title.unfreeze") });
    await dialog.getByRole("textbox", { name: lock("reason") }).fill("Customer moved it");
    await dialog.getByRole("button", { name: lock("apply.unfreeze") }).click();
    await dialog.waitFor({ state: "detached" });
    await row(codes[0]!).waitFor({ state: "detached" });
    await row(codes[1]!).waitFor();
    await pd.page.getByRole("tab", { name: freezes("history") }).click();
    await row(codes[0]!).getByText("Promised to the customer / Customer moved it").waitFor();
    await expect.poll(async () => (await bits(duIds, slot, "frozen")).filter(Boolean)).toHaveLength(1);
    expect([...complaints, ...pd.complaints]).toEqual([]);
    await pd.context.close();
  });

  it("of what starts soon, by condition on the screen of freezes; PD ends it in the plan for chosen activities of the selected DUs [SCH-01] [SCH-04]", {
    timeout: 120_000,
  }, async () => {
    const number = "FREEZE-EN";
    const projectId = await makeJourneyProject(journey.owner, number);
    const [owner] = await journey.owner<{ id: number }[]>`select id from app_user where account = 'pm'`;
    const activities = await makeActivities(journey.owner, projectId, ["Survey", "Install"]);
    const flow = { id: await makeFlow(journey.owner, projectId, owner!.id, activities), activities };
    const [survey, install] = activities.map(({ slot }) => slot) as [number, number];
    // The last one starts later than asked for below.
    const dus = [2, 3, 10, 30].map((days, at) => {
      const dates = { plan_start: isoDay(today + days)!, plan_end: isoDay(today + days + 5)! };
      return { code: `F-${at + 1}`, plan: { [survey]: dates, [install]: dates } };
    });
    const duIds = await makeDus(journey.owner, projectId, dus, flow);
    const [scheduling, plan] = [textsOf("en", "scheduling"), textsOf("en", "plan-grid")];
    const frozen = async () => [await bits(duIds, survey, "frozen"), await bits(duIds, install, "frozen")];

    const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", skin: "light", to: `/${number}` });
    await page.goto(`${journey.base}/${number}#/planFreeze`);
    await page.waitForURL(/scheduling\/freezes/);
    await page.getByRole("button", { name: scheduling("freezes.byCondition"), exact: true }).click();
    let dialog = page.getByRole("dialog", { name: scheduling("freezes.byCondition"), exact: true });
    const days = dialog.getByRole("textbox", { name: scheduling("freezes.withinDays"), exact: true });
    await days.press("End");
    await days.press("Backspace");
    await days.pressSequentially("12");
    await expect.poll(() => days.inputValue()).toBe(`${scheduling("freezes.withinDays")} 12`);
    await dialog.getByRole("button", { name: scheduling("freezes.find"), exact: true }).click();
    await dialog.getByText(scheduling("freezes.found", { dus: 3, activities: 6 })).waitFor();
    await dialog.getByRole("button", { name: scheduling("lock.apply.freeze"), exact: true }).click();
    await dialog.getByText(scheduling("lock.reasonMissing")).waitFor();
    await dialog.getByRole("textbox", { name: scheduling("lock.reason") }).fill("Starts soon");
    await expectAccessible(page);
    await picture(page, "freeze-by-condition-light");
    await dialog.getByRole("button", { name: scheduling("lock.apply.freeze"), exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    await expect.poll(frozen).toEqual([
      [true, true, true, false],
      [true, true, true, false],
    ]);
    const row = (code: string) => page.getByRole("row").filter({ hasText: code }).filter({ hasText: "Install" });
    for (const { code } of dus.slice(0, 3)) await row(code).getByText("Starts soon").waitFor();
    expect(await row("F-4").count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();

    const pd = await signIn(journey, "pd", { lang: "en", to: `/${number}` });
    await new GridPage(pd.page).ready();
    for (const code of ["F-1", "F-2"]) {
      await pd.page.getByRole("gridcell", { name: code, exact: true }).click();
      await pd.page.keyboard.press("Space");
    }
    await pd.page.getByText(plan("selection.count", { count: 2 })).waitFor();
    await pd.page
      .getByRole("button", { name: plan("batch.menu"), exact: true })
      .last()
      .click();
    await pd.page.getByRole("menuitem", { name: scheduling("lock.title.unfreeze"), exact: true }).click();
    dialog = pd.page.getByRole("dialog", { name: scheduling("lock.title.unfreeze"), exact: true });
    await dialog.getByRole("checkbox", { name: "Install", exact: true }).check();
    await dialog.getByRole("textbox", { name: scheduling("lock.reason") }).fill("Customer moved it");
    await dialog.getByRole("button", { name: scheduling("lock.apply.unfreeze"), exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    await expect.poll(frozen).toEqual([
      [true, true, true, false],
      [false, false, true, false],
    ]);
    expect(pd.complaints).toEqual([]);
    await pd.context.close();
  });
});

describe("frozen plan dates", () => {
  it.each([
    languageCases[0],
    languageCases[1],
  ])("are changed by PD through the lock icon, for one DU and for several, with a reason, in $lang [SCH-11]", {
    timeout: 120_000,
  }, async ({ lang, skin }) => {
    const number = `LOCK-${lang.toUpperCase()}`;
    const projectId = await makeJourneyProject(journey.owner, number);
    const [pm] = await journey.owner<{ id: number }[]>`select id from app_user where account = 'pm'`;
    const activities = await makeActivities(journey.owner, projectId, ["Survey", "Install"]);
    const flow = { id: await makeFlow(journey.owner, projectId, pm!.id, activities), activities };
    const install = activities[1]!;
    const [start, end] = [today + 20, today + 25].map((day) => isoDay(day)!);
    const plan = { [install.slot]: { plan_start: start!, plan_end: end! } };
    const codes = ["L-1", "L-2", "L-3"].map((code) => ({ code, plan }));
    const duIds = await makeDus(journey.owner, projectId, codes, flow);
    const [scheduling, plans] = [textsOf(lang, "scheduling"), textsOf(lang, "plan-grid")];
    const ends = async () =>
      (
        await journey.owner<{ end: number }[]>`
          select plan_end[${install.slot}]::int as end from du_plan where du_id = any(${duIds}::bigint[]) order by du_id`
      ).map((row) => row.end - today);

    const manager = await signIn(journey, "pm", { lang, skin, to: `/${number}` });
    await callFromPage(manager.page, "plan/freeze", { duIds, activityIds: [install.id], reason: "promised" });
    await manager.page.reload();
    const column = textsOf(lang, "rollout-plan")("activityColumns.planEnd");
    const locked = new GridPage(manager.page);
    await locked.ready();
    await (await locked.cell(0, column, "Install")).dblclick();
    await manager.page.getByText(plans("remedy.FROZEN")).waitFor();
    await manager.context.close();

    const { page, context, complaints } = await signIn(journey, "pd", { lang, skin, to: `/${number}` });
    const grid = new GridPage(page);
    await grid.ready();
    const dialog = page.getByRole("dialog", { name: scheduling("planChange.title", { activity: "Install" }) });
    const change = async (count: number, day: number) => {
      await dialog.waitFor();
      await dialog.getByLabel(scheduling("planChange.planEnd")).fill(isoDay(day)!);
      await dialog.getByLabel(scheduling("planChange.planEnd")).press("Tab");
      await dialog.getByRole("button", { name: scheduling("planChange.apply", { count }) }).click();
      await dialog.getByText(scheduling("lock.reasonMissing")).waitFor();
      await expectAccessible(page);
      await dialog.getByRole("textbox", { name: scheduling("lock.reason") }).fill("Customer moved it");
    };
    // One DU, by the icon in its cell.
    const cell = await grid.cell(0, column, "Install");
    const { width, height } = (await cell.boundingBox())!;
    await cell.click({ position: { x: width - 9, y: height / 2 } });
    await change(1, today + 10);
    await dialog.getByRole("button", { name: scheduling("planChange.apply", { count: 1 }) }).click();
    await dialog.getByText(textsOf(lang, "errors")("PLAN_ORDER")).waitFor();
    expect(await ends()).toEqual([25, 25, 25]);
    await dialog.getByLabel(scheduling("planChange.planEnd")).fill(isoDay(today + 30)!);
    await dialog.getByLabel(scheduling("planChange.planEnd")).press("Tab");
    await picture(page, `plan-change-${skin}-${lang}`);
    await dialog.getByRole("button", { name: scheduling("planChange.apply", { count: 1 }) }).click();
    await dialog.waitFor({ state: "detached" });
    await expect.poll(ends).toEqual([30, 25, 25]);
    await expect.poll(() => grid.text(0, column, "Install")).toBe(isoDay(today + 30));
    // Several, by the menu of the selection.
    await grid.select(await grid.cell(1, column, "Install"), await grid.cell(2, column, "Install"));
    await (await grid.cell(2, column, "Install")).click({ button: "right" });
    await page.getByRole("menuitem", { name: plans("cell.changeLocked") }).click();
    await change(2, today + 40);
    await dialog.getByRole("button", { name: scheduling("planChange.apply", { count: 2 }) }).click();
    await dialog.waitFor({ state: "detached" });
    await expect.poll(ends).toEqual([30, 40, 40]);
    await expect
      .poll(async () => (await grid.cell(1, column, "Install")).getAttribute("aria-label"))
      .toContain(textsOf(lang, "ui")("lock.frozen"));
    expect(complaints).toEqual([]);
    await context.close();
  });
});
