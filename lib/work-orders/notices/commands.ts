import "server-only";
import { createTranslator } from "use-intl/core";
import type { Sql } from "#db/client.ts";
import { env } from "#lib/core/env.ts";
import { formatRange } from "#lib/core/format.ts";
import { href } from "#lib/core/href.ts";
import type { Locale } from "#lib/core/locale.ts";
import { loadMessages } from "#lib/core/messages.ts";
import { notifyEach } from "#lib/reminders/notices/commands.ts";
import { queueMails } from "#lib/reminders/outbox/commands.ts";
import { writeLetter } from "#lib/reminders/outbox/logic.ts";
import { type NoticeKind, noticeLinesMax, noticePlacesMax } from "./limits.ts";
import { type NoticePlace, type PlaceLabel, placeKey, readPlaceLabels, readReceivers, readSeen } from "./queries.ts";

/** One thing somebody is to be told. */
export type Notice = NoticePlace & { userId: number; kind: NoticeKind };

/** Text of the area in a language, for mails. */
export function orderTexts(lang: Locale) {
  return createTranslator({
    locale: lang,
    messages: loadMessages(lang),
    namespace: "work-orders",
    onError: () => {},
  }) as unknown as (key: string, values?: Record<string, string | number>) => string;
}

/** Name and value of a place in the list of a mail. */
export const placeFact = ({ number, duCode, activity, planStart, planEnd }: PlaceLabel): [string, string] => [
  number === null ? duCode : `#${number} ${duCode}`,
  [activity, formatRange(planStart, planEnd)].filter(Boolean).join(" · "),
];

const screenOf = (kind: NoticeKind) => (kind.startsWith("na") ? "electronicFlows" : "rolloutPlan");

/**
 * Tells people what became of their orders and requests: one mail and one notice for each person and kind, in the transaction of the event.
 * @param event names the event; the same one tells nobody twice
 * @param actorId who did it and need not be told
 */
export async function tellPeople(
  ctx: { sql: Sql; project: { id: number; number: string }; now: Date },
  notices: readonly Notice[],
  { event, actorId, reason }: { event: string; actorId: number | null; reason?: string | null | undefined },
): Promise<void> {
  const others = notices.filter(({ userId }) => userId !== actorId);
  if (others.length === 0) return;
  const seen = await readSeen(ctx.sql, others);
  const heard = others.filter(({ userId, duId }) => seen.has(`${userId} ${duId}`));
  const [people, labels] = await Promise.all([
    readReceivers(
      ctx.sql,
      heard.map(({ userId }) => userId),
    ),
    readPlaceLabels(ctx, heard),
  ]);
  const mails = Map.groupBy(heard, ({ userId, kind }) => `${userId} ${kind}`);
  await notifyEach(
    ctx,
    [...mails.values()].map((list) => {
      const { userId, kind } = list[0]!;
      const places = list.slice(0, noticePlacesMax).flatMap((place) => labels.get(placeKey(place)) ?? []);
      return {
        userId,
        kind: "workOrder.step",
        title: `work-orders.mail.${kind}`,
        params: { count: list.length },
        body: [...places.map((place) => placeFact(place).join(" · ")), ...(reason ? [reason] : [])].join("\n"),
        link: href(screenOf(kind), {}, ctx.project.number),
        event: `${event} ${kind}`,
      };
    }),
  );
  await queueMails(
    ctx,
    [...mails.values()].flatMap((list) => {
      const { userId, kind } = list[0]!;
      const person = people.get(userId);
      if (!person) return [];
      const t = orderTexts(person.lang);
      const places = list.flatMap((place) => labels.get(placeKey(place)) ?? []);
      const title = t(`mail.${kind}`, { count: list.length });
      const more = places.length - noticeLinesMax;
      return {
        kind: "workOrder.step" as const,
        event: `${event} ${kind} ${userId}`,
        to: { userId, address: person.email, name: person.name, lang: person.lang },
        duIds: list.map(({ duId }) => duId),
        subject: title,
        ...writeLetter(
          {
            title,
            facts: places.slice(0, noticeLinesMax).map(placeFact),
            paragraphs: [...(reason ? [t("mail.reason", { reason })] : []), ...(more > 0 ? [t("mail.more", { count: more })] : [])],
            links: [{ label: t("mail.open"), href: new URL(href(screenOf(kind), {}, ctx.project.number), env().AUTH_URL).href }],
            foot: t("mail.foot", { number: ctx.project.number }),
          },
          person.lang,
        ),
      };
    }),
  );
}
