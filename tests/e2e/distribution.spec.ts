import { describe, expect, it } from "vitest";
import { dayNumber, isoDay } from "#lib/core/clock.ts";
import { makeResource } from "../support/factories.ts";
import { alive, expectAccessible, type Journey, makeJourneyProject, picture, signIn, useJourney } from "../support/journey.ts";
import { makeActivities, makeDus, makeFlow } from "../support/plan-factories.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();
const today = dayNumber(new Date().toISOString().slice(0, 10)) as number;
const day = (from: number) => isoDay(today + from) as string;

/** A project with two DUs of 5G and 4G at one site, both of the demo subcontractor's company, and a published version of them. */
async function makeTold({ owner }: Journey, number: string) {
  const projectId = await makeJourneyProject(owner, number);
  const people = await owner<{ id: number; account: string }[]>`select id, account from app_user where account in ('pm', 'subcon')`;
  const idOf = (account: string) => people.find((one) => one.account === account)!.id;
  const [company] = await owner<
    { id: number }[]
  >`insert into subcontractor (project_id, code, name) values (${projectId}, 'T1', 'Tower Works') returning id`;
  await makeResource(owner, projectId, idOf("subcon"), { subcontractorId: company!.id });
  const activities = await makeActivities(owner, projectId, ["Survey", "Installation"]);
  const flow = { id: await makeFlow(owner, projectId, idOf("pm"), activities), activities };
  const plan = () => ({ 1: { plan_start: day(20), plan_end: day(21) }, 2: { plan_start: day(22), plan_end: day(26) } });
  const duIds = await makeDus(
    owner,
    projectId,
    ["D-5G", "D-4G"].map((code) => ({ code, name: `Harbour ${code}`, subcontractorId: company!.id, rfcNumber: "R-7", plan: plan() })),
    flow,
  );
  await owner`update du set product_line = case code when 'D-5G' then '5G' else '4G' end, site_id = (select site_id from du where id = ${duIds[0]!}) where id = any(${duIds})`;
  const [version] = await owner<{ id: number }[]>`
    insert into plan_version (project_id, plan_id, kind, name, code, scope, in_force, du_count, activity_count, slot_count, source, created_by, created_at)
    select ${projectId}, id, 'published', 'W42', 'P-0001', 'project', true, 2, 4, 2, 'release', ${idOf("pm")}, now() from rollout_plan where project_id = ${projectId} returning id`;
  await owner`
    insert into plan_version_row (version_id, project_id, du_id, du_code, du_name, flow_id, plan_start, plan_end, state)
    select ${version!.id}, ${projectId}, du.id, du.code, du.name, ${flow.id}, p.plan_start, p.plan_end, p.state from du join du_plan p on p.du_id = du.id where du.id = any(${duIds})`;
  return { projectId, duIds };
}

describe("a plan told to others", () => {
  it("is answered by the subcontractor and taken over by the PM [VER-02] [VER-03]", {
    timeout: 120_000,
  }, async () => {
    const number = "DISTRIBUTION";
    const { duIds } = await makeTold(journey, number);
    const t = textsOf("zh", "plan-versions");
    const common = textsOf("zh", "common");
    const { page, context, complaints } = await signIn(journey, "pm", {
      lang: "zh",
      skin: "dark",
      to: `/${number}/plan-versions/distributions`,
    });
    await alive(page);
    await page.getByRole("button", { name: t("distributions.send") }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(t("distributions.people")).fill("Tower");
    await page.getByRole("option", { name: /Tower Works/ }).click();
    await page.keyboard.press("Tab");
    await dialog.getByRole("cell", { name: "2", exact: true }).waitFor();
    await expectAccessible(page);
    await picture(page, "distribution-send-dark-zh");
    await dialog.getByRole("button", { name: t("distributions.sendTo", { count: 1 }) }).click();
    const row = page.getByRole("row").filter({ hasText: "Tower Works" });
    await row.getByText(t("distributions.status.sent")).waitFor();
    await expectAccessible(page);
    await picture(page, "distributions-dark-zh");

    // The subcontractor opens his list and proposes another end.
    const other = await signIn(journey, "subcon", { lang: "en", skin: "light", to: `/${number}/plan-versions/distributions` });
    const e = textsOf("en", "plan-versions");
    await alive(other.page);
    await other.page.getByRole("row").filter({ hasText: "Tower Works" }).getByRole("checkbox").check();
    await other.page.getByRole("button", { name: e("distributions.answer"), exact: true }).click();
    const list = other.page.getByRole("dialog");
    const field = e("distributions.fieldOf", { field: e("feedback.columns.proposedEnd"), activity: "Installation", du: "D-5G" });
    await list.getByLabel(field).fill(day(30));
    await expectAccessible(other.page);
    await picture(other.page, "distributed-plan-light-en");
    await list.getByRole("button", { name: e("distributions.sendAnswer", { count: 1 }) }).click();
    await list.waitFor({ state: "detached" });
    await other.page.goto(`${journey.base}/${number}/plan-versions/feedback`);
    await other.page.getByRole("row").filter({ hasText: "D-5G" }).getByText(e("feedback.decision.open")).waitFor();
    await expectAccessible(other.page);
    expect(other.complaints).toEqual([]);
    await other.context.close();

    // The PM sees the answer and takes it over.
    await page.goto(`${journey.base}/${number}/plan-versions/feedback`);
    const answer = page.getByRole("row").filter({ hasText: "D-5G" });
    await answer.getByRole("checkbox").check();
    await expectAccessible(page);
    await picture(page, "feedback-dark-zh");
    let suggest = () => {};
    const suggested = new Promise<void>((resolve) => {
      suggest = resolve;
    });
    await page.route(/planFeedback\/suggest/, async (route) => {
      await suggested;
      await route.continue();
    });
    await page.getByRole("button", { name: t("feedback.map"), exact: true }).click();
    await dialog.getByText(t("feedback.remember")).waitFor();
    // Its list is open before there is anything in it.
    await page.getByRole("option", { name: common("loading") }).waitFor();
    await expectAccessible(page);
    suggest();
    await page.getByRole("option", { name: "D-5G" }).waitFor();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: common("cancel"), exact: true }).click();
    await page.getByRole("button", { name: t("feedback.accept"), exact: true }).click();
    await dialog.getByLabel(common("comment")).fill("同意");
    await dialog.getByRole("button", { name: t("feedback.accept"), exact: true }).click();
    await dialog.getByText(t("feedback.acceptedDone", { changed: 1, cells: 1, rejected: 0 })).waitFor();
    await expectAccessible(page);
    const [plan] = await journey.owner<{ end: number }[]>`select plan_end[2]::int as "end" from du_plan where du_id = ${duIds[0]!}`;
    expect(isoDay(plan!.end)).toBe(day(30));
    await dialog
      .getByRole("button", { name: common("close"), exact: true })
      .last()
      .click();
    await answer.getByText(t("feedback.decision.accepted")).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });
});
