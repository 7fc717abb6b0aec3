import { describe, expect, it } from "vitest";
import { makeRegion } from "../support/factories.ts";
import { expectAccessible, languageCases, makeJourneyProject, picture, settled, signIn, useJourney } from "../support/journey.ts";
import { makeActivities, makeDus, makeFlow } from "../support/plan-factories.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();

describe("plan auto rules", () => {
  it("are written with a sentence, tried, put into force, run and taken back [RUL-01] [RUL-05]", { timeout: 120_000 }, async () => {
    const number = "PLANRULE-EN";
    const projectId = await makeJourneyProject(journey.owner, number);
    const t = textsOf("en", "plan-rules");
    const c = textsOf("en", "conditions");
    const common = textsOf("en", "common");
    await makeRegion(journey.owner, projectId, "North");
    const [pm] = await journey.owner<{ id: number }[]>`select id from app_user where account = 'pm'`;
    const activities = await makeActivities(journey.owner, projectId, ["Survey", "RFI"]);
    const flow = { id: await makeFlow(journey.owner, projectId, pm!.id, activities, "New site"), activities };
    await makeDus(
      journey.owner,
      projectId,
      [
        { code: "N-1", plan: { 1: { actual_end: "2026-03-03" } } },
        { code: "N-2", plan: { 1: { actual_end: "2026-03-04" }, 2: { plan_end: "2026-03-05", state: 1 | (1 << 4) } } },
        { code: "S-1" },
      ],
      flow,
    );
    const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", skin: "light", to: `/${number}/plan-rules` });
    await page.getByRole("link", { name: t("new") }).click();
    await page.getByLabel(new RegExp(`^${common("name")}`)).fill("Plan RFI after survey");
    await page.getByRole("combobox", { name: new RegExp(`^${t("column.flow")}`) }).click();
    await page.getByRole("option", { name: "New site" }).click();
    await page.getByRole("button", { name: c("add") }).click();
    await page.getByLabel(c("operatorOf", { number: 1 })).selectOption("startsWith");
    await page.getByLabel(c("value", { number: 1 })).fill("N-");
    await page.getByText(t("form.count", { matched: "2", scope: "3" })).waitFor();
    // A further filter of the scope.
    await page.getByRole("button", { name: t("form.addFilter") }).click();
    await page.getByRole("combobox", { name: t("form.filterOperator", { number: 1 }) }).click();
    await page
      .getByRole("listbox")
      .getByRole("option", { name: c("operator.contains"), exact: true })
      .click();
    await page.getByLabel(t("form.filterValue", { number: 1 }), { exact: true }).fill("n-");
    await page.getByText(t("form.count", { matched: "2", scope: "2" })).waitFor();
    const choose = async (label: string, option: string) => {
      await page.getByRole("combobox", { name: label }).click();
      await page.getByRole("option", { name: option, exact: true }).click();
    };
    await choose(t("form.source", { number: 1 }), "Survey · Actual end");
    await choose(t("form.target", { number: 1 }), "RFI · Plan end");
    await page.getByLabel(t("form.offset", { number: 1 })).fill("14");
    await page.getByText("If DU ID starts with N-: RFI · Plan end = Survey · Actual end + 14 days").waitFor();
    await page.keyboard.press("Control+Enter");
    await page.getByRole("cell", { name: "2026-03-17" }).waitFor({ timeout: 30_000 });
    await page.getByRole("cell", { name: t("outcome.FROZEN") }).waitFor();
    await expectAccessible(page);
    await picture(page, "plan-rule-light-en");
    await page.getByRole("button", { name: common("save"), exact: true }).click();
    const row = page.getByRole("row", { name: /Plan RFI after survey/ });
    await row.waitFor();
    const status = async () => (await journey.owner`select status from plan_rule where project_id = ${projectId}`)[0]!.status;
    /** Turns the switch of the rule: it stays as it is until the dialog is answered. */
    const turn = async (verb: "enable" | "disable") => {
      const [before, after, shown] =
        verb === "enable" ? ["INVALID", "EFFECTIVE", t("status.EFFECTIVE")] : ["EFFECTIVE", "INVALID", t("invalid.DISABLED")];
      await row.getByRole("switch").press("Space");
      const asking = page.getByRole("dialog", { name: t(`confirm.${verb}`, { count: 1 }) });
      await asking.waitFor();
      expect(await status()).toBe(before);
      await asking.getByRole("button", { name: t(`confirm.${verb}`, { count: 1 }) }).click();
      await row.getByText(shown).waitFor();
      await asking.waitFor({ state: "hidden" });
      expect(await status()).toBe(after);
    };
    for (const verb of ["enable", "disable", "enable"] as const) await turn(verb);
    await row.getByRole("checkbox").check();
    await page.getByRole("button", { name: t("verb.run"), exact: true }).click();
    await page.getByRole("button", { name: t("confirm.run", { count: 1 }) }).click();
    const dialog = page.getByRole("dialog", { name: t("result.title") });
    await dialog.getByRole("cell", { name: "2026-03-17" }).waitFor({ timeout: 30_000 });
    await picture(page, "plan-rule-run-light-en");
    await dialog.getByRole("button", { name: t("close") }).click();
    await picture(page, "plan-rules-light-en");
    await page.getByRole("link", { name: t("tab.runs") }).click();
    await page
      .getByRole("row", { name: /Plan RFI after survey: 1/ })
      .getByRole("button", { name: t("revert") })
      .click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: t("revert") })
      .click();
    await page.getByRole("cell", { name: t("isReverted") }).waitFor({ timeout: 30_000 });
    const [plan] =
      await journey.owner`select coalesce(p.plan_end[2], 0) as day from du_plan p join du on du.id = p.du_id where du.project_id = ${projectId} and du.code = 'N-1'`;
    expect(plan!.day).toBe(0);
    await expectAccessible(page);
    await page.getByRole("link", { name: t("tab.targets"), exact: true }).click();
    await page.getByRole("link", { name: t("targets.new") }).click();
    await page.getByLabel(new RegExp(`^${common("name")}`)).fill("Weekly");
    await page.getByRole("combobox", { name: new RegExp(`^${t("column.flow")}`) }).click();
    await page.getByRole("option", { name: "New site" }).click();
    await page.getByRole("button", { name: common("save"), exact: true }).click();
    const cell = page.getByLabel(/^Target of North in the week of/).first();
    await cell.fill("4");
    await page.getByRole("button", { name: common("save"), exact: true }).click();
    await page.getByText(t("targets.saved", { count: 1 })).waitFor();
    await expectAccessible(page);
    await picture(page, "org-targets-light-en");

    // A total is spread as if it were typed; a target that others have set meanwhile is not written over unseen.
    await page.locator("#spread-region").click();
    await page.getByRole("option", { name: "North", exact: true }).click();
    await page.locator("#spread-total").fill("26");
    await page.getByRole("button", { name: t("targets.spreadVerb"), exact: true }).click();
    expect(await cell.inputValue()).toBe("3");
    const targets = async () => {
      const rows = await journey.owner<{ target: number }[]>`
        select target from org_target where project_id = ${projectId} order by week_start limit 3`;
      return rows.map(({ target }) => target).join(" ");
    };
    expect(await targets()).toBe("4");
    await journey.owner`update org_target set target = 9 where project_id = ${projectId}`;
    await page.getByRole("button", { name: common("save"), exact: true }).click();
    await expect.poll(() => cell.getAttribute("title")).toBe(t("targets.changed", { target: 9 }));
    expect(await targets()).toBe("9");
    await page.getByRole("button", { name: common("save"), exact: true }).click();
    await page.getByText(t("targets.saved", { count: 12 })).waitFor();
    expect(await targets()).toBe("3 3 2");
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("take no condition before it is known what one can name; where that does not come the editor says so and asks again", {
    timeout: 60_000,
  }, async () => {
    const number = "PLANRULE-LATE";
    await makeJourneyProject(journey.owner, number);
    const t = textsOf("en", "plan-rules");
    const c = textsOf("en", "conditions");
    const { page, context } = await signIn(journey, "pm", { lang: "en", to: `/${number}/plan-rules` });
    const asked: ((as: "failed" | "known") => void)[] = [];
    await page.route("**/api/planAutoRule/objects**", async (route) => {
      const as = await new Promise<string>((answer) => asked.push(answer));
      await (as === "known" ? route.continue() : route.abort());
    });
    await page.getByRole("link", { name: t("new") }).click();
    await expect.poll(() => asked.length).toBe(1);
    const add = page.getByRole("button", { name: c("add") });
    await add.waitFor();
    expect(await add.isDisabled()).toBe(true);
    asked[0]?.("failed");
    const panel = page.getByRole("alert").filter({ hasText: t("failed") });
    await panel.waitFor();
    expect(await add.isDisabled()).toBe(true);
    await expectAccessible(page);
    await panel.getByRole("button", { name: textsOf("en", "ui")("error.retry") }).click();
    await expect.poll(() => asked.length).toBe(2);
    asked[1]?.("known");
    await add.click();
    await page.getByLabel(c("operatorOf", { number: 1 })).waitFor();
    expect(await panel.count()).toBe(0);
    await context.close();
  });

  it("keep a row or event whose flow was changed until it names what the flow has, and take no empty fixed value", {
    timeout: 90_000,
  }, async () => {
    const number = "PLANRULE-FLOW";
    const projectId = await makeJourneyProject(journey.owner, number);
    const t = textsOf("en", "plan-rules");
    const common = textsOf("en", "common");
    const [pm] = await journey.owner<{ id: number }[]>`select id from app_user where account = 'pm'`;
    const activities = await makeActivities(journey.owner, projectId, ["Survey", "RFI", "Permit"]);
    await makeFlow(journey.owner, projectId, pm!.id, activities, "Long flow");
    await makeFlow(journey.owner, projectId, pm!.id, activities.slice(0, 2), "Short flow");
    const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", to: `/${number}/plan-rules/edit` });
    const choose = async (label: string | RegExp, option: string) => {
      await page.getByRole("combobox", { name: label }).click();
      await page.getByRole("option", { name: option, exact: true }).click();
    };
    const save = page.getByRole("button", { name: common("save"), exact: true });
    await page.getByLabel(new RegExp(`^${common("name")}`)).fill("Two rows");
    await choose(new RegExp(`^${t("column.flow")}`), "Long flow");
    await choose(t("form.source", { number: 1 }), "Survey · Actual end");
    await choose(t("form.target", { number: 1 }), "RFI · Plan end");
    await page.getByRole("button", { name: t("form.addRow") }).click();
    await choose(t("form.source", { number: 2 }), "Permit · Actual end");
    await choose(t("form.target", { number: 2 }), "Permit · Plan start");
    await choose(new RegExp(`^${t("column.flow")}`), "Short flow");
    const elsewhere = (name: string) => t("form.elsewhere", { name });
    await expect
      .poll(() => page.getByRole("combobox", { name: t("form.source", { number: 2 }) }).inputValue())
      .toBe(elsewhere("Permit · Actual end"));
    expect(await page.getByRole("combobox", { name: t("form.target", { number: 2 }) }).inputValue()).toBe(elsewhere("Permit · Plan start"));
    expect(await page.getByRole("combobox", { name: t("form.source", { number: 1 }) }).inputValue()).toBe("Survey · Actual end");
    await save.click();
    await page.getByText(`${t("form.sourceElsewhere")}; ${t("form.targetElsewhere")}`).waitFor();
    await expectAccessible(page);
    await picture(page, "plan-rule-elsewhere-dark-en");
    await choose(t("form.source", { number: 2 }), "RFI · Actual end");
    await choose(t("form.target", { number: 2 }), "Survey · Plan start");
    await save.click();
    await page.getByRole("row", { name: /Two rows/ }).waitFor();
    const [saved] =
      await journey.owner`select count(*)::int as actions from plan_rule_action a join plan_rule r on r.id = a.rule_id where r.project_id = ${projectId}`;
    expect(saved!.actions).toBe(2);

    await page.getByRole("link", { name: t("new") }).click();
    await page.getByLabel(new RegExp(`^${common("name")}`)).fill("Fixed");
    await choose(new RegExp(`^${t("column.type")}`), t("type.EXT_EVENT"));
    await choose(new RegExp(`^${t("column.flow")}`), "Long flow");
    await choose(t("form.source", { number: 1 }), t("form.fixed"));
    await choose(t("form.target", { number: 1 }), "RFI · Plan end");
    await save.click();
    await page.getByText(t("form.fixedMissing")).waitFor();

    await choose(t("form.source", { number: 1 }), "Survey · Actual end");
    for (const name of ["Survey", "Permit"]) {
      const event = name === "Survey" ? 1 : 2;
      await page.getByRole("button", { name: t("form.addEvent") }).click();
      await choose(t("form.eventOf", { number: event }), name);
    }
    await page.getByRole("button", { name: t("form.addEvent") }).click();
    await choose(new RegExp(`^${t("column.flow")}`), "Short flow");
    const eventOf = (event: number) => page.getByRole("combobox", { name: t("form.eventOf", { number: event }) });
    await expect.poll(() => eventOf(2).inputValue()).toBe(elsewhere("Permit"));
    expect(await eventOf(1).inputValue()).toBe("Survey");
    // Another moment keeps the activity.
    await choose(new RegExp(`^${t("form.moment", { number: 2 })}$`), t("moment.PLAN_CHANGED"));
    expect(await eventOf(2).inputValue()).toBe(elsewhere("Permit"));
    await save.click();
    await page.getByText(t("form.eventElsewhere")).waitFor();
    await page.getByText(t("form.eventMissing")).waitFor();
    await expectAccessible(page);
    await picture(page, "plan-rule-event-elsewhere-dark-en");
    await choose(t("form.eventOf", { number: 2 }), "RFI");
    await page.getByRole("button", { name: t("form.removeEvent", { number: 3 }) }).click();
    await save.click();
    await page.getByRole("row", { name: /Fixed/ }).waitFor();
    // While it is not yet known what the flow has, nothing is called elsewhere.
    await page.getByRole("link", { name: "Fixed" }).click();
    await page.getByRole("heading", { name: t("form.events") }).waitFor();
    const asked: (() => void)[] = [];
    await page.route("**/api/planAutoRule/objects**", async (route) => {
      await new Promise<void>((known) => asked.push(known));
      await route.continue();
    });
    await page.reload();
    await page.getByRole("heading", { name: t("form.events") }).waitFor();
    await expect.poll(() => asked.length).toBe(1);
    expect(await eventOf(1).inputValue()).toBe("");
    expect(await page.getByRole("combobox", { name: t("form.target", { number: 1 }) }).inputValue()).toBe("");
    asked[0]?.();
    await expect.poll(() => eventOf(1).inputValue()).toBe("Survey");
    const [waiting] = await journey.owner`select events from plan_rule where project_id = ${projectId} and name = 'Fixed'`;
    expect(waiting!.events).toEqual([
      { moment: "ACTUAL_END_SET", activityId: activities[0]!.id },
      { moment: "PLAN_CHANGED", activityId: activities[1]!.id },
    ]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("ask before what is typed is left or emptied, take what stands in a field at Ctrl+S, and are not saved over what a colleague has saved", {
    timeout: 90_000,
  }, async () => {
    const number = "PLANRULE-KEEP";
    const projectId = await makeJourneyProject(journey.owner, number);
    const [t, c, common, shell, errors] = ["plan-rules", "conditions", "common", "shell", "errors"].map((area) => textsOf("en", area)) as [
      ReturnType<typeof textsOf>,
      ReturnType<typeof textsOf>,
      ReturnType<typeof textsOf>,
      ReturnType<typeof textsOf>,
      ReturnType<typeof textsOf>,
    ];
    const [pm] = await journey.owner<{ id: number }[]>`select id from app_user where account = 'pm'`;
    const activities = await makeActivities(journey.owner, projectId, ["Survey", "RFI"]);
    await makeFlow(journey.owner, projectId, pm!.id, activities, "New site");
    const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", to: `/${number}/plan-rules` });
    await page
      .getByRole("link", { name: t("new"), exact: true })
      .first()
      .click();
    const choose = async (label: string | RegExp, option: string) => {
      await page.getByRole("combobox", { name: label }).click();
      await page.getByRole("option", { name: option, exact: true }).click();
    };
    const name = page.getByLabel(new RegExp(`^${common("name")}`));
    await name.fill("Kept");
    await choose(new RegExp(`^${t("column.flow")}`), "New site");
    await choose(t("form.source", { number: 1 }), "Survey · Actual end");
    await choose(t("form.target", { number: 1 }), "RFI · Plan end");

    const leaving = page.getByRole("dialog", { name: shell("leave.title") });
    const back = () => page.evaluate(() => window.history.back());
    for (const leave of [() => page.getByRole("link", { name: common("cancel"), exact: true }).click(), back]) {
      await leave();
      await leaving.getByRole("button", { name: common("cancel"), exact: true }).click();
      await leaving.waitFor({ state: "hidden" });
      expect(await name.inputValue()).toBe("Kept");
    }

    await choose(new RegExp(`^${t("column.type")}`), t("type.ATTR_TO_ACT"));
    const emptying = page.getByRole("dialog", { name: t("form.typeVerb") });
    await emptying.getByText(t("form.typeText")).waitFor();
    await emptying.getByRole("button", { name: common("cancel"), exact: true }).click();
    await emptying.waitFor({ state: "hidden" });
    expect(await page.getByRole("combobox", { name: t("form.source", { number: 1 }) }).inputValue()).toBe("Survey · Actual end");

    await page.getByRole("button", { name: t("form.addFilter") }).click();
    await choose(t("form.filterOperator", { number: 1 }), c("operator.in"));
    await page.locator(`input[aria-label="${t("form.filterFrom", { number: 1 })}"]`).fill("N-1");
    await page.keyboard.press("Control+s");
    await page.getByRole("link", { name: "Kept", exact: true }).waitFor();
    const stored = async () => {
      const [rule] = await journey.owner<{ name: string; filter: { values: string[] }[] }[]>`
        select name, du_filter as filter from plan_rule where project_id = ${projectId}`;
      return [rule!.name, ...rule!.filter.map(({ values }) => values.join())];
    };
    expect(await stored()).toEqual(["Kept", "N-1"]);

    // What is read again while the form is open, as after a lost connection, does not make it a newer one.
    await page.getByRole("link", { name: "Kept", exact: true }).click();
    await page.getByRole("heading", { name: t("form.basics") }).waitFor();
    await name.fill("Mine");
    await journey.owner`update plan_rule set name = 'Theirs', row_version = row_version + 1 where project_id = ${projectId}`;
    const reading = page.waitForResponse(/planAutoRule\/detail/);
    await page.evaluate(() => {
      window.dispatchEvent(new Event("offline"));
      window.dispatchEvent(new Event("online"));
    });
    await reading;
    await page.getByText("Theirs", { exact: true }).first().waitFor();
    expect(await name.inputValue()).toBe("Mine");
    await page.keyboard.press("Control+s");
    await page
      .getByRole("alert")
      .filter({ hasText: errors("STALE") })
      .waitFor();
    expect(await stored()).toEqual(["Theirs", "N-1"]);
    await page.getByRole("link", { name: common("cancel"), exact: true }).click();
    await leaving.getByRole("button", { name: shell("leave.verb"), exact: true }).click();
    await page.waitForURL(/\/plan-rules$/);
    await page.getByRole("link", { name: "Theirs", exact: true }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("speak the three languages [RUL-01] [RUL-02]", { timeout: 90_000 }, async () => {
    const number = "PLANRULE-3";
    const projectId = await makeJourneyProject(journey.owner, number);
    await makeRegion(journey.owner, projectId, "North");
    const [pm] = await journey.owner<{ id: number }[]>`select id from app_user where account = 'pm'`;
    const activities = await makeActivities(journey.owner, projectId, ["Survey"]);
    const flowId = await makeFlow(journey.owner, projectId, pm!.id, activities, "New site");
    const events = journey.owner.json([{ moment: "ACTUAL_END_SET", activityId: activities[0]!.id }]);
    await journey.owner`
      insert into plan_rule (project_id, name, rule_type, flow_id, invalid_reason, events, auto_execute, sort_no, created_by, created_at, updated_by, updated_at)
      values (${projectId}, 'Weekly', 'ORG_TARGET', ${flowId}, 'DISABLED', null, false, 1, ${pm!.id}, now(), ${pm!.id}, now()),
        (${projectId}, 'At once', 'EXT_EVENT', ${flowId}, 'DISABLED', ${events}, true, 2, ${pm!.id}, now(), ${pm!.id}, now())`;
    for (const { lang, skin } of languageCases) {
      const t = textsOf(lang, "plan-rules");
      const { page, context, complaints } = await signIn(journey, "pm", { lang, skin, to: `/${number}/plan-rules/edit` });
      await page.getByRole("heading", { name: t("form.basics") }).waitFor();
      await picture(page, `plan-rule-edit-${skin}-${lang}`);
      await settled(page);
      await page.goto(`${journey.base}/${number}#/organizationalTarget`);
      await page.getByRole("rowheader", { name: "North", exact: true }).waitFor();
      expect(await page.getByRole("combobox", { name: t("targets.rule"), exact: true }).inputValue()).toBe("Weekly");
      await page.getByRole("link", { name: t("targets.new"), exact: true }).waitFor();
      await settled(page);
      await page.goto(`${journey.base}/${number}#/extendedEventRule`);
      await page.getByRole("row", { name: /At once/ }).waitFor();
      expect(await page.getByRole("row", { name: /Weekly/ }).count()).toBe(0);
      await page.getByRole("link", { name: t("new"), exact: true }).waitFor();
      expect(complaints, lang).toEqual([]);
      await context.close();
    }
  });
});
