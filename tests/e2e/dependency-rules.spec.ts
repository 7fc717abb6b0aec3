import { describe, expect, it } from "vitest";
import { isoDay } from "#lib/core/clock.ts";
import { GridPage } from "../support/grid-page.ts";
import { alive, expectAccessible, languageCases, makeJourneyProject, picture, signIn, useJourney } from "../support/journey.ts";
import { makeActivities, makeDus, makeFlow, makeOwnerSet } from "../support/plan-factories.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();
const today = Math.floor(Date.now() / 86_400_000) - 10_957;
const dayIn = (days: number) => isoDay(today + days) as string;

async function prepared(number: string) {
  const { owner } = journey;
  const projectId = await makeJourneyProject(owner, number);
  const [pm] = await owner<{ id: number }[]>`select id from app_user where account = 'pm'`;
  const activities = await makeActivities(owner, projectId, ["Install", "MOS", "Survey"]);
  const flow = { id: await makeFlow(owner, projectId, pm!.id, activities), activities };
  const plan_owner = await makeOwnerSet(owner, projectId, [pm!.id]);
  const plan = { 1: { plan_owner, plan_end: dayIn(20) }, 2: { plan_owner }, 3: { plan_owner, plan_end: dayIn(2) } };
  const [duId] = await makeDus(owner, projectId, [{ code: "DU-A", plan }], flow);
  return { projectId, duId: duId!, activities };
}

describe("dependency rules and warnings", () => {
  it("are written, refused where they close a circle, shown in the grid, and asked about or kept at a save [DEP-01] [REM-06]", {
    timeout: 180_000,
  }, async () => {
    const number = "DEPEND";
    const { duId } = await prepared(number);
    const [t, w, common, ui, rollout, grids] = [
      textsOf("en", "dependency-rules"),
      textsOf("en", "warnings"),
      textsOf("en", "common"),
      textsOf("en", "ui"),
      textsOf("en", "rollout-plan"),
      textsOf("en", "plan-grid"),
    ] as const;
    const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", skin: "light", to: `/${number}/tasks` });
    await page.goto(`${journey.base}/?projectNumber=${number}#/rollPlanDependencyConfig`);
    await page.waitForURL(/\/dependency-rules$/);
    await alive(page);
    await page.getByText(t("empty"), { exact: true }).waitFor();

    const dialog = page.getByRole("dialog");
    const choose = async (label: string, value: string) => {
      await dialog.getByRole("combobox", { name: label, exact: true }).click();
      await page.getByRole("option", { name: value, exact: true }).click();
    };
    const object = (legend: "prerequisites" | "targets", at: number) => t("form.objectNo", { legend: t(`form.${legend}`), number: at });
    const write = async (prerequisite: string, target: string) => {
      await page
        .getByRole("button", { name: t("new"), exact: true })
        .first()
        .click();
      await choose(object("prerequisites", 1), prerequisite);
      await choose(object("targets", 1), target);
      await dialog.getByRole("button", { name: common("save"), exact: true }).click();
    };
    await write("MOS", "Install");
    const row = page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: "Install", exact: true }) });
    await row.getByText(t("step", { name: "MOS", event: t("event.COMPLETE") }), { exact: true }).waitFor();

    // A circle is refused with its way and drawn.
    await write("Install", "MOS");
    await dialog.getByRole("alert").filter({ hasText: "MOS (start) → MOS (complete) → Install (start)" }).waitFor();
    await dialog.getByRole("region", { name: t("graph.loop"), exact: true }).waitFor();
    await expectAccessible(page);
    await picture(page, "dependency-loop-light");
    await dialog.getByRole("button", { name: common("cancel"), exact: true }).click();
    await dialog.getByRole("button", { name: ui("discard.verb"), exact: true }).click();
    await page.getByRole("tab", { name: t("tab.graph"), exact: true }).click();
    await page.getByRole("region", { name: t("graph.label"), exact: true }).waitFor();
    await expectAccessible(page);
    await picture(page, "dependency-graph-light");

    // A warning with a placeholder; one DU matches it.
    await page.goto(`${journey.base}/${number}#/warningConfig`);
    await page.waitForURL(/\/reminders\/warnings$/);
    await alive(page);
    await page.getByText(w("empty"), { exact: true }).waitFor();
    await page
      .getByRole("button", { name: w("new"), exact: true })
      .first()
      .click();
    await choose(w("form.alert"), "Install");
    await choose(w("form.anchor"), "Survey");
    await dialog.getByLabel(w("form.fieldA")).selectOption("planEnd");
    await dialog.getByLabel(w("form.days")).fill("14");
    await dialog.getByLabel(w("column.level")).selectOption("ADVISORY");
    await dialog.getByLabel(w("column.message")).fill("too late by ");
    await dialog.getByRole("button", { name: "{days}", exact: true }).click();
    await expectAccessible(page);
    await picture(page, "warning-dialog-light");
    await dialog.getByRole("button", { name: common("save"), exact: true }).click();
    await page.getByRole("cell", { name: w("dus", { count: 1, shown: "1" }), exact: true }).waitFor();
    await picture(page, "warnings-light");

    // The grid shows what waits; an actual start too early is refused, a date that warns is asked about.
    await page.goto(`${journey.base}/${number}`);
    const grid = new GridPage(page);
    await grid.ready();
    const start = await grid.cell(0, rollout("activityColumns.actualStart"), "Install");
    await expect.poll(() => start.getAttribute("aria-label")).toContain("“MOS” has not been completed");
    await start.click();
    await page.getByRole("status").filter({ hasText: "“MOS” has not been completed" }).waitFor();
    await picture(page, "dependency-grid-light");
    await grid.type(0, rollout("activityColumns.actualStart"), "Install", dayIn(-1));
    await page.keyboard.press("Control+s");
    await expect.poll(() => start.getAttribute("aria-label")).toContain("“Install” cannot be started");
    await start.click();
    await page.keyboard.press("Escape");
    const [end] = await journey.owner<{ end: number }[]>`select plan_end[1]::int as "end" from du_plan where du_id = ${duId}`;
    expect(isoDay(end!.end)).toBe(dayIn(20));
    const moveEnd = async (value: string) => {
      await grid.type(0, rollout("activityColumns.planEnd"), "Install", value);
      await page.keyboard.press("Control+s");
    };
    await moveEnd(dayIn(10));
    const stored = async () =>
      isoDay((await journey.owner<{ end: number }[]>`select plan_end[1]::int as "end" from du_plan where du_id = ${duId}`)[0]!.end);
    await expect.poll(stored).toBe(dayIn(10));
    await moveEnd(dayIn(30));
    const question = page.getByRole("dialog", { name: ui("questions.title", { count: 1 }) });
    await question.getByText("too late by 28", { exact: true }).waitFor();
    await expectAccessible(page);
    await picture(page, "save-question-light");
    expect(await stored()).toBe(dayIn(10));
    await question.getByRole("button", { name: ui("questions.save"), exact: true }).click();
    await expect.poll(stored).toBe(dayIn(30));

    // NA typed for a plan end is asked for with a reason; nothing else of the plan is touched.
    await grid.type(0, rollout("activityColumns.planEnd"), "Install", "na");
    const na = page.getByRole("dialog", { name: grids("na.title", { word: "NA" }) });
    await na.getByRole("textbox", { name: grids("reason.label") }).fill("No room on the mast");
    await na.getByRole("button", { name: grids("na.verb", { word: "NA" }), exact: true }).click();
    await expect
      .poll(async () => [...(await journey.owner`select kind, reason from na_request where du_id = ${duId}`)])
      .toEqual([{ kind: "NA", reason: "No room on the mast" }]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("speak the three languages", { timeout: 120_000 }, async () => {
    const number = "DEPLANG";
    const { projectId, activities } = await prepared(number);
    const { owner } = journey;
    const [pm] = await owner<{ id: number }[]>`select id from app_user where account = 'pm'`;
    const [install, mos] = [activities[0]!.id, activities[1]!.id];
    const [rule] = await owner<{ id: number }[]>`
      insert into dep_rule (project_id, target_kind, target_id, target_event, created_by, created_at, updated_by, updated_at)
      values (${projectId}, 'ACTIVITY', ${install}, 'START', ${pm!.id}, now(), ${pm!.id}, now()) returning id`;
    await owner`insert into dep_rule_prereq values (${rule!.id}, ${projectId}, 1, 'ACTIVITY', ${mos}, 'COMPLETE')`;
    await owner`
      insert into warning_config (project_id, anchor_activity_id, field_a, alert_activity_id, field_b, operator, days, level, message, sort_no, created_by, created_at,
        updated_by, updated_at)
      values (${projectId}, ${mos}, 'planEnd', ${install}, 'planEnd', 'GT', 14, 'MANDATORY', '{du} {days}', 1, ${pm!.id}, now(), ${pm!.id}, now())`;
    for (const { lang, skin } of languageCases) {
      const [t, w] = [textsOf(lang, "dependency-rules"), textsOf(lang, "warnings")] as const;
      const { page, context, complaints } = await signIn(journey, "pm", { lang, skin, to: `/${number}/dependency-rules` });
      await page.getByText(t("inForce", { used: 1, max: 50 }), { exact: true }).waitFor();
      await page.getByText(t("step", { name: "MOS", event: t("event.COMPLETE") }), { exact: true }).waitFor();
      if (lang === "en") await expectAccessible(page);
      await picture(page, `dependencies-${lang}`);
      await page.goto(`${journey.base}/${number}/reminders/warnings`);
      await page.getByText(w("level.MANDATORY"), { exact: true }).waitFor();
      if (lang === "en") await expectAccessible(page);
      await picture(page, `warnings-${lang}`);
      expect(complaints).toEqual([]);
      await context.close();
    }
  });
});
