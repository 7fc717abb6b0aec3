import "server-only";
import { createTranslator } from "use-intl/core";
import type { Sql } from "#db/client.ts";
import { env } from "#lib/core/env.ts";
import { href } from "#lib/core/href.ts";
import { asLocale, type Locale } from "#lib/core/locale.ts";
import { loadMessages } from "#lib/core/messages.ts";
import { notify } from "#lib/reminders/notices/commands.ts";
import { queueMails } from "#lib/reminders/outbox/commands.ts";
import { writeLetter } from "#lib/reminders/outbox/logic.ts";

type Params = Record<string, string | number>;
type NoticeCtx = { sql: Sql; project: { id: number; number: string }; now: Date };

/** Something about the pool people are told; its title is a text below `resources.notice`. */
type PoolNotice = {
  kind: "resource.introduction" | "resource.expiry";
  title: string;
  params: Params;
  /** Words as a person wrote them. */
  body?: string | null | undefined;
  /** Lines of the mail: who, what ends, and when. */
  facts?: { what: string; kind: string; day: string }[];
  event: string;
};

const texts = (lang: Locale) =>
  createTranslator({ locale: lang, messages: loadMessages(lang), namespace: "resources", onError: () => {} }) as unknown as (
    key: string,
    values?: Params,
  ) => string;

/** Tells people something about the pool, in their bell and by mail, in the transaction of its event; the same event once. */
export async function tellResources(ctx: NoticeCtx, userIds: readonly number[], notice: PoolNotice): Promise<void> {
  if (userIds.length === 0) return;
  const { sql, project } = ctx;
  const { kind, title, params, body, facts = [], event } = notice;
  const link = href("resourcePool", {}, project.number);
  await notify(ctx, userIds, { kind, title: `resources.notice.${title}`, params, body, link, event });
  const people = await sql<{ id: number; name: string; email: string; language: string | null }[]>`
    select id, name, email, language from app_user where id = any(${[...new Set(userIds)]}::bigint[]) and active`;
  await queueMails(
    ctx,
    people.map(({ id, name, email, language }) => {
      const lang = asLocale(language) ?? "zh";
      const t = texts(lang);
      const subject = t(`notice.${title}`, params);
      return {
        kind,
        event: `${event} ${id}`,
        to: { userId: id, address: email, name, lang },
        subject,
        ...writeLetter(
          {
            title: subject,
            facts: facts.map(({ what, kind: ends, day }): [string, string] => [what, `${t(`notice.kind.${ends}`)} · ${day}`]),
            paragraphs: body ? [t("notice.reason", { reason: body })] : [],
            links: [{ label: t("notice.open"), href: new URL(link, env().AUTH_URL).href }],
            foot: t("notice.foot", { number: project.number }),
          },
          lang,
        ),
      };
    }),
  );
}
