import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Locale } from "#lib/core/locale.ts";
import { type NewMail, queueMail } from "#lib/reminders/outbox/commands.ts";
import { unsubscribeToken } from "#lib/reminders/outbox/queries.ts";
import { secrets } from "../../scripts/secrets.mjs";
import { expectAccessible, makeJourneyProject, picture, signIn, useJourney } from "../support/journey.ts";
import { ownLane } from "../support/lane.ts";
import { testData } from "../support/server.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();
const number = "MAILS";
let projectId: number;
let pmId: number;

const subjects: Record<Locale, string[]> = {
  zh: ["导入：站点计划.xlsx：已完成", "导入：DU 清单.xlsx：部分完成", "导出：交付计划：已完成", "导入：站点.csv：失败"],
  en: [
    "Import: site plan.xlsx: Succeeded",
    "Import: DU list.xlsx: Partly done",
    "Export: rollout plan: Succeeded",
    "Import: sites.csv: Failed",
  ],
  ja: [
    "インポート：サイト計画.xlsx：成功",
    "インポート：DU 一覧.xlsx：一部完了",
    "エクスポート：計画：成功",
    "インポート：サイト.csv：失敗",
  ],
};
const states = ["SENT", "UNCERTAIN", "QUEUED", "FAILED"];

beforeAll(async () => {
  projectId = await makeJourneyProject(journey.owner, number);
  const [pm] = await journey.owner<{ id: number }[]>`select id from app_user where account = 'pm'`;
  pmId = pm!.id;
});

async function makeMails(lang: Locale): Promise<void> {
  await journey.owner`delete from mail_outbox where project_id = ${projectId}`;
  for (const [index, subject] of subjects[lang].entries()) {
    const mail: NewMail = {
      kind: "task.result",
      event: randomUUID(),
      to: { userId: pmId, address: `planner${index}@example.com`, name: "Planner", lang },
      subject,
      html: "<p>x</p>",
      text: `${subject}\n\n1,200 / 3`,
    };
    await queueMail({ sql: journey.owner, project: { id: projectId, number }, now: new Date(Date.now() - index * 60_000) }, mail);
  }
  await journey.owner`
    update mail_outbox m set status = s.status, attempts = s.attempts, last_error = s.error, sent_at = case when s.status = 'SENT' then now() end
    from (values ('planner0@example.com', 'SENT', 1, null), ('planner1@example.com', 'UNCERTAIN', 1, 'workerLost'),
      ('planner3@example.com', 'FAILED', 6, '550 5.1.1 no such mailbox')) as s(address, status, attempts, error)
    where m.project_id = ${projectId} and m.to_address = s.address`;
}

describe("the mail log", () => {
  it.each([
    { lang: "zh", skin: "light" },
    { lang: "ja", skin: "dark" },
  ] as const)("shows in $lang what became of every mail; what failed is sent again, what waits is taken back", async ({ lang, skin }) => {
    await makeMails(lang);
    const t = textsOf(lang, "reminders");
    const { page, context, complaints } = await signIn(journey, "pm", { lang, skin, to: `/${number}/reminders/mail-log` });
    await page.getByText(t("log.stored")).waitFor();
    for (const state of states)
      await page
        .getByText(t(`status.${state}`), { exact: true })
        .first()
        .waitFor();
    await expectAccessible(page);
    await picture(page, `mail-log-${skin}-${lang}`);

    // A mail shows its words; an uncertain one is sent again by a person only, who is told what may happen.
    await page.getByText(`[${number}] ${subjects[lang][1]}`).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("1,200 / 3").waitFor();
    await dialog.getByText(t("reason.workerLost")).waitFor();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: t("action.resend", { count: 1 }), exact: true }).click();
    await page.getByText(t("confirm.resendText")).waitFor();
    await page.getByRole("button", { name: t("confirm.resendTitle", { count: 1 }), exact: true }).click();
    await page.getByText(t("done.resent", { count: 1 })).waitFor();
    await page.keyboard.press("Escape");

    // Both that wait now are taken back together.
    await page.getByRole("button", { name: new RegExp(`^${t("group.waiting")}`) }).click();
    await page.getByText(t("status.FAILED"), { exact: true }).waitFor({ state: "detached" });
    await page.getByRole("checkbox").first().check();
    await page.getByRole("button", { name: t("action.cancel", { count: 2 }), exact: true }).click();
    await page.getByRole("button", { name: t("confirm.cancelTitle", { count: 2 }), exact: true }).click();
    await page.getByRole("heading", { name: textsOf(lang, "ui")("table.empty") }).waitFor();
    const rows =
      await journey.owner`select status, count(*)::int as count from mail_outbox where project_id = ${projectId} group by 1 order by 1`;
    expect(rows).toEqual([
      { status: "CANCELLED", count: 2 },
      { status: "FAILED", count: 1 },
      { status: "SENT", count: 1 },
    ]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("is declined by the link of a mail: opening asks, the button declines", async () => {
    Object.assign(process.env, secrets(join(testData, ownLane().name)), { DATABASE_URL: ownLane().ownerUrl });
    const token = unsubscribeToken({ projectId, kind: "reminder", userId: pmId, address: null });
    const t = textsOf("en", "reminders");
    const context = await journey.browser.newContext();
    const page = await context.newPage();
    const values = { kind: t("kind.reminder"), project: `${number} Journey ${number}` };
    // A mail program that opens the address of the header comes to the same page.
    await page.goto(`${journey.base}/api/mail/unsubscribe/${token}?lang=en`);
    await page.goto(`${journey.base}/unsubscribe/${token}?lang=en`);
    await page.getByRole("heading", { name: t("unsubscribe.question", values) }).waitFor();
    await expectAccessible(page);
    expect(await journey.owner`select 1 from mail_optout where project_id = ${projectId}`).toHaveLength(0);
    await page.getByRole("button", { name: t("unsubscribe.verb") }).click();
    await page.getByRole("heading", { name: t("unsubscribe.done", values) }).waitFor();
    await expect.poll(() => journey.owner`select kind from mail_optout where project_id = ${projectId}`).toEqual([{ kind: "reminder" }]);
    await page.goto(`${journey.base}/unsubscribe/made-up?lang=en`);
    await page.getByRole("heading", { name: t("unsubscribe.gone") }).waitFor();
    await context.close();
  });
});
