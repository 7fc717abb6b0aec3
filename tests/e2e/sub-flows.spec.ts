import { describe, expect, it } from "vitest";
import { GridPage } from "../support/grid-page.ts";
import { expectAccessible, makeJourneyProject, picture, signIn, useJourney } from "../support/journey.ts";
import { makeDus, makeOwnerSet } from "../support/plan-factories.ts";
import { callFromPage } from "../support/plan-page.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();
const today = new Date().toISOString().slice(0, 10);

describe("sub-flows", () => {
  it("are made, put below an activity, renamed, deleted when unused, and ticked off in the grid [FLW-02]", {
    timeout: 120_000,
  }, async () => {
    const number = "SUBFLOW-ZH";
    const projectId = await makeJourneyProject(journey.owner, number);
    const [t, plans, common] = [textsOf("zh", "sub-flows"), textsOf("zh", "plan-grid"), textsOf("zh", "common")];
    const { page, context, complaints } = await signIn(journey, "pm", {
      lang: "zh",
      skin: "dark",
      to: `/${number}#/subActivityStreams`,
    });
    await page
      .getByRole("button", { name: t("new") })
      .first()
      .click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(new RegExp(`^${common("name")}`)).fill("铁塔施工");
    await dialog.getByLabel(t("form.stepName", { number: 1 })).fill("基础");
    await dialog.getByRole("button", { name: t("form.addStep") }).click();
    await dialog.getByLabel(t("form.stepName", { number: 2 })).fill("立塔");
    await dialog.getByLabel(t("form.weightOf", { number: 2 })).fill("3");
    await expectAccessible(page);
    await dialog.locator("button[type=submit]").click();
    await page.getByRole("button", { name: "铁塔施工" }).waitFor();

    // The flow gets it in the panel of its activity.
    const { id } = await callFromPage<{ id: number }>(page, "flow/save", { name: "新建站点" });
    const nodes = [{ key: "a", name: "施工", isAnchor: true }];
    await callFromPage(page, "flow/graph/save", { flowId: id, rowVersion: 1, nodes, relations: [] });
    await page.goto(`${journey.base}/${number}/activity-flows?flow=${id}`);
    await page.getByText("施工", { exact: true }).first().click();
    await page.getByLabel(t("choice.label")).selectOption({ label: "铁塔施工" });
    await picture(page, "flow-sub-flow-dark-zh");
    await page.keyboard.press("Control+s");
    await expect
      .poll(async () => (await journey.owner`select sub_flow_id from flow_activity where flow_id = ${id}`)[0]?.sub_flow_id)
      .toEqual(expect.any(Number));
    const [{ rowVersion }] = (await journey.owner`select row_version as "rowVersion" from activity_flow where id = ${id}`) as unknown as [
      { rowVersion: number },
    ];
    await callFromPage(page, "flow/release", { id, rowVersion });
    await page.goto(`${journey.base}/${number}/activity-flows/sub-flows`);
    await page.getByRole("row", { name: /铁塔施工.*新建站点: 施工/ }).waitFor();
    await expectAccessible(page);
    await picture(page, "sub-flows-dark-zh");

    // It takes another name; used, it cannot be deleted, an unused one can.
    await page.getByRole("button", { name: "铁塔施工", exact: true }).click();
    await dialog.getByLabel(new RegExp(`^${common("name")}`)).fill("铁塔新建");
    await dialog.locator("button[type=submit]").click();
    await page.getByRole("row", { name: /铁塔新建.*新建站点: 施工/ }).waitFor();
    const remove = async (name: string) => {
      await page.getByRole("checkbox", { name: t("chooseOne", { name }), exact: true }).check();
      await page.getByRole("button", { name: t("delete", { count: 1 }), exact: true }).click();
      await dialog.getByRole("button", { name: t("delete", { count: 1 }), exact: true }).click();
      await dialog.waitFor({ state: "hidden" });
    };
    await remove("铁塔新建");
    await page.getByText(textsOf("zh", "errors")("IN_USE", { by: "铁塔新建: 新建站点 / 施工" })).waitFor();
    await callFromPage(page, "subFlow/save", { subFlow: { name: "管道施工" }, steps: [{ name: "开挖" }] });
    await page.reload();
    await remove("管道施工");
    await page
      .getByText(t("deleted", { count: 1 }))
      .first()
      .waitFor();
    await page.getByRole("button", { name: "管道施工", exact: true }).waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "铁塔新建", exact: true }).waitFor();

    const [du] = (await makeDus(journey.owner, projectId, [{ code: "S-1" }])) as [number];
    const [pm] = await journey.owner<{ id: number }[]>`select id from app_user where account = 'pm'`;
    const owners = await makeOwnerSet(journey.owner, projectId, [pm!.id]);
    await callFromPage(page, "duFlow/bind", { duIds: [du], flowId: id });
    await journey.owner`update du_plan set plan_owner = array[${owners}]::int[] where du_id = ${du}`;
    await page.goto(`${journey.base}/${number}`);
    const grid = new GridPage(page);
    await grid.ready();
    const column = textsOf("zh", "rollout-plan")("activityColumns.actualStart");
    const cell = await grid.cell(0, column, "施工");
    await cell.click();
    await page.keyboard.press("Enter");
    const drawer = page.getByRole("dialog", { name: t("steps.title") });
    await drawer.getByLabel("基础").fill(today);
    await drawer.getByLabel("基础").press("Tab");
    await drawer.getByText(t("steps.share", { percent: 25, done: 1, total: 2 })).waitFor();
    await expectAccessible(page);
    await picture(page, "sub-steps-dark-zh");
    await drawer.getByRole("button", { name: common("save"), exact: true }).click();
    await drawer.waitFor({ state: "detached" });
    await expect.poll(() => grid.text(0, column, "施工")).not.toBe("");
    await cell.click({ button: "right" });
    await page.getByRole("menuitem", { name: plans("entries.steps"), exact: true }).click();
    await drawer.getByText(t("steps.share", { percent: 25, done: 1, total: 2 })).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });
});
