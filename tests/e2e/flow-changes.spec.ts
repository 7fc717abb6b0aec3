import { describe, expect, it } from "vitest";
import { expectAccessible, makeJourneyProject, picture, signIn, useJourney } from "../support/journey.ts";
import { makeActivities, makeDus, makeFlow } from "../support/plan-factories.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();

const cases = [
  { lang: "zh", skin: "dark" },
  { lang: "en", skin: "light" },
] as const;

describe("a DU gets another flow", () => {
  it.each(
    cases,
  )("with a retention mapping [FLW-11], from three steps [FLW-08] to the inbox of the approver, who approves one and rejects another [FLW-09], and the list [FLW-07], in $lang", {
    timeout: 120_000,
  }, async ({ lang, skin }) => {
    const number = `DUC-${lang.toUpperCase()}`;
    const projectId = await makeJourneyProject(journey.owner, number);
    const [pm] = await journey.owner<{ id: number }[]>`select id from app_user where account = 'pm'`;
    const activities = await makeActivities(journey.owner, projectId, ["Survey", "Design", "Install", "New survey", "Swap"]);
    const pick = (...slots: number[]) => slots.map((slot) => activities[slot - 1]!);
    const old = { id: await makeFlow(journey.owner, projectId, pm!.id, pick(1, 2, 3), "New build"), activities: pick(1, 2, 3) };
    const next = await makeFlow(journey.owner, projectId, pm!.id, pick(4, 5, 3), "Swap of a site");
    const dates = { plan_start: "2026-09-01", plan_end: "2026-09-05", actual_start: "2026-09-01", actual_end: "2026-09-05" };
    const ids = await makeDus(
      journey.owner,
      projectId,
      [
        { code: "C-1", plan: { 1: dates, 2: dates, 3: { plan_end: "2026-12-01" } } },
        { code: "C-2", plan: { 1: dates } },
        { code: "C-3", plan: { 1: { ...dates, state: 1 | (1 << 15) } } },
        { code: "C-4", plan: { 2: dates } },
      ],
      old,
    );
    const t = textsOf(lang, "flow-changes");
    const common = textsOf(lang, "common");
    const { page, context, complaints } = await signIn(journey, "pm", { lang, skin, to: `/${number}/activity-flows/retention-mappings` });
    const dialog = page.getByRole("dialog");
    const name = (key: string, values?: Record<string, string | number>) => ({ name: t(key, values), exact: true });

    // The mapping: equal activities are suggested, the survey is paired by hand and loses its owners.
    await page.getByRole("button", name("mappings.new")).click();
    await dialog.getByLabel(common("name")).fill("Build to swap");
    for (const [label, flow] of [
      ["mappings.from", "New build"],
      ["mappings.to", "Swap of a site"],
    ] as const) {
      await dialog.getByRole("combobox", { name: t(label) }).click();
      await page.getByRole("option", { name: flow, exact: true }).click();
    }
    await dialog.getByRole("button", name("mapping.suggest")).click();
    await dialog.getByLabel(t("mapping.source", { name: "New survey" })).selectOption("Survey");
    await dialog.getByRole("checkbox", name("mapping.keeps", { name: "New survey", kind: t("kind.owner") })).uncheck();
    await dialog.getByRole("checkbox", name("mapping.makeDefault")).check();
    await expectAccessible(page);
    await picture(page, `retention-mapping-${skin}-${lang}`);
    await dialog.getByRole("button", { name: common("save"), exact: true }).click();
    await page.getByRole("button", { name: "Build to swap", exact: true }).waitFor();

    // First step.
    await page.goto(`${journey.base}/${number}#/submitDuChange`);
    for (const code of ["C-1", "C-2", "C-3"])
      await page
        .getByRole("row", { name: new RegExp(code) })
        .getByRole("checkbox")
        .check();
    await page
      .getByRole("complementary", { name: t("dus.right") })
      .getByRole("combobox")
      .selectOption(String(next));
    await expectAccessible(page);
    await picture(page, `flow-change-dus-${skin}-${lang}`);
    await page.getByRole("button", { name: common("next"), exact: true }).click();

    // Second step: what is lost, what is kept by the default mapping, and a DU that must stay.
    await page.getByText(t("check.refused", { count: 1 })).waitFor();
    await page.getByText(t("check.asks")).waitFor();
    await expectAccessible(page);
    await picture(page, `flow-change-impact-${skin}-${lang}`);
    await page.getByRole("button", name("check.leaveOut", { count: 1 })).click();
    await page.getByText(t("check.title", { count: 2 })).waitFor();
    await page.getByRole("button", { name: common("next"), exact: true }).click();

    // Third step: going back loses nothing.
    await page.getByLabel(t("column.reason")).fill("The site is swapped");
    await page.getByRole("button", { name: common("back"), exact: true }).click();
    await page.getByRole("button", { name: common("next"), exact: true }).click();
    expect(await page.getByLabel(t("column.reason")).inputValue()).toBe("The site is swapped");
    await page.getByRole("combobox", { name: t("people.approver") }).click();
    await page.getByRole("option", { name: /Sato/ }).click();
    await expectAccessible(page);
    await picture(page, `flow-change-people-${skin}-${lang}`);
    await page.getByRole("button", name("submitVerb", { count: 2 })).click();
    await dialog.getByRole("heading", { name: "DUC-0001" }).waitFor();
    await dialog.getByRole("button", name("button.withdraw")).waitFor();

    // Another one, begun from the list.
    await page.goto(`${journey.base}/${number}#/duChange`);
    await page.getByRole("row", { name: /DUC-0001.*C-1, C-2/ }).waitFor();
    await page.getByRole("link", name("new")).click();
    await page.getByRole("row", { name: /C-4/ }).getByRole("checkbox").check();
    await page
      .getByRole("complementary", { name: t("dus.right") })
      .getByRole("combobox")
      .selectOption(String(next));
    await page.getByRole("button", { name: common("next"), exact: true }).click();
    await page.getByText(t("check.asks")).waitFor();
    await page.getByRole("button", { name: common("next"), exact: true }).click();
    await page.getByLabel(t("column.reason")).fill("The design was wrong");
    await page.getByRole("combobox", { name: t("people.approver") }).click();
    await page.getByRole("option", { name: /Sato/ }).click();
    await page.getByRole("button", name("submitVerb", { count: 1 })).click();
    await dialog.getByRole("heading", { name: "DUC-0002" }).waitFor();
    await context.close();

    // The approver's inbox.
    const approver = await signIn(journey, "pd", { lang, skin, to: `/${number}#/approveDuChange` });
    const inbox = approver.page;
    await inbox.getByRole("row", { name: /DUC-0001/ }).click();
    await inbox.getByRole("dialog").getByText("The site is swapped").waitFor();
    await expectAccessible(inbox);
    await picture(inbox, `flow-change-detail-${skin}-${lang}`);
    await inbox.keyboard.press("Escape");
    await inbox
      .getByRole("row", { name: /DUC-0001/ })
      .getByRole("checkbox")
      .check();
    await inbox.getByRole("button", name("verb.approve", { count: 1 })).click();
    const decision = inbox.getByRole("dialog");
    await decision.getByLabel(t("decide.comment")).fill("Agreed");
    await decision.getByRole("button", name("verb.approve", { count: 1 })).click();
    await decision.waitFor({ state: "hidden" });
    await inbox.getByRole("row", { name: /DUC-0001/ }).waitFor({ state: "hidden" });

    // The other one is rejected, which takes a comment.
    await inbox
      .getByRole("row", { name: /DUC-0002/ })
      .getByRole("checkbox")
      .check();
    await inbox.getByRole("button", name("verb.reject", { count: 1 })).click();
    await decision.getByRole("button", name("verb.reject", { count: 1 })).click();
    await decision.getByText(t("decide.commentMissing")).waitFor();
    await decision.getByLabel(t("decide.comment")).fill("The design stays");
    await decision.getByRole("button", name("verb.reject", { count: 1 })).click();
    await inbox.getByText(t("emptyInbox")).waitFor();
    const flows =
      await journey.owner`select du_id, flow_id from du_flow where du_id = any(${ids}::bigint[]) and unbound_at is null order by du_id`;
    expect(flows).toEqual(ids.map((id, at) => ({ du_id: id, flow_id: at < 2 ? next : old.id })));

    // The list of all.
    await inbox.goto(`${journey.base}/${number}#/duChange`);
    await inbox.getByRole("button", name("status.done")).click();
    await inbox.getByRole("row", { name: /DUC-0001.*C-1, C-2/ }).waitFor();
    await expectAccessible(inbox);
    await picture(inbox, `flow-changes-${skin}-${lang}`);
    await inbox.getByRole("button", name("status.done")).click();
    await inbox.getByRole("button", name("status.rejected")).click();
    await inbox.getByRole("row", { name: /DUC-0002.*C-4/ }).waitFor();
    expect(await journey.owner`select status from du_change where project_id = ${projectId} order by number`).toEqual([
      { status: "done" },
      { status: "rejected" },
    ]);
    expect([...complaints, ...approver.complaints]).toEqual([]);
    await approver.context.close();
  });
});
