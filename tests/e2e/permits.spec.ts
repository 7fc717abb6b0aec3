import { describe, expect, it } from "vitest";
import { permitDusMax } from "#lib/rollout-plan/permits/limits.ts";
import { alive, expectAccessible, makeJourneyProject, picture, signIn, useJourney } from "../support/journey.ts";
import { makeDus } from "../support/plan-factories.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();
const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

describe("permits", () => {
  it.each([
    { lang: "zh", skin: "dark" },
  ] as const)("are applied for by at most 15 DUs from the batch menu, and answered in their list, in $lang [RPL-29]", {
    timeout: 180_000,
  }, async ({ lang, skin }) => {
    const number = `PERMIT-${lang.toUpperCase()}`;
    const projectId = await makeJourneyProject(journey.owner, number);
    const codes = Array.from({ length: permitDusMax + 1 }, (_, at) => `P-${String(at + 1).padStart(2, "0")}`);
    await makeDus(
      journey.owner,
      projectId,
      codes.map((code) => ({ code })),
    );
    const [t, plan, common, errors] = ["permits", "plan-grid", "common", "errors"].map((area) => textsOf(lang, area)) as [
      ReturnType<typeof textsOf>,
      ReturnType<typeof textsOf>,
      ReturnType<typeof textsOf>,
      ReturnType<typeof textsOf>,
    ];
    const { page, context, complaints } = await signIn(journey, "pm", { lang, skin, to: `/${number}` });
    await alive(page);
    const cell = (code: string) => page.getByRole("gridcell", { name: code, exact: true });
    await cell("P-01").click();
    const openMenu = async () => {
      await page
        .getByRole("button", { name: plan("batch.menu"), exact: true })
        .last()
        .click();
      const item = page.getByRole("menuitem", { name: plan("entries.permit"), exact: true });
      await item.waitFor();
      return item;
    };

    // Sixteen are too many, and the menu says so.
    for (const code of codes) {
      await cell(code).click();
      await page.keyboard.press("Space");
    }
    await page.getByText(plan("selection.count", { count: 16 })).waitFor();
    let item = await openMenu();
    expect(await item.isDisabled()).toBe(true);
    expect(await item.getAttribute("title")).toBe(plan("batch.tooMany", { max: permitDusMax }));
    await page.keyboard.press("Escape");
    await cell("P-16").click();
    await page.keyboard.press("Space");
    await page.getByText(plan("selection.count", { count: 15 })).waitFor();
    item = await openMenu();
    await item.click();

    const dialog = page.getByRole("dialog", { name: t("title"), exact: true });
    await dialog.getByText(codes.slice(0, 15).join(", ")).waitFor();
    await dialog.getByRole("button", { name: t("submit"), exact: true }).click();
    await dialog.getByText(errors("REASON_REQUIRED")).waitFor();
    await dialog.getByRole("combobox", { name: new RegExp(`^${t("kindLabel")}`) }).click();
    await page.getByRole("option", { name: t("kind.road"), exact: true }).click();
    await dialog.getByRole("textbox", { name: new RegExp(`^${common("reason")}`) }).fill("Crane on the road");
    await expectAccessible(page);
    await picture(page, `permit-${skin}-${lang}`);
    await dialog.getByRole("button", { name: t("submit"), exact: true }).click();
    await dialog.waitFor({ state: "hidden" });
    const permits = async () =>
      journey.owner`select kind, status, reason, cardinality(du_ids) as dus, answered_on, remark from permit_application where project_id = ${projectId}`;
    const applied = { kind: "road", status: "submitted", reason: "Crane on the road", dus: 15, answered_on: null, remark: null };
    expect(await permits()).toEqual([applied]);

    // The list of the chosen DUs.
    await page.getByRole("button", { name: plan("entries.permits"), exact: true }).click();
    const list = page.getByRole("dialog", { name: t("listTitle"), exact: true });
    const row = list.getByRole("row").filter({ hasText: "Crane on the road" });
    await row.getByText(t("status.submitted"), { exact: true }).waitFor();
    await expectAccessible(page);
    await picture(page, `permits-${skin}-${lang}`);
    await row.getByRole("checkbox").check();
    await list.getByRole("button", { name: t("answer"), exact: true }).click();
    const answer = page.getByRole("dialog", { name: t("answerTitle"), exact: true });
    await answer.getByRole("radio", { name: t("status.rejected"), exact: true }).check();
    await answer.getByRole("textbox", { name: new RegExp(`^${t("column.answeredOn")}`) }).fill(yesterday);
    await page.keyboard.press("Tab");
    await answer.getByRole("textbox", { name: new RegExp(`^${common("remark")}`) }).fill("Only at night");
    await expectAccessible(page);
    await picture(page, `permit-answer-${skin}-${lang}`);
    await answer.getByRole("button", { name: t("answer"), exact: true }).click();
    await row.getByText(t("status.rejected"), { exact: true }).waitFor();
    expect(await permits()).toEqual([{ ...applied, status: "rejected", answered_on: yesterday, remark: "Only at night" }]);
    // What is answered is not answered again.
    await row.getByRole("checkbox").check();
    expect(await list.getByRole("button", { name: t("answer"), exact: true }).isDisabled()).toBe(true);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
