import { describe, expect, it } from "vitest";
import { alive, expectAccessible, languageCases, makeJourneyProject, picture, settled, signIn, useJourney } from "../support/journey.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();
const number = "PEOPLE";

describe("regions and people", () => {
  it("regions are pasted, mapped and shared; people are added, authorised and put into a group [REG-01] [REG-02] [RES-03] [RES-04] [RES-06] [RES-07]", {
    timeout: 120_000,
  }, async () => {
    const sql = journey.owner;
    const id = await makeJourneyProject(sql, number);
    await sql`insert into network_region (project_id, name, source) values (${id}, 'NR North', 'IMPORT'), (${id}, 'NR South', 'IMPORT'), (${id}, 'NR West', 'IMPORT')`;
    await sql`insert into app_user (account, name, email, country) values ('walk-anna', 'Anna Berg', 'anna@example.com', 'CN') on conflict do nothing`;
    const t = textsOf("en", "regions");
    const common = textsOf("en", "common");
    const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", skin: "light", to: `/${number}/regions` });
    await alive(page);
    await page
      .getByRole("button", { name: t("paste.title") })
      .first()
      .click();
    await page.getByRole("textbox", { name: t("paste.names") }).fill("North\nSouth\n\nnorth");
    await page
      .getByRole("dialog")
      .getByRole("button", { name: t("paste.add"), exact: true })
      .click();
    await page.getByText(t("unmapped", { count: 3 })).waitFor();
    const row = (name: string) => page.getByRole("row").filter({ has: page.getByRole("textbox", { name: t("nameOf", { name }) }) });
    // One by drag, the others by keyboard.
    await page.getByRole("button", { name: "NR North" }).dragTo(row("North"));
    await page.getByText(t("unmapped", { count: 2 })).waitFor();
    for (const name of ["NR South", "NR West"]) {
      await page.getByRole("button", { name }).focus();
      await page.keyboard.press("Enter");
    }
    await page.getByRole("combobox", { name: t("mapTo") }).click();
    await page.getByRole("option", { name: "South" }).click();
    await expectAccessible(page);
    await page.getByRole("button", { name: common("save"), exact: true }).click();
    await page.getByText(t("allMapped", { count: 3 })).waitFor();
    await settled(page);
    await picture(page, "regions-light-en");
    await page.getByRole("link", { name: t("tab.regionShares") }).click();
    await page.getByRole("button", { name: t("equal") }).click();
    await page.getByText("100.00 %", { exact: true }).waitFor();
    await page.getByRole("textbox", { name: t("shareOf", { name: "North" }) }).fill("60.01");
    await page.getByText("110.01 %", { exact: true }).waitFor();
    await page.getByRole("button", { name: common("save"), exact: true }).click();
    await page.getByRole("alert").filter({ hasText: "110.01" }).waitFor();
    await page.getByRole("textbox", { name: t("shareOf", { name: "South" }) }).fill("39.99");
    await page.getByText("100.00 %", { exact: true }).waitFor();
    await picture(page, "region-shares-light-en");
    await page.getByRole("button", { name: common("save"), exact: true }).click();
    await expect
      .poll(async () =>
        (await sql`select percentage::float8 as p from delivery_region where project_id = ${id} order by sort_no`).map(({ p }) => p),
      )
      .toEqual([60.01, 39.99]);

    const r = textsOf("en", "resources");
    await page.goto(`${journey.base}/${number}/resources`);
    await alive(page);
    await page.getByRole("button", { name: r("person.add") }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: r("field.phone") }).waitFor();
    await page.keyboard.type("walk-anna,");
    await dialog.getByRole("textbox", { name: r("field.phone") }).fill("+86");
    await dialog.getByRole("button", { name: common("save") }).click();
    await dialog.getByText("Telephone numbers are digits and commas", { exact: false }).waitFor();
    await dialog.getByRole("textbox", { name: r("field.phone") }).fill("86138");
    await expectAccessible(page);
    await picture(page, "person-light-en");
    await dialog.getByRole("button", { name: common("save") }).click();
    const anna = page.getByRole("row", { name: /Anna Berg/ });
    await anna.getByRole("checkbox").check();
    await page.getByRole("button", { name: r("extend.title") }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: r("extend.verb") })
      .click();
    await expect
      .poll(
        async () =>
          (
            await sql`select auth_end = current_date + interval '1 year' as is from resource r join app_user u on u.id = r.user_id where account = 'walk-anna' and project_id = ${id}`
          )[0]?.is,
      )
      .not.toBeNull();
    await anna.click();
    await page.getByRole("dialog").getByText(common("history")).waitFor();
    await picture(page, "person-drawer-light-en");
    await page.keyboard.press("Escape");

    await page.goto(`${journey.base}/${number}/resources/groups`);
    await alive(page);
    await page.getByRole("button", { name: r("groups.new") }).click();
    await page
      .getByRole("dialog")
      .getByRole("textbox", { name: new RegExp(`^${common("name")}`) })
      .fill("North team 1");
    await page
      .getByRole("dialog")
      .getByRole("combobox", { name: r("groups.addMember") })
      .fill("Anna");
    await page.getByRole("option", { name: /Anna Berg/ }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: common("save") })
      .click();
    await page.getByRole("article", { name: "North team 1" }).getByText("Anna Berg").waitFor();
    await picture(page, "groups-light-en");
    await page.getByRole("link", { name: r("screen.supplierGroups"), exact: true }).click();
    await page
      .getByRole("region", { name: r("groups.own") })
      .getByRole("article", { name: "North team 1" })
      .waitFor();
    await page.goto(`${journey.base}/${number}/resources/assignment`);
    await page.getByText(r("assignment.empty")).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it.each(languageCases)("the screens stand in $lang with the demo's people", { timeout: 60_000 }, async ({ lang, skin }) => {
    const { page, context, complaints } = await signIn(journey, "pm", { lang, skin, to: "/DEMO/resources?tab=SUBCON" });
    for (const [path, name] of [
      ["resources?tab=SUBCON", "pool"],
      ["resources/groups/by-supplier", "supplier-groups"],
      ["resources/assignment", "assignment"],
      ["regions", "regions-demo"],
      ["regions/shares", "shares-demo"],
    ] as const) {
      await page.goto(`${journey.base}/DEMO/${path}`);
      await alive(page);
      await settled(page);
      await picture(page, `${name}-${skin}-${lang}`);
    }
    expect(complaints).toEqual([]);
    await context.close();
  });
});
