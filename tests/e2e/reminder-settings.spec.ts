import { describe, expect, it } from "vitest";
import { notify } from "#lib/reminders/notices/commands.ts";
import { alive, expectAccessible, languageCases, makeJourneyProject, picture, signIn, useJourney } from "../support/journey.ts";
import { makeAttribute, makeDus } from "../support/plan-factories.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();

describe("mails of a project", () => {
  it.each([languageCases[0]])("are set up, written by chosen DUs and told in the bell, in $lang [REM-03]", { timeout: 90_000 }, async ({
    lang,
    skin,
  }) => {
    const number = `REMSET-${lang.toUpperCase()}`;
    const projectId = await makeJourneyProject(journey.owner, number);
    const [pm] = await journey.owner<{ id: number }[]>`select id from app_user where account = 'pm'`;
    const equipment = await makeAttribute(journey.owner, projectId, { name: "Equipment account" });
    await makeDus(journey.owner, projectId, [
      { code: "E-01", ext: { [equipment.key]: "acc-1" } },
      { code: "E-02", ext: { [equipment.key]: "acc-2" } },
      { code: "E-03" },
    ]);
    await journey.owner`insert into mail_optout (project_id, kind, address, created_at) values (${projectId}, 'reminder', ${`${lang}@example.com`}, now())`;
    const [t, plan, shell] = ["reminders", "plan-grid", "shell"].map((area) => textsOf(lang, area)) as [
      ReturnType<typeof textsOf>,
      ReturnType<typeof textsOf>,
      ReturnType<typeof textsOf>,
    ];
    const { page, context, complaints } = await signIn(journey, "pm", { lang, skin, to: `/${number}/reminders/settings` });
    await alive(page);

    // How mails are sent: a wrong address is refused at its field.
    const reply = page.getByRole("textbox", { name: t("settings.replyTo") });
    await page.getByRole("textbox", { name: t("settings.senderName") }).fill("Roll-out team");
    await reply.fill("team@");
    await page.getByRole("combobox", { name: t("settings.equipment") }).click();
    await page.getByRole("option", { name: "Equipment account" }).click();
    const save = page.getByRole("button", { name: t("settings.save"), exact: true });
    await save.click();
    await expect.poll(() => reply.getAttribute("aria-invalid")).toBe("true");
    await reply.fill("team@example.com");
    await picture(page, `reminder-settings-${skin}-${lang}`);
    await save.click();
    await expect
      .poll(
        () =>
          journey.owner`select sender_name, reply_to, equipment_account_attr_id as attribute from rem_setting where project_id = ${projectId}`,
      )
      .toEqual([{ sender_name: "Roll-out team", reply_to: "team@example.com", attribute: equipment.id }]);

    // The words of a mail, with what it will look like.
    await page.getByRole("tab", { name: t("settings.tabs.templates") }).click();
    await page.getByRole("button", { name: t("settings.kind.DU_NOTIFICATION") }).click();
    const subject = page.getByRole("textbox", { name: new RegExp(`^${t("settings.subject")}`) });
    await subject.fill("{project}: {duCode}");
    await page.getByText(`${number} Journey ${number}: NJ-0001`, { exact: true }).waitFor();
    await page.getByRole("button", { name: t("settings.placeholder.days"), exact: true }).click();
    await expect.poll(() => page.getByRole("textbox", { name: new RegExp(`^${t("settings.body")}`) }).inputValue()).toContain("{days}");
    await expectAccessible(page);
    await picture(page, `mail-templates-${skin}-${lang}`);
    await save.click();
    await page.getByText(t("settings.own"), { exact: true }).waitFor();
    await page.getByRole("button", { name: t("settings.restore"), exact: true }).click();
    await page.getByText(t("settings.own"), { exact: true }).waitFor({ state: "detached" });

    // Who has declined mails gets them again.
    await page.getByRole("tab", { name: t("settings.tabs.optouts") }).click();
    await page.getByText(`${lang}@example.com`).waitFor();
    await picture(page, `mails-left-out-${skin}-${lang}`);
    await page.getByRole("button", { name: t("settings.takeBack"), exact: true }).click();
    await page.getByText(t("settings.declinedNone"), { exact: true }).waitFor();

    // Chosen DUs of the plan go to an address; the one without an equipment account stays away.
    await page.goto(`${journey.base}/${number}`);
    await alive(page);
    for (const code of ["E-01", "E-02", "E-03"]) {
      await page.getByRole("gridcell", { name: code, exact: true }).click();
      await page.keyboard.press("Space");
    }
    await page
      .getByRole("button", { name: plan("batch.menu"), exact: true })
      .last()
      .click();
    await page.getByRole("menuitem", { name: plan("entries.notify"), exact: true }).click();
    const dialog = page.getByRole("dialog", { name: t("notification.title"), exact: true });
    const to = dialog.getByLabel(new RegExp(`^${t("notification.addresses")}`));
    await to.fill("a@example.com;b@");
    // Away from every field: the next one would open its list.
    await dialog.getByRole("heading", { name: t("notification.title"), exact: true }).click();
    await dialog.getByText(t("notification.wrong", { count: 1, addresses: "b@" })).waitFor();
    await expectAccessible(page);
    await picture(page, `du-notification-${skin}-${lang}`);
    await dialog.getByRole("button", { name: t("notification.removeWrong"), exact: true }).click();
    await dialog.getByRole("button", { name: t("notification.send", { count: 3 }), exact: true }).click();
    await dialog.waitFor({ state: "hidden" });
    const mails = await journey.owner<{ to: string; text: string }[]>`
      select m.to_address as to, b.text from mail_outbox m join mail_body b on b.id = m.body_id where m.project_id = ${projectId}`;
    expect(mails.map((mail) => mail.to)).toEqual(["a@example.com"]);
    expect([...new Set(mails[0]!.text.match(/E-0\d/g))]).toEqual(["E-01", "E-02"]);

    // The bell hears of a notice as it is told, and leads to what it tells of.
    await page.getByRole("button", { name: shell("notices.bell", { count: 0 }), exact: true }).waitFor();
    await notify({ sql: journey.owner, project: { id: projectId }, now: new Date() }, [pm!.id], {
      kind: "mail.failed",
      title: "reminders.notice.failed",
      params: { subject: "Late sites" },
      link: `/${number}/reminders/mail-log?group=trouble`,
    });
    await page.getByRole("button", { name: shell("notices.bell", { count: 1 }), exact: true }).click();
    const line = page.getByRole("link").filter({ hasText: t("notice.failed", { subject: "Late sites" }) });
    await line.waitFor();
    await picture(page, `notices-${skin}-${lang}`);
    await line.click();
    await page.waitForURL(/mail-log\?group=trouble/);
    await page.getByRole("button", { name: shell("notices.bell", { count: 0 }), exact: true }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });
});
