import "server-only";
import { createTranslator } from "use-intl/core";
import type { Ctx } from "#lib/core/ctx.ts";
import { env } from "#lib/core/env.ts";
import { href } from "#lib/core/href.ts";
import { asLocale, type Locale } from "#lib/core/locale.ts";
import { loadMessages } from "#lib/core/messages.ts";
import { notifyEach } from "#lib/reminders/notices/commands.ts";
import { queueMails } from "#lib/reminders/outbox/commands.ts";
import { writeLetter } from "#lib/reminders/outbox/logic.ts";
import { mailLinesMax } from "./limits.ts";
import { type Addressee, listAddressees, listAnswerers } from "./queries.ts";

type MailCtx = Pick<Ctx, "sql" | "project" | "now" | "today">;

const texts = (lang: Locale) =>
  createTranslator({
    locale: lang,
    messages: loadMessages(lang),
    namespace: "plan-versions.distributionMail",
    onError: () => {},
  }) as unknown as (key: string, values?: Record<string, string | number>) => string;

/**
 * Writes to the recipients of distributions: to members and people of companies with the address of their list, to addresses outside with the workbook.
 * @returns number of mails made
 */
export async function mailDistributions(ctx: MailCtx, ids: readonly number[], { kind }: { kind: "sent" | "reminder" }): Promise<number> {
  if (ids.length === 0) return 0;
  const people = await listAddressees(ctx, ids);
  await notifyEach(
    ctx,
    people.flatMap((person) =>
      person.userId === null
        ? []
        : {
            userId: person.userId,
            kind: `planDistribution.${kind}`,
            title: `plan-versions.distributionMail.${kind}Title`,
            params: { version: person.versionName },
            body: person.message,
            link: href("planDistributions", {}, ctx.project.number),
            event: `${person.distributionId} ${kind === "sent" ? "" : ctx.now.toISOString()}`,
          },
    ),
  );
  return queueMails(
    ctx,
    people.map((person) => ({
      kind: kind === "sent" ? ("planDistribution.sent" as const) : ("planDistribution.reminder" as const),
      event: `${person.distributionId} ${kind === "sent" ? "" : ctx.now.toISOString()} ${person.userId ?? person.address}`,
      to: {
        userId: person.userId,
        address: person.address,
        lang: asLocale(person.lang) ?? "zh",
        ...(person.name && { name: person.name }),
      },
      attachmentIds: person.fileId ? [person.fileId] : [],
      ...letterOf(ctx, person, kind),
    })),
  );
}

function letterOf({ project }: MailCtx, person: Addressee, kind: "sent" | "reminder") {
  const lang = asLocale(person.lang) ?? "zh";
  const t = texts(lang);
  const title = t(`${kind}Title`, { version: person.versionName });
  const outside = person.userId === null;
  return {
    subject: title,
    ...writeLetter(
      {
        title,
        facts: [
          [t("version"), `${person.versionCode} ${person.versionName}`],
          [t("part"), t("counts", { dus: person.dus, activities: person.activities })],
          ...(person.dueDate ? [[t("due"), person.dueDate] as [string, string]] : []),
        ],
        paragraphs: [t(outside ? "askOutside" : "ask"), ...(person.message ? [person.message] : [])],
        links: outside ? [] : [{ label: t("open"), href: screenUrl(project.number) }],
        foot: t("foot", { number: project.number, name: person.sender }),
      },
      lang,
    ),
  };
}

const screenUrl = (number: string): string => new URL(href("planDistributions", {}, number), env().AUTH_URL).href;

/** Tells those who answered that their proposals were refused, one mail for each of them. */
export async function mailRefusals(ctx: MailCtx & Pick<Ctx, "user">, feedbackIds: readonly number[], comment: string): Promise<void> {
  const rows = (await listAnswerers(ctx, feedbackIds)).filter(({ userId }) => userId !== ctx.user.id);
  await notifyEach(
    ctx,
    [...Map.groupBy(rows, ({ userId }) => userId)].flatMap(([userId, list]) =>
      userId === null
        ? []
        : {
            userId,
            kind: "planFeedback.refused",
            title: "plan-versions.distributionMail.refusedTitle",
            params: { count: list.length },
            body: comment,
            link: href("planDistributions", {}, ctx.project.number),
            event: `${list.map(({ id }) => id).join()} ${ctx.now.toISOString()}`,
          },
    ),
  );
  await queueMails(
    ctx,
    [...Map.groupBy(rows, ({ address }) => address).values()].map((list) => {
      const { userId, address, name } = list[0]!;
      const lang = asLocale(list[0]!.lang) ?? "zh";
      const t = texts(lang);
      const title = t("refusedTitle", { count: list.length });
      const more = list.length - mailLinesMax;
      return {
        kind: "planFeedback.refused" as const,
        event: `${list.map(({ id }) => id).join()} ${ctx.now.toISOString()}`,
        to: { userId, address, lang, ...(name && { name }) },
        duIds: list.flatMap(({ duId }) => duId ?? []),
        subject: title,
        ...writeLetter(
          {
            title,
            facts: list.slice(0, mailLinesMax).map(({ du, activity, proposal }): [string, string] => [du, `${activity} · ${proposal}`]),
            paragraphs: [t("reason", { comment }), ...(more > 0 ? [t("more", { count: more })] : [])],
            links: userId === null ? [] : [{ label: t("open"), href: screenUrl(ctx.project.number) }],
            foot: t("foot", { number: ctx.project.number, name: ctx.user.name }),
          },
          lang,
        ),
      };
    }),
  );
}
