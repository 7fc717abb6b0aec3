import { describe, expect, it } from "vitest";
import { dayNumber } from "#lib/core/clock.ts";
import { stateBits } from "#lib/rollout-plan/plan-rows/limits.ts";
import { expectAccessible, picture, signIn, useJourney } from "../support/journey.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();
const today = dayNumber(new Date().toISOString().slice(0, 10)) as number;

/** Two DUs of the demo project on one flow, and an activity that is planned ahead and not begun in both. */
async function planned() {
  const [found] = await journey.owner<{ duIds: number[]; codes: string[]; activityId: number; slot: number; name: string }[]>`
    select (array_agg(du.id order by du.code))[1:2] as "duIds", (array_agg(du.code order by du.code))[1:2] as codes, l.id as "activityId", l.slot, l.name
    from du_plan d join du on du.id = d.du_id join project p on p.id = du.project_id join activity_library l on l.project_id = p.id
    join du_flow f on f.du_id = du.id and f.unbound_at is null
    where p.number = 'DEMO' and d.plan_start[l.slot] > ${today + 7} and d.plan_end[l.slot] > 0 and coalesce(d.actual_start[l.slot], 0) = 0
      and d.state[l.slot] & ${(1 << stateBits.fixed.at) | (1 << stateBits.frozen.at)} = 0
    group by l.id, f.flow_id having count(*) > 1 order by count(*) desc limit 1`;
  return found!;
}

const bits = async (duIds: number[], slot: number, bit: "fixed" | "frozen") =>
  (
    await journey.owner<{ on: boolean }[]>`
      select (state[${slot}] >> ${stateBits[bit].at}) & 1 = 1 as on from du_plan where du_id = any(${duIds}::bigint[])`
  ).map(({ on }) => on);

describe("fixing and freezing", () => {
  it("of chosen activities of the selected DUs, by the batch menu; shown by the lists of locks and freezes, ended by PD [SCH-01] [SCH-02] [SCH-03] [SCH-04]", {
    timeout: 180_000,
  }, async () => {
    const [scheduling, plan] = [textsOf("en", "scheduling"), textsOf("en", "plan-grid")];
    const part = (name: string) => (key: string, values?: Record<string, string | number>) => scheduling(`${name}.${key}`, values);
    const [lock, locks, freezes, filter] = [part("lock"), part("locks"), part("freezes"), part("filter")];
    const { duIds, codes, slot, name } = await planned();
    const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", skin: "light", to: "/DEMO" });

    // The two DUs are found by their codes and chosen as rows.
    await page.goto(`${journey.base}/DEMO?du=${codes.join(",")}`);
    for (const code of codes) {
      await page.getByRole("gridcell", { name: code, exact: true }).click();
      await page.keyboard.press("Space");
    }
    await page.getByText(plan("selection.count", { count: 2 })).waitFor();
    const ask = async (verb: "fix" | "freeze", reason?: string) => {
      await page
        .getByRole("button", { name: plan("batch.menu"), exact: true })
        .last()
        .click();
      await page.getByRole("menuitem", { name: lock(`title.${verb}`), exact: true }).click();
      const dialog = page.getByRole("dialog", { name: lock(`title.${verb}`), exact: true });
      await dialog.getByRole("checkbox", { name, exact: true }).check();
      if (reason) {
        await dialog.getByRole("button", { name: lock(`apply.${verb}`) }).click();
        await dialog.getByText(lock("reasonMissing")).waitFor();
        await expect.poll(() => bits(duIds, slot, "frozen")).toEqual([false, false]);
        await dialog.getByRole("textbox", { name: lock("reason") }).fill(reason);
      }
      await expectAccessible(page);
      if (verb === "freeze") await picture(page, "freeze-dialog-light");
      await dialog.getByRole("button", { name: lock(`apply.${verb}`) }).click();
      await dialog.waitFor({ state: "detached" });
    };
    await ask("fix");
    await expect.poll(() => bits(duIds, slot, "fixed")).toEqual([true, true]);
    await ask("freeze", "Promised to the customer");
    await expect.poll(() => bits(duIds, slot, "frozen")).toEqual([true, true]);

    // Which locks there are and how they are lifted.
    await page.goto(`${journey.base}/DEMO#/lockLogicQueries`);
    await page.getByRole("searchbox", { name: filter("search") }).fill(codes[0]!);
    const table = page.getByRole("table");
    for (const kind of ["FIXED", "FROZEN"])
      await table
        .getByRole("cell", { name: locks(`kinds.${kind}`), exact: true })
        .first()
        .waitFor();
    await table.getByText(locks("lifts.FROZEN")).first().waitFor();
    await picture(page, "locks-light");
    await context.close();

    // PD ends one freeze with a reason; it moves from the open ones to the history.
    const pd = await signIn(journey, "pd", { lang: "en", to: "/DEMO" });
    await pd.page.goto(`${journey.base}/DEMO#/planFreeze`);
    const row = (code: string) => pd.page.getByRole("row").filter({ hasText: code }).filter({ hasText: name });
    await row(codes[0]!).getByText("Promised to the customer").waitFor();
    await row(codes[1]!).waitFor();
    await row(codes[0]!).getByRole("checkbox").check();
    await pd.page.getByRole("button", { name: freezes("unfreeze", { count: 1 }) }).click();
    const dialog = pd.page.getByRole("dialog", { name: lock("title.unfreeze") });
    await dialog.getByRole("textbox", { name: lock("reason") }).fill("Customer moved it");
    await dialog.getByRole("button", { name: lock("apply.unfreeze") }).click();
    await dialog.waitFor({ state: "detached" });
    await row(codes[0]!).waitFor({ state: "detached" });
    await row(codes[1]!).waitFor();
    await pd.page.getByRole("tab", { name: freezes("history") }).click();
    await row(codes[0]!).getByText("Promised to the customer / Customer moved it").waitFor();
    await expect.poll(async () => (await bits(duIds, slot, "frozen")).filter(Boolean)).toHaveLength(1);
    expect([...complaints, ...pd.complaints]).toEqual([]);
    await pd.context.close();
  });
});
