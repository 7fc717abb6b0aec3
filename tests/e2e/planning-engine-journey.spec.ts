import type { Locator, Page } from "playwright";
import { describe, expect, it } from "vitest";
import type { CancelMode } from "#lib/planning-engine/runs/limits.ts";
import { alive, expectAccessible, languageCases, makeJourneyProject, picture, signIn, useJourney } from "../support/journey.ts";
import { makeActivities, makeDus, makeFlow } from "../support/plan-factories.ts";
import { callFromPage } from "../support/plan-page.ts";
import { taskFile, withRows, workbookFile } from "../support/row-grid.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();
/** A day of the rollout plan two weeks from now, on a Monday. */
const monday = (() => {
  const day = new Date();
  day.setUTCDate(day.getUTCDate() + 14 + ((8 - day.getUTCDay()) % 7));
  return day.toISOString().slice(0, 10);
})();
const days = (after: number) => new Date(Date.parse(monday) + after * 86_400_000).toISOString().slice(0, 10);
const codes = ["OUT-1", "OUT-2", "OUT-3"];
/** Elsewhere, with teams and time enough: so many that no machine is through with their plans before a run is stopped. */
const others = Array.from({ length: 120 }, (_, at) => `WIDE-${String(at + 1).padStart(3, "0")}`);
const duCount = codes.length + others.length;

/** Three DUs of two activities with one team each, and antennas for two of them, beside the others: by workbook. */
const sheets: Record<string, Record<string, string | number | boolean>[]> = {
  du: [...codes, ...others].map((duCode, at) => ({
    duCode,
    workflowName: "NEW",
    duType: "both",
    region: at < codes.length ? "North" : "South",
    planEndDate: days(at < codes.length ? 4 : 200),
    rfiPriority: at + 1,
    longitude: (2428 + at) / 20,
    latitude: 31.2,
  })),
  activity: [
    { workflowName: "NEW", activityName: "Survey", sort: 1, durationDays: 1, needSubcontractor: true, skillType: "SUR" },
    {
      workflowName: "NEW",
      activityName: "Install",
      sort: 2,
      durationDays: 3,
      needSubcontractor: true,
      skillType: "INST",
      materialRelated: true,
      assembly: true,
      predecessors: "Survey FS",
    },
  ],
};

/** What is no matter of this journey: warehouse, stock, what the DUs need, teams. */
async function fillTheRest(page: Page, versionId: number, dus: readonly number[]): Promise<void> {
  const save = (address: string, rows: object[]) => callFromPage<{ ids: number[] }>(page, address, { versionId, rows });
  await save("engine/skillResource/save", [
    { skillType: "SUR", resourceName: "Alpha", region: "North", teamCount: 1 },
    { skillType: "INST", resourceName: "Alpha", region: "North", teamCount: 1 },
    { skillType: "SUR", resourceName: "Beta", region: "South", teamCount: 8 },
    { skillType: "INST", resourceName: "Beta", region: "South", teamCount: 16 },
  ]);
  const { ids } = await callFromPage<{ ids: number[] }>(page, "nc/centerWarehouse/save", {
    rows: [{ name: "Main", type: "central", priority: 1 }],
  });
  await save("nc/inventory/save", [{ warehouseId: ids[0], itemCode: "ANT", inventoryQty: 4 }]);
  await save(
    "nc/duMaterial/save",
    dus.map((duId) => ({ duId, itemCode: "ANT", installQty: 2 })),
  );
}

/** How the run ends: after its time, or stopped by a person with what it has, or without and once more as a re-planning. */
const endings: Record<"zh" | "en" | "ja", { seconds: number; stops: readonly CancelMode[] }> = {
  zh: { seconds: 2, stops: [] },
  en: { seconds: 50, stops: ["keep_best"] },
  ja: { seconds: 50, stops: ["discard", "keep_best"] },
};

describe("the planning engine as a whole", () => {
  it.each(
    languageCases,
  )("in $lang: inputs by workbook, check, run with progress, output, application and its undo [ENG-01] [ENG-03] [ENG-04] [ENG-05] [ENG-22] [ENG-39]", {
    timeout: 120_000,
  }, async ({ lang, skin }) => {
    const number = `ENG-${lang.toUpperCase()}`;
    const projectId = await makeJourneyProject(journey.owner, number);
    const [pm] = await journey.owner<{ id: number }[]>`select id from app_user where account = 'pm'`;
    const activities = await makeActivities(journey.owner, projectId, ["Survey", "Install"]);
    const flow = { id: await makeFlow(journey.owner, projectId, pm!.id, activities, "NEW"), activities };
    const dus = await makeDus(
      journey.owner,
      projectId,
      [...codes, ...others].map((code) => ({ code })),
      flow,
    );
    const [home, out, common, screens, ui] = (["engine-home", "outputs", "common", "screens", "ui"] as const).map((area) =>
      textsOf(lang, area),
    ) as [
      ReturnType<typeof textsOf>,
      ReturnType<typeof textsOf>,
      ReturnType<typeof textsOf>,
      ReturnType<typeof textsOf>,
      ReturnType<typeof textsOf>,
    ];
    const says = textsOf(lang, "engine-runs");
    // One layout for three languages: it is looked at in one.
    const looked = async (name: string) => {
      if (lang !== "en") return;
      await expectAccessible(page);
      await picture(page, `engine-${name}-light-en`);
    };
    const { page, context, complaints } = await signIn(journey, "pm", { lang, skin, to: `/${number}/planning-engine` });
    await alive(page);
    const dialog = page.getByRole("dialog");
    const button = (name: string, within: Page | Locator = page) => within.getByRole("button", { name, exact: true });

    // A version with its settings.
    await button(home("version.new")).first().click();
    await dialog.getByLabel(home("version.name")).fill("Wave");
    await button(common("create"), dialog).click();
    await dialog.waitFor({ state: "detached" });
    const tiles = page.getByRole("list", { name: home("tiles.label") });
    const tile = (name: string) => tiles.getByRole("listitem").filter({ has: page.getByText(home(`blocks.${name}`), { exact: true }) });
    const [version] = await journey.owner<{ id: number }[]>`select id from engine_plan_version where project_id = ${projectId}`;
    const versionId = version!.id;
    await callFromPage(page, "engine/setting/save", {
      versionId,
      planStartDate: monday,
      sortByRfi: true,
      evaluationLimit: 1_000_000,
      timeBudgetS: endings[lang].seconds,
      currency: "EUR",
    });

    // Inputs by workbook: what goes out without rows is what comes in filled.
    const templates = Object.fromEntries(
      await Promise.all(
        Object.keys(sheets).map(async (block) => {
          const { taskId } = await callFromPage<{ taskId: string }>(page, "engine/input/export", { versionId, block });
          const status = async () => (await journey.owner<{ status: string }[]>`select status from task where id = ${taskId}`)[0]?.status;
          await expect.poll(status).toBe("succeeded");
          return [block, await taskFile(journey, page, number, taskId)] as const;
        }),
      ),
    );
    await tile("du").getByRole("link").click();
    await page.waitForURL(/planning-engine\/inputs\?/);
    for (const [block, rows] of Object.entries(sheets)) {
      await page.getByRole("tab", { name: home(`blocks.${block}`), exact: true }).click();
      await button(common("import")).click();
      await dialog.locator("input[type=file]").setInputFiles(workbookFile(`${block}.xlsx`, withRows(templates[block]!, rows)));
      await dialog.getByText(home("import.done", { count: rows.length })).waitFor();
      await button(common("close"), dialog).last().click();
      await page.getByText(common("rows", { count: rows.length }), { exact: true }).waitFor();
    }
    await fillTheRest(page, versionId, dus.slice(0, codes.length));

    // The check finds nothing against it: what is short is planned all the same.
    await page
      .getByRole("link", { name: screens("planningEngine") })
      .first()
      .click();
    await button(home("check.verb")).click();
    await page
      .getByRole("region", { name: home("check.label"), exact: true })
      .getByText(home("check.ready"))
      .waitFor();

    // Calculated: how far it is and the best plan so far; stopped with it or without, or left alone.
    const run = page.getByRole("region", { name: home("run.label"), exact: true });
    const state = (name: string) => run.getByText(home(`run.status.${name}`), { exact: true });
    await button(home("run.verb")).click();
    await run.getByRole("progressbar").waitFor();
    await run.getByText(home("run.phase.improve"), { exact: true }).first().waitFor();
    await run.getByText(home("run.figure.finish"), { exact: true }).waitFor();
    for (const [at, mode] of endings[lang].stops.entries()) {
      if (at > 0) {
        await button(home("replan.title")).click();
        await button(home("replan.verb"), dialog).click();
        await dialog.waitFor({ state: "detached" });
        await state("executing").waitFor();
      }
      await button(home(`run.${mode}`), run).click();
      await button(home(`run.${mode}`), dialog).click();
      await state(mode === "discard" ? "terminated" : "success").waitFor();
      // Its task is not told as one that did its work.
      const told = mode === "discard" ? says("task.terminated") : says("task.kept", { lateDus: 2, gapDus: 1 });
      await page.getByText(told).first().waitFor();
    }
    await state("success").waitFor();
    // Before its last evaluation: by a person or by its time.
    await run.getByText(home("run.stoppedEarly")).waitFor();
    // Whoever opens the page later sees the run from its start.
    await page.reload();
    const log = run.getByRole("listitem");
    for (const phase of ["prepare", "improve", "check"]) await log.filter({ hasText: home(`run.phase.${phase}`) }).waitFor();
    await looked("home-calculated");

    // Who does what when and why.
    await run.getByRole("link", { name: home("run.output") }).click();
    await page.waitForURL(/planning-engine\/output/);
    await page.getByText("INST · Alpha #1").first().waitFor();
    await looked("output");
    if (lang === "en") {
      await page.keyboard.press("Control+Home");
      await page.getByText("OUT-2").first().dblclick();
      await dialog.getByRole("row", { name: /Install.*OUT-1/ }).waitFor();
      await expectAccessible(page);
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "hidden" });
    }
    await page.getByRole("tab", { name: out("tab.gantt") }).click();
    const chart = page.getByRole("grid", { name: out("gantt.label") });
    await chart.getByText("OUT-2").first().waitFor();
    await chart.focus();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
    await page.getByRole("tooltip").getByText(/OUT-1/).waitFor();
    // The ring of the chart lies whole above its head and its list.
    const ring = await chart.evaluate((box) => {
      const [line, head] = [getComputedStyle(box, "::before"), getComputedStyle(box.firstElementChild!.firstElementChild!)];
      return {
        isWhole: Number.parseFloat(line.width) === box.clientWidth && Number.parseFloat(line.height) === box.clientHeight,
        isAbove: Number(line.zIndex) > Number(head.zIndex),
      };
    });
    expect(ring).toEqual({ isWhole: true, isAbove: true });
    await looked("gantt");
    await page.getByRole("tab", { name: out("tab.facts") }).click();
    await page.getByText(new RegExp(out("facts.signed", { at: "@" }).replace("@", ".*"))).waitFor();
    await page.getByRole("row", { name: new RegExp(out("facts.level.gapDus")) }).waitFor();
    if (lang === "ja") {
      await page.getByRole("tab", { name: out("tab.moves") }).click();
      await page.getByText(out("moves.nothing")).first().waitFor();
    }

    // Written into the rollout plan, and taken back.
    await button(out("apply.open")).click();
    await button(out("apply.verb", { count: duCount }), dialog).click();
    await dialog.getByText(out("apply.result", { written: String(duCount), cells: String(duCount * 4), skipped: "0" })).waitFor();
    await looked("applied");
    const planned = async () => {
      const [plan] = await journey.owner<{ ends: number[] | null }[]>`select plan_end as ends from du_plan where du_id = ${dus[1]!}`;
      const dayOf = (day: number | undefined) => (day ? new Date(Date.UTC(2000, 0, 1 + day)).toISOString().slice(0, 10) : null);
      return [dayOf(plan!.ends?.[0]), dayOf(plan!.ends?.[1])];
    };
    // Its survey waits for that of the first, its installation for the team that installs the first.
    expect(await planned()).toEqual([days(1), days(8)]);
    await button(out("apply.undo"), dialog).click();
    await page
      .getByText(ui("undo.done", { count: duCount * 4 }))
      .first()
      .waitFor();
    expect(await planned()).toEqual([null, null]);

    // What has to be bought by when, and who is short of it.
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page
      .getByRole("link", { name: screens("materialPlan") })
      .first()
      .click();
    await page.getByText(out("material.currency", { currency: "EUR" })).waitFor();
    await page.getByRole("img", { name: new RegExp(out("material.chart.said", { needed: "6", supply: "4" })) }).waitFor();
    await looked("material");
    await page.getByRole("tab", { name: out("material.tab.net") }).click();
    await page.getByRole("cell", { name: "ANT" }).first().waitFor();
    await button(out("material.netFile")).click();
    await page.getByText(ui("export.started")).waitFor();
    const netExport = () => journey.owner`
      select 1 from task where project_id = ${projectId} and kind = 'planningEngine.netExport' and status = 'succeeded'`;
    await expect.poll(async () => (await netExport()).length, { timeout: 30_000 }).toBe(1);
    await page
      .getByRole("link", { name: screens("materialGap") })
      .first()
      .click();
    await page.getByRole("row", { name: new RegExp(`OUT-3.*ANT.*${out("gapReason.none_left")}`) }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });
});
