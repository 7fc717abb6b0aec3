import { describe, expect, it } from "vitest";
import { expectAccessible, languageCases, makeJourneyProject, picture, signIn, useJourney } from "../support/journey.ts";
import { makeDus } from "../support/plan-factories.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();

describe("relations between DUs", () => {
  it.each([
    languageCases[1],
    languageCases[2],
  ])("are made, refused, drawn, changed, imported and deleted on their screen, in $lang [FLW-10]", {
    timeout: 180_000,
  }, async ({ lang, skin }) => {
    const number = `REL-${lang.toUpperCase()}`;
    const projectId = await makeJourneyProject(journey.owner, number);
    await makeDus(
      journey.owner,
      projectId,
      ["HUB", "LEAF-1", "LEAF-2"].map((code) => ({ code })),
    );
    const t = textsOf(lang, "activity-flows");
    const imports = textsOf(lang, "imports");
    const { page, context, complaints } = await signIn(journey, "pm", { lang, skin, to: `/${number}/activity-flows/du-relations` });
    await page.getByText(t("relations.empty")).waitFor();
    const make = async (code: string, related: string) => {
      await page
        .getByRole("button", { name: t("relations.new") })
        .first()
        .click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel(new RegExp(`^${t("relations.column.code")}\\W*$`)).fill(code);
      await dialog.getByLabel(t("relations.column.relatedCode")).fill(related);
      await dialog.locator("button[type=submit]").click();
      return dialog;
    };
    await make("LEAF-1", "HUB");
    const first = page.getByRole("row", { name: /LEAF-1.*HUB/ });
    await first.waitFor();
    // The hub under its own leaf would be a loop.
    const refused = await make("HUB", "LEAF-1");
    await refused.getByText(/HUB → LEAF-1 → HUB/).waitFor();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: textsOf(lang, "ui")("discard.verb"), exact: true }).click();
    await first.click();
    await page.getByRole("img", { name: /LEAF-1 → HUB/ }).waitFor();
    await expectAccessible(page);
    await picture(page, `relations-${skin}-${lang}`);

    await page.getByRole("button", { name: t("relations.actions", { code: "LEAF-1", related: "HUB" }) }).click();
    await page.getByRole("dialog").getByLabel(t("relations.column.note")).fill("one mast");
    await page.getByRole("dialog").locator("button[type=submit]").click();
    await page.getByRole("row", { name: /one mast/ }).waitFor();

    await page.getByRole("link", { name: t("relations.importVerb"), exact: true }).click();
    await page.locator("input[type=file]").setInputFiles({
      name: "relations.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(`DU,Related DU,Kind\nLEAF-2,HUB,${t("relations.kind.power")}\nLEAF-2,LEAF-2,Other\n`),
    });
    await page.getByRole("button", { name: imports("foot.checkVerb"), exact: true }).click();
    await page.getByRole("button", { name: imports("foot.apply", { count: 1 }) }).click();
    await page.getByRole("link", { name: imports("result.duRelations") }).click();
    await page.getByRole("row", { name: /LEAF-2.*HUB/ }).waitFor();
    await page
      .getByRole("row", { name: /one mast/ })
      .getByRole("checkbox")
      .check();
    await page.getByRole("button", { name: t("relations.delete", { count: 1 }) }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: t("relations.delete", { count: 1 }) })
      .click();
    await page
      .getByText(t("relations.deleted", { count: 1 }))
      .first()
      .waitFor();
    const left = await journey.owner`select kind from du_relation where project_id = ${projectId}`;
    expect(left).toEqual([{ kind: "power" }]);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
