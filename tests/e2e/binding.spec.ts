import { describe, expect, it } from "vitest";
import { expectAccessible, languageCases, makeJourneyProject, signIn, useJourney } from "../support/journey.ts";
import { makeActivities, makeDus, makeFlow } from "../support/plan-factories.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();

describe("DUs and their flow", () => {
  it.each([
    languageCases[0],
    languageCases[2],
  ])("are bound on one screen [FLW-05] and unbound on the other, but for those with work done [FLW-06], in $lang", {
    timeout: 120_000,
  }, async ({ lang, skin }) => {
    const number = `BIND-${lang.toUpperCase()}`;
    const projectId = await makeJourneyProject(journey.owner, number);
    const [pm] = await journey.owner<{ id: number }[]>`select id from app_user where account = 'pm'`;
    const activities = await makeActivities(journey.owner, projectId, ["Survey", "Install"]);
    const flowId = await makeFlow(journey.owner, projectId, pm!.id, activities);
    const [flow] = await journey.owner<{ name: string }[]>`select name from activity_flow where id = ${flowId}`;
    const ids = await makeDus(
      journey.owner,
      projectId,
      ["B-1", "B-2", "B-3"].map((code) => ({ code })),
    );
    const bound = async () =>
      (
        await journey.owner<{ code: string; source: string; planned: number }[]>`
          select du.code, b.source, (select count(*)::int from unnest(p.state) s where s & 1 = 1) as planned
          from du_flow b join du on du.id = b.du_id join du_plan p on p.du_id = du.id
          where du.project_id = ${projectId} and b.unbound_at is null order by du.code`
      ).map(({ code, source, planned }) => `${code} ${source} ${planned}`);
    const t = textsOf(lang, "activity-flows");
    const { page, context, complaints } = await signIn(journey, "pm", { lang, skin, to: `/${number}#/Dutaskflow` });
    const row = (code: string) => page.getByRole("row", { name: new RegExp(code) });
    await row("B-1").getByRole("checkbox").check();
    await row("B-3").getByRole("checkbox").check();
    await page.getByText("Install", { exact: true }).first().waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: t("bind.verb", { count: 2 }) }).click();
    await page
      .getByText(t("bind.done", { count: 2, flow: flow!.name }))
      .first()
      .waitFor();
    await expect.poll(bound).toEqual(["B-1 manual 2", "B-3 manual 2"]);

    // Work was done on one of them: it stays.
    await journey.owner`update du_plan set actual_start = array[9500]::smallint[] where du_id = ${ids[2]!}`;
    await page.getByRole("link", { name: t("bind.toUnbind"), exact: true }).click();
    await row("B-1").getByRole("checkbox").check();
    await row("B-3").getByRole("checkbox").check();
    await page.getByText(t("unbind.result", { free: 1, kept: 1 })).waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: t("unbind.verb", { count: 1 }) }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: t("unbind.verb", { count: 1 }) })
      .click();
    await page
      .getByText(t("unbind.done", { count: 1 }))
      .first()
      .waitFor();
    await expect.poll(bound).toEqual(["B-3 manual 2"]);
    await page.goto(`${journey.base}/${number}#/UnDutaskflow`);
    await row("B-3").waitFor();
    expect(await row("B-1").count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
