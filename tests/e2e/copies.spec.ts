import { describe, expect, it } from "vitest";
import { expectAccessible, languageCases, makeJourneyProject, picture, signIn, useJourney } from "../support/journey.ts";
import { makeActivities, makeAttribute, makeDus, makeFlow } from "../support/plan-factories.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();

describe("the progress of attribute copies", () => {
  it.each([
    languageCases[0],
    languageCases[1],
  ])("is followed from the start to the end of a copy, and a failed target is tried again, in $lang [FLW-04]", {
    timeout: 180_000,
  }, async ({ lang, skin }) => {
    const number = `COPY-${lang.toUpperCase()}`;
    const projectId = await makeJourneyProject(journey.owner, number);
    const [pm] = await journey.owner<{ id: number }[]>`select id from app_user where account = 'pm'`;
    const activities = await makeActivities(journey.owner, projectId, ["Survey"]);
    const flow = { id: await makeFlow(journey.owner, projectId, pm!.id, activities), activities };
    const [source] = (await makeDus(journey.owner, projectId, [{ code: "PILOT" }], flow)) as [number];
    const [first] = (await makeDus(journey.owner, projectId, [{ code: "SITE-1" }])) as [number];
    const attribute = await makeAttribute(journey.owner, projectId, { name: "Tower type" });
    await journey.owner`update du set ext = ${journey.owner.json({ [attribute.key]: "lattice" } as never)} where id = ${source}`;
    const t = textsOf(lang, "activity-flows");
    const { page, context, complaints } = await signIn(journey, "pm", { lang, skin, to: `/${number}#/copyAttribute` });
    await page.getByText(t("copies.empty")).waitFor();
    await page
      .getByRole("button", { name: t("copies.new") })
      .first()
      .click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(t("copies.sourceCode")).fill("PILOT");
    await dialog.getByLabel(t("copies.targetCodes")).fill("SITE-1\nSITE-2");
    await dialog.getByLabel(t("copies.attributes")).click();
    await page.getByRole("option", { name: "Tower type" }).click();
    await page.keyboard.press("Escape");
    await dialog.getByLabel(t("copies.alsoBind")).check();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: t("copies.startVerb", { count: 2 }) }).click();
    const row = (code: string) => page.getByRole("row", { name: new RegExp(code) });
    await row("SITE-1").getByText(t("copies.progress.completed")).waitFor({ timeout: 60_000 });
    await row("SITE-1").getByText(t("copies.association.associated"), { exact: true }).waitFor();
    await row("SITE-2").getByText(t("copies.progress.failed")).waitFor();
    await row("SITE-2").getByText(t("copies.code.1001")).waitFor();
    await expectAccessible(page);
    await picture(page, `copy-${skin}-${lang}`);
    const [copied] = await journey.owner<{ ext: object; source: string }[]>`
      select du.ext, b.source from du join du_flow b on b.du_id = du.id and b.unbound_at is null where du.id = ${first}`;
    expect(copied).toEqual({ ext: { [attribute.key]: "lattice" }, source: "copy" });

    await makeDus(journey.owner, projectId, [{ code: "SITE-2" }]);
    await page.getByRole("button", { name: t("copies.retry", { count: 1 }) }).click();
    await row("SITE-2").getByText(t("copies.progress.completed")).waitFor({ timeout: 60_000 });
    await page.getByRole("button", { name: t("copies.back") }).click();
    await row("PILOT")
      .getByText(`${t("copies.progress.completed")} 2`)
      .waitFor();
    await expectAccessible(page);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
