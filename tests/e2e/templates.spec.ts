import { describe, expect, it } from "vitest";
import { alive, expectAccessible, languageCases, makeJourneyProject, picture, signIn, useJourney } from "../support/journey.ts";
import { makeDus } from "../support/plan-factories.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();

describe("templates of the plan", () => {
  it.each(
    languageCases,
  )("keep columns, filters and searches; they are chosen, starred, overwritten, renamed and deleted, in $lang [TPL-01] [TPL-03]", {
    timeout: 180_000,
  }, async ({ lang, skin }) => {
    const number = `TPL-${lang.toUpperCase()}`;
    const projectId = await makeJourneyProject(journey.owner, number);
    await makeDus(
      journey.owner,
      projectId,
      ["NORTH-1", "NORTH-2", "SOUTH-1"].map((code) => ({ code })),
    );
    const [t, plan, common] = [textsOf(lang, "templates"), textsOf(lang, "plan-grid"), textsOf(lang, "common")] as const;
    const { page, context, complaints } = await signIn(journey, "pm", { lang, skin, to: `/${number}` });
    await alive(page);
    const cell = (name: string) => page.getByRole("gridcell", { name, exact: true });
    await cell("NORTH-1").waitFor();
    const open = async () => {
      await page.getByRole("button", { name: plan("templates.button"), exact: true }).click();
      const dialog = page.getByRole("dialog", { name: t("dialog.title"), exact: true });
      await dialog
        .getByText(t("dialog.none"))
        .or(dialog.getByRole("button", { name: "Daily", exact: true }))
        .first()
        .waitFor();
      return dialog;
    };
    const column = (title: string) => page.getByRole("columnheader").filter({ hasText: title });
    const heads = page.getByRole("columnheader");
    const shown = await heads.allInnerTexts();

    // The columns as they are, without one that is hidden in the settings.
    await page.getByRole("button", { name: plan("columns.button"), exact: true }).click();
    const settings = page.getByRole("dialog", { name: plan("columns.title"), exact: true });
    const box = settings
      .getByRole("group", { name: plan("columns.fields"), exact: true })
      .getByRole("checkbox", { checked: true })
      .last();
    const label = await box.evaluate((input: HTMLInputElement) => input.labels?.[0]?.textContent ?? "");
    await box.uncheck();
    await page.keyboard.press("Escape");
    await expect.poll(() => column(label).count()).toBe(0);

    let dialog = await open();
    const name = dialog.getByRole("textbox", { name: new RegExp(`^${t("form.name.grid")}`) });
    await name.fill("a/b");
    await dialog.getByText(t("form.signs", { signs: "" }).trim()).waitFor();
    await name.fill("x".repeat(101));
    await dialog.getByText(t("form.tooLong", { max: 100 })).waitFor();
    await dialog.getByText("101 / 100").waitFor();
    await name.fill("Daily");
    await dialog.getByText(t("form.count", { used: 0, max: 20 })).waitFor();
    await dialog.getByRole("button", { name: common("more"), exact: true }).click();
    await dialog.getByRole("textbox", { name: new RegExp(`^${t("form.networkType")}`) }).fill("5G");
    await dialog.getByRole("textbox", { name: new RegExp(`^${t("form.organisation")}`) }).fill("North office");
    await dialog.getByRole("textbox", { name: new RegExp(`^${common("remark")}`) }).fill("For the morning");
    await dialog.getByRole("button", { name: t("form.save"), exact: true }).click();
    await dialog.getByText(t("form.saved"), { exact: true }).waitFor();
    await dialog.waitFor({ state: "hidden" });

    const [kept] = await journey.owner`
      select name, network_type as network, organisation, remark from template where project_id = ${projectId}`;
    expect(kept).toEqual({ name: "Daily", network: "5G", organisation: "North office", remark: "For the morning" });

    // A name that is there is told while it is typed.
    dialog = await open();
    await dialog.getByRole("textbox", { name: new RegExp(`^${t("form.name.grid")}`) }).fill("daily");
    await dialog.getByText(t("form.taken")).waitFor();
    await dialog.getByRole("button", { name: t("dialog.star", { name: "Daily" }) }).click();
    await dialog.getByRole("button", { name: t("dialog.star", { name: "Daily" }), pressed: true }).waitFor();
    await expectAccessible(page);
    await picture(page, `templates-${skin}-${lang}`);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: textsOf(lang, "ui")("discard.verb"), exact: true }).click();

    // Everything is shown again; the next opening begins with the starred template.
    await page.getByRole("button", { name: plan("columns.button"), exact: true }).click();
    await settings.getByRole("button", { name: plan("columns.reset"), exact: true }).click();
    await page.keyboard.press("Escape");
    await expect.poll(() => heads.allInnerTexts()).toEqual(shown);
    await page.goto(`${journey.base}/${number}`);
    await alive(page);
    await cell("NORTH-1").waitFor();
    await expect.poll(() => column(label).count()).toBe(0);

    // A search is kept with its entries and brings them back.
    const searchBox = page
      .getByRole("searchbox", { name: plan("search.label") })
      .or(page.getByLabel(plan("search.label")))
      .first();
    await searchBox.fill("NORTH");
    await page.keyboard.press("Enter");
    await cell("SOUTH-1").waitFor({ state: "hidden" });
    dialog = await open();
    await dialog.getByText(t("kind.search"), { exact: true }).click();
    await dialog.getByRole("textbox", { name: new RegExp(`^${t("form.name.search")}`) }).fill("North");
    await dialog.getByRole("button", { name: t("form.save"), exact: true }).click();
    await dialog.getByRole("button", { name: "North", exact: true }).waitFor();
    await dialog.waitFor({ state: "hidden" });
    await page.goto(`${journey.base}/${number}`);
    await alive(page);
    await cell("SOUTH-1").waitFor();
    dialog = await open();
    await dialog.getByText(t("kind.search"), { exact: true }).click();
    await dialog.getByRole("button", { name: "North", exact: true }).click();
    await cell("SOUTH-1").waitFor({ state: "hidden" });

    // Renamed, overwritten, deleted.
    dialog = await open();
    await dialog.getByRole("button", { name: t("dialog.renameName", { name: "Daily" }) }).click();
    await dialog.getByRole("textbox", { name: t("dialog.name"), exact: true }).fill("Weekly");
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Weekly", exact: true }).waitFor();
    await dialog.getByRole("button", { name: t("dialog.overwriteName", { name: "Weekly" }) }).click();
    await dialog.getByText(t("dialog.overwriteNote")).waitFor();
    await dialog
      .getByRole("button", { name: t("dialog.overwriteName", { name: "Weekly" }) })
      .last()
      .click();
    await page.getByText(textsOf(lang, "errors")("NOTHING_MODIFIED"), { exact: true }).waitFor();
    await dialog.getByText(t("dialog.overwriteNote")).waitFor({ state: "hidden" });
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: plan("columns.button"), exact: true }).click();
    await settings.getByRole("button", { name: plan("columns.reset"), exact: true }).click();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: plan("templates.button"), exact: true }).click();
    await dialog.getByRole("button", { name: t("dialog.overwriteName", { name: "Weekly" }) }).click();
    await dialog
      .getByRole("button", { name: t("dialog.overwriteName", { name: "Weekly" }) })
      .last()
      .click();
    await dialog.getByText(t("dialog.overwriteNote")).waitFor({ state: "hidden" });
    await dialog.getByRole("button", { name: t("dialog.deleteName", { name: "Weekly" }) }).click();
    await dialog.getByText(t("dialog.deleteNote")).waitFor();
    await expectAccessible(page);
    await dialog
      .getByRole("button", { name: t("dialog.deleteName", { name: "Weekly" }) })
      .last()
      .click();
    await dialog.getByRole("button", { name: "Weekly", exact: true }).waitFor({ state: "hidden" });
    const left = await journey.owner`select kind, name, row_version from template where project_id = ${projectId}`;
    expect(left).toEqual([{ kind: "search", name: "North", row_version: 1 }]);
    const saved = await journey.owner<{ after: { name: string } | null }[]>`
      select detail -> 'after' as after from audit_log where project_id = ${projectId} and object like 'template %' and object not like 'template default%' order by id`;
    expect(saved.map(({ after }) => after?.name ?? null)).toEqual(["Daily", "North", "Weekly", "Weekly", null]);
    expect(complaints).toEqual([]);
    await context.close();
  });
});

describe("sharing a template", () => {
  it("offers the projects the person may open, but for this one, and none that cannot be opened or is not the person's [SES-10]", async () => {
    const { owner } = journey;
    const projectId = await makeJourneyProject(owner, "SHARE-FROM");
    await makeJourneyProject(owner, "SHARE-OPEN");
    const bare = await makeJourneyProject(owner, "SHARE-BARE");
    const foreign = await makeJourneyProject(owner, "SHARE-FOREIGN");
    const [pm] = await owner<{ id: number }[]>`select id from app_user where account = 'pm'`;
    await owner`update project set datacenter = null where id = ${bare}`;
    await owner`delete from project_member where project_id = ${foreign} and user_id = ${pm!.id}`;
    await owner`
      insert into template (project_id, kind, object_type, grid_key, name, is_public, owner_id, body, updated_at)
      values (${projectId}, 'grid', 'project', 'plan', 'Daily', false, ${pm!.id}, ${owner.json({ columns: [] })}, now())`;
    const t = textsOf("en", "templates");
    const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", to: "/SHARE-FROM/templates" });
    await alive(page);
    await page.getByRole("row").filter({ hasText: "Daily" }).getByRole("checkbox").check();
    await page.getByRole("button", { name: t("share.verb"), exact: true }).click();
    const dialog = page.getByRole("dialog", { name: t("share.title", { count: 1 }), exact: true });
    await dialog.getByRole("combobox", { name: new RegExp(`^${t("share.projects")}`) }).fill("SHARE-");
    await expect.poll(() => page.getByRole("listbox").getByRole("option").allInnerTexts()).toEqual(["SHARE-OPEN · Journey SHARE-OPEN"]);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
