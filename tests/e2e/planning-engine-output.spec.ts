import type { Page } from "playwright";
import { describe, expect, it } from "vitest";
import { alive, expectAccessible, makeJourneyProject, picture, signIn, useJourney } from "../support/journey.ts";
import { makeActivities, makeDus, makeFlow } from "../support/plan-factories.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();
const number = "ENGOUT";
/** A day of the rollout plan two weeks from now, on a Monday. */
const monday = (() => {
  const day = new Date();
  day.setUTCDate(day.getUTCDate() + 14 + ((8 - day.getUTCDay()) % 7));
  return day.toISOString().slice(0, 10);
})();
const days = (after: number) => new Date(Date.parse(monday) + after * 86_400_000).toISOString().slice(0, 10);

/** Three DUs of two activities with one team each, and antennas for two of them. */
async function makeVersion(page: Page): Promise<number> {
  // biome-ignore lint/suspicious/noExplicitAny: answers of many calls
  const ok = async (address: string, input: unknown): Promise<any> => {
    const answer = await page.evaluate(
      async ([to, body]) =>
        (await fetch(to as string, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) })).json(),
      [`/api/${address}?projectNumber=${number}`, input] as const,
    );
    expect(answer.status, `${address}: ${JSON.stringify(answer)}`).toBe(200);
    return answer.data;
  };
  const [project] = await journey.owner<{ id: number; owner: number }[]>`
    select id, (select id from app_user where account = 'pm') as owner from project where number = ${number}`;
  const activities = await makeActivities(journey.owner, project!.id, ["Survey", "Install"]);
  const flow = { id: await makeFlow(journey.owner, project!.id, project!.owner, activities), activities };
  const dus = await makeDus(journey.owner, project!.id, [{ code: "OUT-1" }, { code: "OUT-2" }, { code: "OUT-3" }], flow);
  const { id: versionId } = await ok("engine/version/save", { versionName: "Wave" });
  const save = (address: string, rows: object[]) => ok(address, { versionId, rows });
  await ok("engine/version/setCurrent", { id: versionId });
  await ok("engine/setting/save", { versionId, planStartDate: monday, sortByRfi: true, evaluationLimit: 60, currency: "EUR" });
  await save(
    "nc/duConfig/save",
    dus.map((duId, at) => ({ duId, workflowName: "NEW", duType: "both", region: "North", planEndDate: days(4), rfiPriority: at + 1 })),
  );
  const team = { workflowName: "NEW", needSubcontractor: true };
  await save("engine/activity/save", [
    { ...team, activityName: "Survey", sort: 1, durationDays: 1, skillType: "SUR" },
    {
      ...team,
      activityName: "Install",
      sort: 2,
      durationDays: 3,
      skillType: "INST",
      materialRelated: true,
      assembly: true,
      predecessors: [{ activityName: "Survey", relation: "FS" }],
    },
  ]);
  await journey.owner`
    update engine_activity a set slot = l.slot from activity_library l
    where a.version_id = ${versionId} and l.project_id = a.project_id and l.name = a.activity_name`;
  await save("engine/skillResource/save", [
    { skillType: "SUR", resourceName: "Alpha", teamCount: 1 },
    { skillType: "INST", resourceName: "Alpha", teamCount: 1 },
  ]);
  const { ids } = await ok("nc/centerWarehouse/save", { rows: [{ name: "Main", type: "central", priority: 1 }] });
  await save("nc/inventory/save", [{ warehouseId: ids[0], itemCode: "ANT", inventoryQty: 4 }]);
  await save(
    "nc/duMaterial/save",
    dus.map((duId) => ({ duId, itemCode: "ANT", installQty: 2 })),
  );
  const { runId } = await ok("engine/executeEngine/plan", { versionId });
  await expect
    .poll(async () => (await ok("engine/executeEngine/status", { runId })).status, { timeout: 30_000, interval: 200 })
    .toBe("success");
  return dus[1]!;
}

describe("the output of the planning engine", () => {
  it("says who does what when and why, is written into the rollout plan, and says what has to be bought [ENG-01] [ENG-03] [ENG-04] [ENG-05] [ENG-39]", {
    timeout: 90_000,
  }, async () => {
    await makeJourneyProject(journey.owner, number);
    const t = textsOf("en", "outputs");
    const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", skin: "light", to: `/${number}` });
    const second = await makeVersion(page);

    await page.goto(`${journey.base}/${number}/planning-engine/output`);
    await alive(page);
    await page.getByText("OUT-3").first().waitFor();
    await expectAccessible(page);
    await picture(page, "engine-output-light-en");
    await page.keyboard.press("Control+Home");
    await page.getByText("OUT-2").first().dblclick();
    const drawer = page.getByRole("dialog");
    await drawer.getByRole("row", { name: /Install.*OUT-1/ }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "hidden" });

    await page.getByRole("tab", { name: t("tab.gantt") }).click();
    const chart = page.getByRole("grid", { name: t("gantt.label") });
    await chart.getByText("OUT-2").first().waitFor();
    await chart.focus();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
    await page.getByRole("tooltip").getByText(/OUT-1/).waitFor();
    await expectAccessible(page);
    await picture(page, "engine-gantt-light-en");

    await page.getByRole("tab", { name: t("tab.facts") }).click();
    await page.getByText(/Signed by the independent checker/).waitFor();
    await page.getByRole("row", { name: new RegExp(t("facts.level.gapDus")) }).waitFor();

    await page.getByRole("button", { name: t("apply.open") }).click();
    await drawer.getByRole("button", { name: t("apply.verb", { count: 3 }) }).click();
    await drawer.getByText(/of 3 DUs written/).waitFor();
    await expectAccessible(page);
    const [plan] = await journey.owner<{ ends: number[] }[]>`select plan_end as ends from du_plan where du_id = ${second}`;
    // Its survey waits for that of the first, its installation for the team that installs the first.
    expect(plan!.ends.slice(0, 2).map((day) => new Date(Date.UTC(2000, 0, 1 + day)).toISOString().slice(0, 10))).toEqual([
      days(1),
      days(8),
    ]);

    await page.goto(`${journey.base}/${number}/planning-engine/material-plan`);
    await page.getByText(t("material.currency", { currency: "EUR" })).waitFor();
    await page.getByRole("img", { name: /6 needed, 4 supplied/ }).waitFor();
    await expectAccessible(page);
    await picture(page, "engine-material-light-en");
    await page.getByRole("tab", { name: t("material.tab.net") }).click();
    await page.getByRole("cell", { name: "ANT" }).first().waitFor();

    await page.goto(`${journey.base}/${number}/planning-engine/material-gap`);
    await page.getByRole("row", { name: /OUT-3.*ANT.*none left/ }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });
});
