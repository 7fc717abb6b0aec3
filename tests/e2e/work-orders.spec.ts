import type { Page } from "playwright";
import { describe, expect, it } from "vitest";
import { dayNumber, isoDay } from "#lib/core/clock.ts";
import { stateBits } from "#lib/rollout-plan/plan-rows/limits.ts";
import { GridPage } from "../support/grid-page.ts";
import { expectAccessible, languageCases, makeJourneyProject, picture, signIn, useJourney } from "../support/journey.ts";
import { makeActivities, makeDus, makeFlow, makeOwnerSet } from "../support/plan-factories.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();
const today = dayNumber(new Date().toISOString().slice(0, 10)) as number;
const scheduled = 1 | (1 << stateBits.workOrder.at);

describe("work orders", () => {
  it.each(
    languageCases,
  )("go from dispatch over acceptance to suspension and redo, and by request to NA, in $lang [WOR-01] [WOR-02] [WOR-13] [WOR-24]", {
    timeout: 240_000,
  }, async ({ lang, skin }) => {
    const number = `WORK-${lang.toUpperCase()}`;
    const projectId = await makeJourneyProject(journey.owner, number);
    const accounts = await journey.owner<{ id: number; account: string; name: string }[]>`select id, account, name from app_user`;
    const person = (account: string) => accounts.find((given) => given.account === account)!;
    const activities = await makeActivities(journey.owner, projectId, ["Survey", "Install"]);
    const flow = { id: await makeFlow(journey.owner, projectId, person("pm").id, activities), activities };
    const owners = await makeOwnerSet(journey.owner, projectId, [person("tl").id]);
    const plan = (start: number) => ({
      1: { state: scheduled, plan_start: isoDay(start)!, plan_end: isoDay(today + 5)!, plan_owner: owners },
      2: { state: scheduled, plan_start: isoDay(start)!, plan_end: isoDay(today + 9)!, plan_owner: owners },
    });
    const codes = ["W-1", "W-2", "W-3"];
    const duIds = await makeDus(
      journey.owner,
      projectId,
      codes.map((code, at) => ({ code, plan: plan(at === 2 ? today - 1 : today + 1) })),
      flow,
    );
    await journey.owner`update du_plan set release_state = 1 where du_id = ${duIds[0]!}`;
    await journey.owner`update flow_activity set na_needs_approval = true where flow_id = ${flow.id} and activity_id = ${activities[1]!.id}`;
    const [orders, plans, errors, common] = ["work-orders", "plan-grid", "errors", "common"].map((area) => textsOf(lang, area)) as [
      ReturnType<typeof textsOf>,
      ReturnType<typeof textsOf>,
      ReturnType<typeof textsOf>,
      ReturnType<typeof textsOf>,
    ];
    const statusOf = async (du: number, slot = 1) =>
      (await journey.owner<{ status: number }[]>`select (state[${slot}] >> 10) & 7 as status from du_plan where du_id = ${duIds[du]!}`)[0]!
        .status;
    const choose = async (page: Page, given: readonly string[]) => {
      for (const code of given) {
        await page.getByRole("gridcell", { name: code, exact: true }).click();
        await page.keyboard.press("Space");
      }
      await page.getByText(plans("selection.count", { count: given.length })).waitFor();
    };
    const openBatch = async (page: Page, verb: string) => {
      await page
        .getByRole("button", { name: plans("batch.menu"), exact: true })
        .last()
        .click();
      await page.getByRole("menuitem", { name: orders(`entries.${verb}`), exact: true }).click();
      return page.getByRole("dialog", { name: orders(`entries.${verb}`), exact: true });
    };

    // The manager dispatches three DUs: one is late, one is not released and asks first.
    const manager = await signIn(journey, "pm", { lang, skin, to: `/${number}` });
    const { page } = manager;
    const grid = new GridPage(page);
    await grid.ready();
    await choose(page, codes);
    let dialog = await openBatch(page, "dispatch");
    await dialog.getByRole("checkbox", { name: "Survey", exact: true }).check();
    await dialog.getByRole("button", { name: orders("verb.dispatch"), exact: true }).click();
    await dialog.getByText(orders("form.unreleased", { count: 1 })).waitFor();
    await dialog.getByRole("cell", { name: errors("WBS_NOT_RELEASED") }).waitFor();
    expect(await statusOf(0)).toBe(1);
    await expectAccessible(page);
    await picture(page, `order-dispatch-${skin}-${lang}`);
    await dialog.getByRole("button", { name: orders("form.dispatchAnyway") }).click();
    await dialog.getByText(orders("result.title", { done: 2, rejected: 1 })).waitFor();
    await dialog.getByRole("cell", { name: errors("DATE_BEFORE_TODAY") }).waitFor();
    await picture(page, `order-rejected-${skin}-${lang}`);
    await dialog.getByRole("button", { name: orders("result.select") }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText(plans("selection.count", { count: 1 })).waitFor();
    expect([await statusOf(0), await statusOf(1), await statusOf(2)]).toEqual([2, 2, 1]);

    // The assignee finds his orders, accepts one and starts it.
    const worker = await signIn(journey, "tl", { lang, skin, to: `/${number}` });
    await new GridPage(worker.page).ready();
    await worker.page.getByRole("button", { name: orders("entries.orders"), exact: true }).click();
    const drawer = worker.page.getByRole("dialog", { name: orders("drawer.title"), exact: true });
    await drawer.getByRole("button", { name: orders("drawer.mine"), exact: true }).click();
    await drawer.getByRole("row").filter({ hasText: "W-2" }).waitFor();
    await expectAccessible(worker.page);
    await picture(worker.page, `order-list-${skin}-${lang}`);
    await drawer.getByRole("row").filter({ hasText: "W-1" }).getByText("W-1").click();
    for (const verb of ["accept", "start"] as const) {
      await drawer.getByRole("button", { name: orders(`verb.${verb}`), exact: true }).click();
      await drawer.getByText(orders(`help.${verb}`)).waitFor();
      await drawer.getByRole("button", { name: orders(`verb.${verb}`), exact: true }).click();
      await drawer
        .getByText(orders(`event.${verb}`))
        .first()
        .waitFor();
    }
    await expect.poll(() => statusOf(0)).toBe(4);
    expect(worker.complaints).toEqual([]);
    await worker.context.close();

    // The manager opens the order at its cell and suspends it; a reason is asked for.
    await page.reload();
    await grid.ready();
    const column = textsOf(lang, "rollout-plan")("activityColumns.planEnd");
    await (await grid.cell(0, column, "Survey")).click({ button: "right" });
    await page.getByRole("menuitem", { name: orders("entries.order"), exact: true }).click();
    const one = page.getByRole("dialog", { name: orders("drawer.title"), exact: true });
    await one.getByRole("button", { name: orders("verb.suspend"), exact: true }).click();
    await one.getByRole("button", { name: orders("verb.suspend"), exact: true }).click();
    await one.getByText(orders("form.reasonMissing")).waitFor();
    await one.getByRole("textbox", { name: orders("form.reason") }).fill("Landlord dispute");
    await one.getByRole("button", { name: orders("verb.suspend"), exact: true }).click();
    await one.getByRole("button", { name: orders("verb.unsuspend"), exact: true }).waitFor();
    await one.getByText("Landlord dispute").waitFor();
    await expectAccessible(page);
    await picture(page, `order-detail-${skin}-${lang}`);
    expect(await statusOf(0)).toBe(5);
    await one.getByRole("button", { name: common("close"), exact: true }).click();

    // Redo of the chosen activities; the reason given before is offered.
    await choose(page, ["W-1"]);
    dialog = await openBatch(page, "redo");
    await dialog.getByRole("checkbox", { name: "Survey", exact: true }).check();
    await dialog.getByRole("button", { name: "Landlord dispute", exact: true }).click();
    await dialog.getByRole("button", { name: orders("verb.redo"), exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => statusOf(0)).toBe(1);
    expect(await statusOf(1)).toBe(2);

    // NA of an activity that needs approval: the approver decides on the screen of electronic flows.
    dialog = await openBatch(page, "setNa");
    await dialog.getByText(orders("help.setNa", { minutes: 10 })).waitFor();
    await dialog.getByRole("checkbox", { name: "Install", exact: true }).check();
    await dialog.getByRole("textbox", { name: orders("form.reason") }).fill("Not in the contract");
    await expectAccessible(page);
    await picture(page, `na-request-${skin}-${lang}`);
    await dialog.getByRole("button", { name: orders("verb.setNa"), exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    expect(manager.complaints).toEqual([]);
    await manager.context.close();

    const approver = await signIn(journey, "pd", { lang, skin, to: `/${number}` });
    await approver.page.goto(`${journey.base}/${number}#/checkElectronFlow`);
    // Until then the plan stands there, which has a row of the name as well.
    await approver.page.waitForURL(/electronic-flows/);
    await approver.page.getByRole("row").filter({ hasText: "W-1" }).getByText("W-1").click();
    const request = approver.page.getByRole("dialog", { name: "W-1 · Install" });
    await request.getByText("Not in the contract").waitFor();
    await expectAccessible(approver.page);
    await picture(approver.page, `electronic-flow-${skin}-${lang}`);
    await request.getByRole("button", { name: orders("flows.approve"), exact: true }).click();
    await request.waitFor({ state: "detached" });
    await expect
      .poll(async () => (await journey.owner`select (state[2] >> 1) & 3 as na from du_plan where du_id = ${duIds[0]!}`)[0]!.na)
      .toBe(1);
    await approver.page.reload();
    await approver.page.getByRole("row").filter({ hasText: "W-1" }).getByText(orders("flows.statuses.done")).waitFor();
    expect(approver.complaints).toEqual([]);
    await approver.context.close();
  });
});
