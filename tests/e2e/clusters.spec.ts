import { describe, expect, it } from "vitest";
import { alive, expectAccessible, makeJourneyProject, picture, signIn, useJourney } from "../support/journey.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();
const number = "CLUSTERS";

/** 60 DUs in one town, planned for the activity of the cutover, two thirds of them done. */
async function makeTown(): Promise<number> {
  const sql = journey.owner;
  const id = await makeJourneyProject(sql, number);
  const [activity] = await sql<{ id: number }[]>`
    insert into activity_library (project_id, slot, code, name) values (${id}, 1, 'CUT', 'Cutover') returning id`;
  await sql`
    with sites as (
      insert into customer_site (project_id, code, name, longitude, latitude)
      select ${id}, 'C' || n, 'Site ' || n, 121 + (n % 10) / 10.0, 31 + (n / 10) / 10.0 from generate_series(1, 60) n returning id, code
    ), dus as (insert into du (project_id, code, name, site_id) select ${id}, code, 'DU ' || code, id from sites returning id)
    insert into du_plan (du_id, project_id, plan_end, actual_end, state, applicable_count, done_count, next_plan_end, last_plan_end)
    select id, ${id}, array[(9700 + id % 20)::smallint], case when id % 3 > 0 then array[(9702 + id % 20)::smallint] end, '{1}', 1, (id % 3 > 0)::int, case when id % 3 > 0 then 0 else 9700 + id % 20 end, 9700 + id % 20
    from dus`;
  return activity!.id;
}

describe("clusters", () => {
  it("are drawn on the map, filled, and shown by readiness [MDV-07] [MDV-08]", { timeout: 90_000 }, async () => {
    await makeTown();
    const t = textsOf("zh", "clusters");
    const common = textsOf("zh", "common");
    const map = textsOf("zh", "map");
    const { page, context, complaints } = await signIn(journey, "td", { to: `/${number}#/clusterConfig` });
    await alive(page);
    await page.locator("[data-drawn=true]").waitFor();

    // Around all of them: a cluster of this outline, then the DUs into it.
    await page.getByRole("button", { name: map("rectangle") }).click();
    const area = (await page.locator("[data-drawing=rectangle]").boundingBox())!;
    await page.mouse.move(area.x + 2, area.y + 2);
    await page.mouse.down();
    await page.mouse.move(area.x + area.width - 2, area.y + area.height - 2, { steps: 4 });
    await page.mouse.up();
    const bar = page.getByRole("toolbar", { name: t("assign.label") });
    expect(await bar.getByRole("status").textContent()).toContain("60");
    await bar.getByRole("button", { name: t("assign.new") }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(t("field.name")).fill("C-07");
    await dialog.getByRole("combobox", { name: t("field.cutoverActivityId") }).click();
    await page.getByRole("option", { name: "Cutover" }).click();
    await dialog.getByRole("button", { name: common("save") }).click();
    await page.getByRole("row", { name: /C-07/ }).waitFor();
    await bar.getByRole("combobox", { name: t("assign.cluster") }).click();
    await page.getByRole("option", { name: "C-07" }).click();
    await bar.getByRole("button", { name: t("assign.verb"), exact: true }).click();
    await page.getByRole("row", { name: /C-07.* 60/ }).waitFor();
    await expectAccessible(page);
    await picture(page, "clusters-dark-zh");
    await context.close();

    const status = textsOf("en", "clusters");
    const visit = await signIn(journey, "pm", { lang: "en", skin: "light", to: `/${number}#/clusterView` });
    await alive(visit.page);
    const panel = visit.page.getByRole("complementary", { name: status("status.label") });
    await panel.getByRole("button", { name: /C-07/ }).click();
    await panel.getByText("66.67 %", { exact: true }).waitFor();
    await panel.getByText(status("status.needed", { count: 8 })).waitFor();
    await visit.page.locator("[data-drawn=true]").waitFor();
    await expectAccessible(visit.page);
    await picture(visit.page, "cluster-status-light-en");
    await panel.getByRole("button", { name: status("status.open") }).click();
    await visit.page.waitForURL(/selection=/);
    await visit.page.getByRole("status").filter({ hasText: "20 / 60" }).waitFor();
    expect([...complaints, ...visit.complaints]).toEqual([]);
    await visit.context.close();
  });
});
