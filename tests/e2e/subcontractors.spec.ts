import { describe, expect, it } from "vitest";
import { alive, expectAccessible, makeJourneyProject, picture, signIn, useJourney } from "../support/journey.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();
const number = "COMPANIES";

/** A company with a crew, two DUs of which one is another company's, and a capacity that the plan exceeds. */
async function makeCompanies(): Promise<void> {
  const sql = journey.owner;
  const id = await makeJourneyProject(sql, number);
  const companies = await sql<{ id: number }[]>`
    insert into subcontractor (project_id, code, name, countries) values (${id}, 'ACME', 'Acme Towers', '{CN}'), (${id}, 'BOLT', 'Bolt Power', '{CN}') returning id`;
  const [acme, bolt] = companies.map((company) => company.id);
  await sql`update resource set subcontractor_id = ${acme!} where project_id = ${id} and user_id = (select id from app_user where account = 'subcon')`;
  await sql`insert into attribute (project_id, key, name, type) values (${id}, 'a1', 'Zone', 'TEXT')`;
  await sql`insert into activity_library (project_id, slot, code, name) values (${id}, 1, 'CIV', 'Civil works')`;
  await sql`
    with sites as (
      insert into customer_site (project_id, code, name) select ${id}, 'ISO-' || n, 'Site ' || n from generate_series(1, 12) n returning id, code
    ), dus as (
      insert into du (project_id, code, name, site_id, subcontractor_id, ext)
      select ${id}, code, 'DU ' || code, id, case when code = 'ISO-12' then ${bolt!}::bigint else ${acme!}::bigint end, '{"a1": "Z1"}' from sites returning id
    )
    insert into du_plan (du_id, project_id, plan_start, plan_end, state, applicable_count)
    select id, ${id}, array[(current_date - date '2000-01-01' + 14)::smallint], array[(current_date - date '2000-01-01' + 15)::smallint], '{1}', 1 from dus`;
}

describe("subcontractors", () => {
  it("are listed, given a capacity against the plan, and see what isolation leaves them [RES-01] [RES-02] [RES-05] [RES-08]", {
    timeout: 90_000,
  }, async () => {
    await makeCompanies();
    const t = textsOf("en", "subcontractors");
    const cycle = textsOf("en", "project-cycle");
    const common = textsOf("en", "common");
    const { page, context, complaints } = await signIn(journey, "pm", {
      lang: "en",
      skin: "light",
      to: `/${number}/resources/subcontractors`,
    });
    await alive(page);
    await page.getByRole("row", { name: /Acme Towers/ }).waitFor();
    await expectAccessible(page);
    await picture(page, "subcontractors-light-en");

    await page.goto(`${journey.base}/${number}/resources/subcontractors/capacity`);
    await page
      .getByRole("button", { name: t("capacity.new") })
      .first()
      .click();
    const dialog = page.getByRole("dialog");
    for (const [field, value] of [
      ["upperCap", "18"],
      ["baseline", "10"],
      ["lowerLimit", "5"],
    ] as const)
      await dialog.getByLabel(t(`capacity.field.${field}`)).fill(value);
    await dialog.getByRole("button", { name: common("save") }).click();
    await page.getByRole("img", { name: /over capacity/ }).waitFor();
    await expectAccessible(page);
    await picture(page, "capacity-light-en");

    await page.goto(`${journey.base}/${number}/resources/isolation`);
    await page
      .getByRole("button", { name: t("isolation.new") })
      .first()
      .click();
    await dialog.getByRole("combobox", { name: common("attribute") }).click();
    await page.getByRole("option", { name: "Zone" }).click();
    await dialog.getByLabel(common("value")).fill("Z1");
    await dialog.getByRole("combobox", { name: common("subcontractor") }).click();
    await page.getByRole("option", { name: /Acme/ }).click();
    await dialog.getByRole("button", { name: common("save") }).click();
    await page.getByRole("row", { name: /Zone.*Z1.*Acme.*12/ }).waitFor();
    await page.getByRole("switch", { name: t("isolation.switch") }).click({ force: true });
    await page.getByRole("button", { name: t("isolation.turnOn") }).click();
    await page.getByText(t("isolation.on")).first().waitFor();
    await expectAccessible(page);
    await picture(page, "isolation-light-en");

    await page.goto(`${journey.base}/${number}/resources/project-cycle`);
    await page.getByText(cycle("empty")).waitFor();
    expect(complaints).toEqual([]);
    await context.close();

    const crew = await signIn(journey, "subcon", { skin: "dark", to: `/${number}` });
    await alive(crew.page);
    await crew.page.getByText("ISO-12").first().waitFor();
    expect(await crew.page.getByText("Bolt Power").count()).toBe(0);
    await crew.context.close();
  });
});
