import { describe, expect, it } from "vitest";
import { alive, expectAccessible, languageCases, makeJourneyProject, picture, signIn, useJourney } from "../support/journey.ts";
import { makeActivities, makeDus, makeFlow } from "../support/plan-factories.ts";
import { callFromPage } from "../support/plan-page.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();

describe("the templates of a project", () => {
  it.each(languageCases)("are listed and narrowed to a kind, in $lang", {
    timeout: 180_000,
  }, async ({ lang, skin }) => {
    const number = `TPLS-${lang.toUpperCase()}`;
    const projectId = await makeJourneyProject(journey.owner, number);
    await journey.owner`
      insert into template (project_id, kind, object_type, grid_key, name, is_public, owner_id, body, updated_at)
      select ${projectId}, k.kind, 'project', 'plan', k.name, k.public, u.id, ${journey.owner.json({ columns: [{ key: "[GONE]:planEnd" }] })}, now()
      from app_user u cross join (values ('grid', 'Daily', false), ('grid', 'Common', true), ('filter', 'Late', false)) as k(kind, name, public) where u.account = 'pm'`;
    const t = textsOf(lang, "templates");
    const { page, context } = await signIn(journey, "pm", { lang, skin, to: `/${number}/templates` });
    await alive(page);
    const row = (name: string) => page.getByRole("row", { name: new RegExp(name) });
    await row("Late").waitFor();
    await page.getByRole("button", { name: t("kind.grid"), exact: true }).click();
    await row("Late").waitFor({ state: "hidden" });
    await expectAccessible(page);
    await picture(page, `template-list-${skin}-${lang}`);

    await context.close();
  });

  it("leave a log: who made, changed and deleted which, narrowed by what happened [LOG-02]", { timeout: 120_000 }, async () => {
    await makeJourneyProject(journey.owner, "TPL-LOG");
    const [pm] = await journey.owner<{ name: string }[]>`select name from app_user where account = 'pm'`;
    const t = textsOf("en", "logs");
    const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", skin: "light", to: "/TPL-LOG/templates" });
    await alive(page);
    const template = { kind: "grid", gridKey: "plan", isPublic: false, body: { columns: [] } };
    const { id, rowVersion } = await callFromPage<{ id: number; rowVersion: number }>(page, "template/basic/save", {
      ...template,
      name: "Daily",
    });
    await callFromPage(page, "template/basic/save", { ...template, id, rowVersion, name: "Weekly" });
    await callFromPage(page, "template/basic/delete", { ids: [id] });

    await page.goto(`${journey.base}/TPL-LOG#/templateLog`);
    await alive(page);
    const row = (act: string, name: string) =>
      page.getByRole("row", { name: new RegExp(`${pm!.name}.*${t(`template.acts.${act}`)}.*${name}`) });
    await row("made", "Daily").waitFor();
    await row("changed", "Weekly").waitFor();
    await row("deleted", "Weekly").waitFor();
    await expectAccessible(page);
    await picture(page, "template-log-light-en");
    await page.getByRole("combobox", { name: t("template.act") }).click();
    await page.getByRole("option", { name: t("template.acts.deleted"), exact: true }).click();
    await row("made", "Daily").waitFor({ state: "hidden" });
    expect(await row("deleted", "Weekly").count()).toBe(1);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it.each([
    { lang: "zh", skin: "dark" },
  ] as const)("are made for plans of ours and of others, and a plan template is applied from the batch menu, in $lang [TPL-04]", {
    timeout: 180_000,
  }, async ({ lang, skin }) => {
    const { owner, base } = journey;
    const number = `TPLP-${lang.toUpperCase()}`;
    const projectId = await makeJourneyProject(owner, number);
    const [pm] = await owner<{ id: number }[]>`select id from app_user where account = 'pm'`;
    const activities = await makeActivities(owner, projectId, ["Survey", "Install"]);
    const flowId = await makeFlow(owner, projectId, pm!.id, activities, "Rollout of sites");
    await makeDus(owner, projectId, [{ code: "TP-1" }, { code: "TP-2" }]);
    const [t, plan, common, errors] = ["templates", "plan-grid", "common", "errors"].map((area) => textsOf(lang, area)) as [
      ReturnType<typeof textsOf>,
      ReturnType<typeof textsOf>,
      ReturnType<typeof textsOf>,
      ReturnType<typeof textsOf>,
    ];
    const { page, context, complaints } = await signIn(journey, "pm", { lang, skin, to: `/${number}/templates` });
    await alive(page);
    const field = (role: "textbox" | "combobox", label: string) =>
      page.getByRole("dialog").getByRole(role, { name: new RegExp(`^${label}`) });
    const save = page.getByRole("dialog").getByRole("button", { name: t("form.save"), exact: true });
    const listed = (name: string) => page.getByRole("row").filter({ hasText: name });

    // A plan template: a released flow and who owns what nobody owns.
    await page.getByRole("button", { name: t("plan.new"), exact: true }).click();
    let dialog = page.getByRole("dialog", { name: t("plan.title"), exact: true });
    await field("combobox", common("flow")).click();
    await page.getByRole("option", { name: "Rollout of sites", exact: true }).click();
    await save.click();
    await dialog.getByText(errors("NAME_REQUIRED")).waitFor();
    await field("textbox", t("list.name")).fill("Sites of the north");
    await field("combobox", t("plan.owners")).fill("tl");
    await page.getByRole("option", { name: /\(tl\)$/ }).click();
    await page.keyboard.press("Tab");
    await expectAccessible(page);
    await picture(page, `plan-template-${skin}-${lang}`);
    await save.click();
    await dialog.waitFor({ state: "hidden" });
    await listed("Sites of the north").waitFor();

    // A reverse template: columns of a sample file and what they give.
    await page.getByRole("button", { name: t("reverse.new"), exact: true }).click();
    dialog = page.getByRole("dialog", { name: t("reverse.title"), exact: true });
    await dialog
      .locator("input[type=file]")
      .setInputFiles({ name: "theirs.csv", mimeType: "text/csv", buffer: Buffer.from("Their site,On air,Note\nTP-1,2026-10-14,dry\n") });
    await dialog.getByText(t("reverse.noKey"), { exact: true }).waitFor();
    await dialog.getByRole("combobox", { name: t("reverse.fieldOf", { column: "Their site" }), exact: true }).click();
    await page.getByRole("option").filter({ visible: true }).first().click();
    await dialog.getByText(t("reverse.unmapped", { count: 2, columns: "On air, Note" }), { exact: true }).waitFor();
    await field("textbox", t("list.name")).fill("Plan of the tower company");
    await field("textbox", t("form.networkType")).fill("5G");
    await field("textbox", t("form.organisation")).fill("Towers Ltd");
    await field("textbox", common("remark")).fill("Comes on Fridays");
    await expectAccessible(page);
    await picture(page, `reverse-template-${skin}-${lang}`);
    await save.click();
    await dialog.waitFor({ state: "hidden" });
    await listed("Plan of the tower company").waitFor();
    expect(
      await owner`select kind, network_type as network, organisation, remark, body -> 'columns' as columns from template where project_id = ${projectId} and kind = 'reverse'`,
    ).toEqual([
      {
        kind: "reverse",
        network: "5G",
        organisation: "Towers Ltd",
        remark: "Comes on Fridays",
        columns: [{ title: "Their site", key: "du" }],
      },
    ]);

    // The plan template binds the chosen DUs and fills their owners.
    await page.goto(`${base}/${number}`);
    await alive(page);
    for (const code of ["TP-1", "TP-2"]) {
      await page.getByRole("gridcell", { name: code, exact: true }).click();
      await page.keyboard.press("Space");
    }
    await page.getByText(plan("selection.count", { count: 2 })).waitFor();
    await page
      .getByRole("button", { name: plan("batch.menu"), exact: true })
      .last()
      .click();
    await page.getByRole("menuitem", { name: plan("entries.applyPlan"), exact: true }).click();
    dialog = page.getByRole("dialog", { name: t("apply.title"), exact: true });
    await field("combobox", t("apply.template")).click();
    await page.getByRole("option", { name: "Sites of the north", exact: true }).click();
    await dialog
      .getByRole("status")
      .filter({ hasText: t("apply.preview", { bound: 2, filled: 4, left: 0 }) })
      .waitFor();
    await expectAccessible(page);
    await picture(page, `apply-plan-template-${skin}-${lang}`);
    await dialog.getByRole("button", { name: t("apply.verb"), exact: true }).click();
    await dialog.waitFor({ state: "hidden" });
    expect(await owner`select flow_id as flow, count(*)::int as dus from du_flow where project_id = ${projectId} group by 1`).toEqual([
      { flow: flowId, dus: 2 },
    ]);

    // The columns as they stand are kept from their settings.
    await page.getByRole("button", { name: plan("columns.button"), exact: true }).click();
    await page.getByRole("button", { name: plan("columns.saveAs"), exact: true }).click();
    dialog = page.getByRole("dialog", { name: t("dialog.title"), exact: true });
    await field("textbox", t("form.name.grid")).fill("After the binding");
    await dialog.getByRole("button", { name: t("form.save"), exact: true }).click();
    await dialog.waitFor({ state: "hidden" });
    expect(await owner`select name from template where project_id = ${projectId} and kind = 'grid'`).toEqual([
      { name: "After the binding" },
    ]);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
