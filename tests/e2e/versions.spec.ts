import { describe, expect, it } from "vitest";
import { dayNumber, isoDay } from "#lib/core/clock.ts";
import { GridPage } from "../support/grid-page.ts";
import { expectAccessible, languageCases, makeJourneyProject, picture, signIn, useJourney } from "../support/journey.ts";
import { makeActivities, makeDus, makeFlow } from "../support/plan-factories.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();
const today = dayNumber(new Date().toISOString().slice(0, 10)) as number;
const day = (from: number) => isoDay(today + from) as string;

/** A project with DUs on a flow whose first activity is the anchor; one DU has no date for it. */
async function makePlanned(number: string) {
  const projectId = await makeJourneyProject(journey.owner, number);
  const [pm] = await journey.owner<{ id: number }[]>`select id from app_user where account = 'pm'`;
  const activities = await makeActivities(journey.owner, projectId, ["Arrival", "Installation"]);
  const flow = { id: await makeFlow(journey.owner, projectId, pm!.id, activities), activities };
  const plan = { 1: { plan_start: day(20), plan_end: day(20) }, 2: { plan_start: day(21), plan_end: day(25) } };
  const codes = Array.from({ length: 12 }, (_, at) => ({ code: `V-${at + 1}`, plan: structuredClone(plan) }));
  const duIds = await makeDus(journey.owner, projectId, [...codes, { code: "V-13", plan: {} }], flow);
  return { projectId, duIds };
}

describe("the plan is released, kept, compared and restored", () => {
  it.each(languageCases)("in $lang [SCH-09] [SCH-10] [VER-01]", { timeout: 180_000 }, async ({ lang, skin }) => {
    const number = `VER-${lang.toUpperCase()}`;
    const { projectId, duIds } = await makePlanned(number);
    const [scheduling, plans, versions, common] = ["scheduling", "plan-grid", "plan-versions", "common"].map((area) =>
      textsOf(lang, area),
    ) as [ReturnType<typeof textsOf>, ReturnType<typeof textsOf>, ReturnType<typeof textsOf>, ReturnType<typeof textsOf>];
    const { page, context, complaints } = await signIn(journey, "pm", { lang, skin, to: `/${number}` });
    const grid = new GridPage(page);
    await grid.ready();

    // Release: what is refused is seen before; the name is asked for; the refused DU can be selected afterwards.
    await page.getByRole("button", { name: plans("entries.release"), exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("V-13").waitFor();
    const apply = dialog.getByRole("button", { name: scheduling("release.apply", { count: 12 }) });
    await apply.click();
    await dialog.getByText(textsOf(lang, "errors")("PLAN_NAME_REQUIRED")).waitFor();
    await expectAccessible(page);
    await dialog.getByLabel(scheduling("release.name")).fill("W42");
    await dialog.getByRole("checkbox", { name: scheduling("release.baseline") }).check();
    await picture(page, `release-${skin}-${lang}`);
    await apply.click();
    await dialog.getByText(scheduling("release.done", { released: 12, code: "P-0001", refused: 1 })).waitFor();
    await expectAccessible(page);
    await picture(page, `release-result-${skin}-${lang}`);
    await dialog.getByRole("button", { name: scheduling("release.selectRefused") }).click();
    await page.getByText(plans("selection.count", { count: 1 })).waitFor();
    const states = await journey.owner<{ state: number; count: number }[]>`
      select release_state as state, count(*)::int as count from du_plan where project_id = ${projectId} group by 1 order by 1`;
    expect([...states]).toEqual([
      { state: 0, count: 1 },
      { state: 1, count: 12 },
    ]);

    const [first] = await journey.owner<{ end: number }[]>`select released_end[2]::int as end from du_plan where du_id = ${duIds[0]!}`;
    const told = isoDay(first!.end) as string;
    // The list shows both versions with the plan's own line; then the plan moves on.
    await journey.owner`
      update du_plan set plan_start = array[plan_start[1], plan_start[2] + 3]::smallint[], plan_end = array[plan_end[1], plan_end[2] + 7]::smallint[], row_version = row_version + 1
      where du_id = any(${duIds.slice(0, 8)}::bigint[])`;
    await page.goto(`${journey.base}/${number}#/dataVersion`);
    const row = (code: string) => page.getByRole("row").filter({ hasText: code });
    await row("P-0001").waitFor();
    await row("B-0001").waitFor();
    await expectAccessible(page);
    await picture(page, `versions-${skin}-${lang}`);

    // A baseline by hand needs a name; the one before becomes historical.
    await page.getByRole("button", { name: versions("baseline.button") }).click();
    await dialog.getByRole("button", { name: versions("baseline.save") }).click();
    await dialog.getByText(textsOf(lang, "errors")("PLAN_NAME_REQUIRED")).waitFor();
    await dialog.getByLabel(versions("name")).fill("Promise 2");
    await dialog.getByRole("button", { name: versions("baseline.save") }).click();
    await row("B-0002").waitFor();
    await row("B-0001").getByText(versions("kind.historical")).waitFor();

    // Two clicks choose what is compared; tiles choose the rows.
    await row("P-0001").getByRole("checkbox").check();
    await page.getByRole("button", { name: versions("verb.compareCurrent") }).click();
    const later = page.getByRole("button", { name: versions("compare.kind.later") });
    await later.getByText("8", { exact: true }).waitFor();
    await page.getByRole("link", { name: "V-1", exact: true }).waitFor();
    await later.click();
    await expectAccessible(page);
    await picture(page, `compare-${skin}-${lang}`);

    // In the plan the same shift stands behind its date, said in words too, until the comparison is dropped.
    await page.getByRole("link", { name: versions("compare.inPlan") }).click();
    await grid.ready();
    const end = textsOf(lang, "rollout-plan")("activityColumns.planEnd");
    await expect.poll(() => grid.text(0, end, "Installation")).toMatch(/^\d{4}-\d\d-\d\d \+5$/);
    expect(await (await grid.cell(0, end, "Installation")).getAttribute("aria-label")).toContain(
      plans("compare.later", { days: 5, old: told }),
    );
    await (await grid.cell(0, end, "Installation")).click();
    await expectAccessible(page);
    await picture(page, `compare-grid-${skin}-${lang}`);
    await page.getByRole("button", { name: textsOf(lang, "ui")("filter.drop", { name: plans("compare.with") }) }).click();
    await expect.poll(() => grid.text(0, end, "Installation")).toMatch(/^\d{4}-\d\d-\d\d$/);
    await page.goto(`${journey.base}/${number}#/dataVersion`);
    await page.getByRole("tab", { name: versions("tab.progress") }).click();
    await page.getByRole("img", { name: versions("progress.actual") }).waitFor();
    await expectAccessible(page);
    await picture(page, `progress-${skin}-${lang}`);

    // Restore asks for a reason, and is undone.
    await page.getByRole("tab", { name: versions("tab.list") }).click();
    await row("P-0001").getByRole("checkbox").check();
    await page.getByRole("button", { name: versions("verb.restore"), exact: true }).click();
    await dialog.getByText(versions("restore.preview", { changed: 16, dus: 8, rejected: 0 })).waitFor();
    await dialog.getByRole("button", { name: versions("restore.verb", { count: 16 }) }).click();
    await dialog.getByText(textsOf(lang, "errors")("REASON_REQUIRED")).waitFor();
    await dialog.getByLabel(common("reason")).fill("Back to what was told");
    await expectAccessible(page);
    await picture(page, `restore-${skin}-${lang}`);
    await dialog.getByRole("button", { name: versions("restore.verb", { count: 16 }) }).click();
    await dialog.getByText(versions("restore.done", { changed: 16, dus: 8, rejected: "0" })).waitFor();
    const moved = async () =>
      (
        await journey.owner`select count(*)::int as count from du_plan where project_id = ${projectId} and plan_end[2] > released_end[2]`
      )[0]!.count;
    expect(await moved()).toBe(0);
    await dialog.getByRole("button", { name: common("undo"), exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await moved()).toBe(8);

    // Only history is deleted, by its typed name.
    await row("B-0001").getByRole("checkbox").check();
    await page.getByRole("button", { name: common("delete"), exact: true }).click();
    const remove = dialog.getByRole("button", { name: versions("delete.verb", { count: 1 }) });
    expect(await remove.isDisabled()).toBe(true);
    await dialog.getByLabel(versions("delete.typeName")).fill("W42");
    await expectAccessible(page);
    await remove.click();
    await row("B-0001").waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
    await context.close();
  });
});
