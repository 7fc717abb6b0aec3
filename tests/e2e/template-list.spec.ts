import { describe, it } from "vitest";
import { alive, expectAccessible, languageCases, makeJourneyProject, picture, signIn, useJourney } from "../support/journey.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();

describe("the templates of a project", () => {
  it.each(languageCases)("are listed and narrowed to a kind, in $lang", {
    timeout: 180_000,
  }, async ({ lang, skin }) => {
    const number = `TPLS-${lang.toUpperCase()}`;
    const projectId = await makeJourneyProject(journey.owner, number);
    await journey.owner`
      insert into template (project_id, kind, grid_key, name, is_public, owner_id, body, updated_at)
      select ${projectId}, k.kind, 'plan', k.name, k.public, u.id, ${journey.owner.json({ columns: [{ key: "[GONE]:planEnd" }] })}, now()
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
});
