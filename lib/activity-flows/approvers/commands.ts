import "server-only";
import { createTranslator } from "use-intl/core";
import type { Ctx } from "#lib/core/ctx.ts";
import { env } from "#lib/core/env.ts";
import { href } from "#lib/core/href.ts";
import { loadMessages } from "#lib/core/messages.ts";
import { notifyEach } from "#lib/reminders/notices/commands.ts";
import { queueMails } from "#lib/reminders/outbox/commands.ts";
import { writeLetter } from "#lib/reminders/outbox/logic.ts";
import { readReceivers, readSeen } from "#lib/work-orders/notices/queries.ts";
import { type ChangeNotice, noticeDusMax } from "./limits.ts";
import { changeCode } from "./logic.ts";

/** A change as a mail tells of it. */
export type ToldChange = {
  id: number;
  number: number;
  kind: "change" | "unbind";
  reason: string;
  submitterName: string;
  dus: { id: number; code: string; oldFlow: string; newFlow: string | null }[];
};

/** Somebody who is to be told; `event` tells repeated notices of one kind apart. */
export type Told = { userId: number; notice: ChangeNotice; event?: string | number; comment?: string | null };

/** Notices to whoever asked for the change; the others are to those who decide it. */
const answers: readonly ChangeNotice[] = ["done", "partlyDone", "rejected", "withdrawn"];

/** Tells people by mail and in the product what became of a change, in the transaction of the event; nobody is told of what he did himself. */
export async function tellOfChange(ctx: Ctx, change: ToldChange, told: readonly Told[]): Promise<void> {
  const heard = told.filter(({ userId }) => userId !== ctx.user.id);
  if (heard.length === 0) return;
  const people = await readReceivers(
    ctx.sql,
    heard.map(({ userId }) => userId),
  );
  const seen = await readSeen(
    ctx.sql,
    heard.flatMap(({ userId }) => change.dus.map(({ id }) => ({ userId, duId: id }))),
  );
  const dusOf = (userId: number) => change.dus.filter(({ id }) => seen.has(`${userId} ${id}`));
  const code = changeCode(change.number);
  const pathOf = (notice: ChangeNotice) =>
    href(answers.includes(notice) ? "duChanges" : "approveDuChanges", { query: { change: change.id } }, ctx.project.number);
  await notifyEach(
    ctx,
    heard.map(({ userId, notice, event = "", comment }) => ({
      userId,
      kind: "duChange.step",
      title: `flow-changes.mail.${notice}`,
      params: { code, count: dusOf(userId).length },
      body: comment || `${change.submitterName}: ${change.reason}`,
      link: pathOf(notice),
      event: `${change.id} ${notice} ${event}`,
    })),
  );
  await queueMails(
    ctx,
    heard.flatMap(({ userId, notice, event = "", comment }) => {
      const person = people.get(userId);
      if (!person) return [];
      const t = createTranslator({
        locale: person.lang,
        messages: loadMessages(person.lang),
        namespace: "flow-changes",
        onError: () => {},
      }) as unknown as (key: string, values?: Record<string, string | number>) => string;
      const dus = dusOf(userId);
      const title = t(`mail.${notice}`, { code, count: dus.length });
      const more = dus.length - noticeDusMax;
      return {
        kind: "duChange.step" as const,
        event: `${change.id} ${notice} ${event} ${userId}`,
        to: { userId, address: person.email, name: person.name, lang: person.lang },
        duIds: dus.map(({ id }) => id),
        subject: title,
        ...writeLetter(
          {
            title,
            facts: dus
              .slice(0, noticeDusMax)
              .map(
                ({ code: du, oldFlow, newFlow }) =>
                  [du, newFlow === null ? t("mail.unbind", { oldFlow }) : `${oldFlow} → ${newFlow}`] as const,
              ),
            paragraphs: [
              t("mail.reason", { name: change.submitterName, reason: change.reason }),
              ...(comment ? [t("mail.comment", { comment })] : []),
              ...(more > 0 ? [t("mail.more", { count: more })] : []),
            ],
            links: [{ label: t("mail.open"), href: new URL(pathOf(notice), env().AUTH_URL).href }],
            foot: t("mail.foot", { number: ctx.project.number }),
          },
          person.lang,
        ),
      };
    }),
  );
}
