import { mkdirSync } from "node:fs";
import type { Page } from "playwright";
import { describe, expect, it } from "vitest";
import { alive, expectAccessible, languageCases, makeJourneyProject, picture, signIn, useJourney } from "../support/journey.ts";
import { makeDus } from "../support/plan-factories.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();

describe("attributes", () => {
  it("are made, shown in the plan, kept for named persons and permitted by the PM alone [ATT-01] [ATT-02] [ATT-03] [ATT-04] [ATT-24] [ATT-28]", {
    timeout: 120_000,
  }, async () => {
    const number = "ATTR-1";
    const projectId = await makeJourneyProject(journey.owner, number);
    await makeDus(journey.owner, projectId, [{ code: "ATTR-DU" }]);
    const t = textsOf("en", "attributes");
    const common = textsOf("en", "common");
    const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", skin: "light", to: `/${number}/#/fieldconfig` });
    await alive(page);
    await page.waitForURL(`**/${number}/attributes`);
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    const dialog = page.getByRole("dialog");
    await page.getByText(t("list.empty")).waitFor();

    // An enumeration, its values pasted from a sheet.
    await button(t("list.add")).first().click();
    await dialog.getByLabel(t("field.name"), { exact: false }).first().fill("Tower type");
    await dialog.getByLabel(t("field.type"), { exact: false }).first().selectOption("ENUM");
    const values = dialog.getByLabel(t("choices.add"));
    await values.focus();
    await page.evaluate(() => navigator.clipboard.writeText("Lattice tower\nMonopole\nRooftop pole"));
    await page.keyboard.press("Control+v");
    await dialog.getByLabel(t("choices.value", { number: 3 })).waitFor();
    // The field as people will fill it stands in the form while it is made.
    const preview = dialog.getByRole("region", { name: t("preview.title") });
    await preview.getByLabel("Tower type").selectOption({ label: "Monopole" });
    await expectAccessible(page);
    await picture(page, "attribute-drawer");
    await dialog.getByRole("button", { name: common("save"), exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText("Tower type").first().waitFor();

    // One of the standard library, tried before it is saved.
    await button(t("standard.verb")).click();
    await dialog.getByRole("searchbox").fill("height");
    await dialog.getByRole("button", { name: t("standard.name.towerHeight") }).click();
    const trial = preview.getByLabel(t("standard.name.towerHeight"));
    await trial.fill("301");
    await preview.getByText(t("preview.refused")).waitFor();
    await trial.fill("300");
    await preview.getByText(t("preview.refused")).waitFor({ state: "detached" });
    await dialog.getByRole("button", { name: common("save"), exact: true }).click();
    await dialog.waitFor({ state: "detached" });

    // Brought into order by the pointer and by keys.
    const order = async () =>
      (await journey.owner`select name from attribute where project_id = ${projectId} order by sort_no, id`).map((row) => row.name);
    const grip = (name: string) => page.getByRole("button", { name: t("order.move", { name }), exact: true });
    const height = t("standard.name.towerHeight");
    await grip(height).dragTo(page.getByText("Tower type", { exact: true }));
    await expect.poll(order).toEqual([height, "Tower type"]);
    await page.getByText(t("order.moved", { name: height, place: 1 })).waitFor({ state: "attached" });
    await grip(height).press("Alt+ArrowDown");
    await expect.poll(order).toEqual(["Tower type", height]);

    // Every column has a condition.
    await button(t("filter.title")).click();
    await page.getByRole("dialog").getByLabel(t("field.type"), { exact: true }).selectOption("NUMBER");
    await expectAccessible(page);
    await picture(page, "attribute-filters");
    await page.keyboard.press("Escape");
    await page.getByText("Tower type", { exact: true }).waitFor({ state: "detached" });
    await button(textsOf("en", "ui")("filter.drop", { name: t("field.type") })).click();

    // Of the values it has, it may take some alone.
    await page.getByText("Tower type", { exact: true }).click();
    await dialog.getByLabel(t("limit.allowed")).first().click();
    await page.getByRole("listbox").getByRole("option", { name: "Monopole" }).click();
    await dialog.getByRole("button", { name: common("save"), exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    const allowed = await journey.owner`
      select e.value from attribute a, jsonb_array_elements_text(a.value_limit -> 'allowed') v join attribute_enum e on e.id::text = v
      where a.project_id = ${projectId}`;
    expect(allowed.map(({ value }) => value)).toEqual(["Monopole"]);

    // Shown in the plan at once, taken out of it, and back again.
    await page.goto(`${journey.base}/${number}`);
    await alive(page);
    await page.getByRole("columnheader", { name: "Tower type" }).first().waitFor();
    await button("Columns").click();
    await page.getByRole("dialog", { name: "Columns" }).getByText("Tower type").waitFor();
    await page.goto(`${journey.base}/${number}/#/wSetExtField`);
    await page.waitForURL(`**/${number}/attributes/displayed`);
    await page.getByRole("checkbox", { name: height }).check();
    await page.getByRole("checkbox", { name: "Tower type" }).check();
    await button(t("displayed.hide")).click();
    await page.getByText(t("displayed.none.shown")).waitFor();
    await page.getByRole("checkbox", { name: height }).check();
    await page.getByRole("checkbox", { name: "Tower type" }).check();
    await button(t("displayed.show")).click();
    await page.getByText(t("displayed.none.available")).waitFor();

    // Only named persons: asked first.
    for (const hash of ["extendedFields", "projectBrainTabsPop"]) {
      await page.goto(`${journey.base}/${number}/#/${hash}`);
      await page.waitForURL(`**/${number}/attributes/extended`);
    }
    await page.getByRole("switch", { name: t("extended.controlOf", { name: "Tower type" }) }).click();
    await page.getByText(t("extended.switchOnText")).waitFor();
    await dialog.getByRole("button", { name: common("cancel"), exact: true }).click();

    // A role may only read it.
    await page.goto(`${journey.base}/${number}/#/attrPermission`);
    await page.waitForURL(`**/${number}/attributes/permissions`);
    await button(t("permissions.add")).first().click();
    await dialog.getByLabel(t("permissions.subject.ROLE")).first().click();
    await page.getByRole("option", { name: "TL", exact: true }).click();
    await dialog.getByRole("button", { name: t("permissions.add"), exact: true }).click();
    await page
      .getByRole("group", { name: "Tower type", exact: true })
      .getByRole("radio", { name: t("permissions.mode.RO") })
      .check();
    await button(common("save")).click();
    await expect
      .poll(async () => (await journey.owner`select entries from attribute_permission where project_id = ${projectId}`)[0]?.entries?.length)
      .toBe(1);

    // What is no longer wanted is deleted after a question.
    await page.goto(`${journey.base}/${number}/attributes`);
    await alive(page);
    const line = (name: string) => page.getByRole("row").filter({ hasText: name });
    await line(height).getByRole("checkbox").check();
    await page
      .getByRole("toolbar", { name: textsOf("en", "ui")("table.batch") })
      .getByRole("button", { name: common("delete"), exact: true })
      .click();
    await dialog.getByText(t("list.deleteText")).waitFor();
    await dialog.getByRole("button", { name: t("list.delete", { count: 1 }), exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    await line(height).waitFor({ state: "detached" });
    await line("Tower type").waitFor();
    const left = await journey.owner`select name from attribute where project_id = ${projectId} and deleted_at is null`;
    expect(left.map(({ name }) => name)).toEqual(["Tower type"]);
    expect(complaints).toEqual([]);
    await context.close();

    const other = await signIn(journey, "td", { lang: "en", to: `/${number}/attributes/permissions` });
    await other.page.getByText(textsOf("en", "shell")("denied.pmOnly")).waitFor();
    expect(await other.page.getByText("Tower type").count()).toBe(0);
    await other.context.close();
  });

  it("are laid out in every language and both skins", { timeout: 90_000 }, async () => {
    const number = "ATTR-2";
    const projectId = await makeJourneyProject(journey.owner, number);
    await journey.owner`
      insert into attribute (project_id, key, name, type, classification, in_rollout_plan, sort_no, visible_subcon)
      select ${projectId}, 'x' || n, 'Attribute ' || n, (array['TEXT', 'NUMBER', 'DATE'])[n % 3 + 1], case when n % 2 = 0 then 'Site' end, n % 2 = 0, n, n % 2 = 0
      from generate_series(1, 12) n`;
    await journey.owner`
      insert into attribute_permission (project_id, subject_type, role, entries, updated_at)
      values (${projectId}, 'ROLE', 'TL', '[{"attributeId":"*","mode":"RO"}]', now())`;
    const shots = process.env.SHOTS;
    if (shots) mkdirSync(shots, { recursive: true });
    const shot = async (page: Page, name: string) => void (shots && (await page.screenshot({ path: `${shots}/${name}.png` })));
    for (const { lang, skin } of languageCases) {
      const t = textsOf(lang, "attributes");
      const { page, context, complaints } = await signIn(journey, "pm", { lang, skin, to: `/${number}/attributes` });
      await alive(page);
      await page.getByText("Attribute 12", { exact: true }).waitFor();
      await shot(page, `list-${lang}`);
      await page.getByText("Attribute 12", { exact: true }).click();
      await page.getByRole("dialog").getByLabel(t("field.personControl")).waitFor();
      await shot(page, `drawer-${lang}`);
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: t("filter.title"), exact: true }).click();
      await page.getByRole("dialog").getByLabel(t("field.standardName"), { exact: true }).waitFor();
      await shot(page, `filters-${lang}`);
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: t("standard.verb"), exact: true }).click();
      await page
        .getByRole("dialog")
        .getByRole("button", { name: t("standard.name.towerType") })
        .waitFor();
      await shot(page, `standard-${lang}`);
      await page.goto(`${journey.base}/${number}/attributes/extended`);
      await page.getByText("Attribute 12", { exact: true }).waitFor();
      await shot(page, `extended-${lang}`);
      await page.goto(`${journey.base}/${number}/attributes/permissions`);
      await page.getByText("Attribute 12", { exact: true }).first().waitFor();
      await shot(page, `permissions-${lang}`);
      expect(complaints).toEqual([]);
      await context.close();
    }
  });
});
