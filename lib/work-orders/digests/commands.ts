import "server-only";
import type { Sql } from "#db/client.ts";
import { projectToday } from "#lib/core/clock.ts";
import { env } from "#lib/core/env.ts";
import { href } from "#lib/core/href.ts";
import { queueMails } from "#lib/reminders/outbox/commands.ts";
import { writeLetter } from "#lib/reminders/outbox/logic.ts";
import { orderTexts, placeFact } from "../notices/commands.ts";
import { noticeLinesMax } from "../notices/limits.ts";
import { readReceivers } from "../notices/queries.ts";
import { listDueOrders } from "./queries.ts";

/**
 * The daily mail to everybody who has orders that are due: one for each person, and none where nothing is.
 * @returns number of mails made
 */
export async function sendDigests(sql: Sql, projectId: number, now: Date): Promise<number> {
  const [project] = await sql<{ id: number; number: string; tzOffset: number }[]>`
    select id, number, tz_offset_beijing as "tzOffset" from project where id = ${projectId}`;
  if (!project) return 0;
  const today = projectToday(now, project.tzOffset);
  const orders = await listDueOrders(sql, projectId, today, now);
  const people = await readReceivers(
    sql,
    orders.map(({ userId }) => userId),
  );
  const mails = [...Map.groupBy(orders, ({ userId }) => userId)].flatMap(([userId, list]) => {
    const person = people.get(userId);
    if (!person) return [];
    const t = orderTexts(person.lang);
    const title = t("digest.title", { count: list.length });
    const facts = list.slice(0, noticeLinesMax).map((order): [string, string] => {
      const [name, value] = placeFact(order);
      return [name, `${value} · ${t(`digest.${order.cause}`)}`];
    });
    const more = list.length - noticeLinesMax;
    return {
      kind: "workOrder.digest" as const,
      event: `${project.id} ${today}`,
      to: { userId, address: person.email, name: person.name, lang: person.lang },
      duIds: list.map(({ duId }) => duId),
      subject: title,
      ...writeLetter(
        {
          title,
          facts,
          paragraphs: more > 0 ? [t("mail.more", { count: more })] : [],
          links: [{ label: t("mail.open"), href: new URL(href("rolloutPlan", {}, project.number), env().AUTH_URL).href }],
          foot: t("mail.foot", { number: project.number }),
        },
        person.lang,
      ),
    };
  });
  return queueMails({ sql, project, now }, mails);
}
