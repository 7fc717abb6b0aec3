import "server-only";
import type { Sql } from "#db/client.ts";
import { projectToday } from "#lib/core/clock.ts";
import { href } from "#lib/core/href.ts";
import { notifyEach } from "../notices/commands.ts";
import type { MailStatus } from "../outbox/limits.ts";

/** A mail that did not arrive, or of which nobody knows. */
export type TroubledMail = {
  projectId: number;
  kind: string;
  ruleId: number | null;
  responsibleId: number | null;
  subject: string;
  status: MailStatus;
};

/**
 * Tells people that mails failed: the project managers and who is responsible, once for each rule, or kind without rules, and day. That the fate of mails
 * is unknown is told to the managers. Who works for a company is not told of the mails of others: their subjects may name DUs.
 * @param incident names what left mails uncertain, where one event did; else it is told once a day
 */
export async function tellMailTrouble(
  sql: Sql,
  mails: readonly TroubledMail[],
  { now, incident }: { now: Date; incident?: string },
): Promise<void> {
  if (mails.length === 0) return;
  const ids = [...new Set(mails.map(({ projectId }) => projectId))];
  const projects = await sql<{ id: number; number: string; tzOffset: number; managers: number[] }[]>`
    select p.id, p.number, p.tz_offset_beijing as "tzOffset", array(
      select distinct m.user_id from project_member m join app_user u on u.id = m.user_id
      where m.project_id = p.id and m.role = 'PM' and u.active and u.kind <> 'subcontractor' and m.valid_from <= ${now}::date and (m.valid_to is null or m.valid_to >= ${now}::date)) as managers
    from project p where p.id = any(${ids}::bigint[]) order by p.id`;
  for (const project of projects) {
    const today = projectToday(now, project.tzOffset);
    const own = mails.filter(({ projectId }) => projectId === project.id);
    const link = href("mailLog", { query: { group: "trouble" } }, project.number);
    const failed = own.filter(({ status }) => status === "FAILED");
    const uncertain = own.filter(({ status }) => status === "UNCERTAIN");
    const [first] = uncertain;
    await notifyEach({ sql, project, now }, [
      ...failed.flatMap(({ kind, ruleId, responsibleId, subject }) =>
        [...new Set([...project.managers, ...(responsibleId === null ? [] : [responsibleId])])].map((userId) => ({
          userId,
          kind: "mail.failed",
          title: "reminders.notice.failed",
          params: { subject },
          link,
          event: `${ruleId ?? kind} ${today}`,
        })),
      ),
      ...(first
        ? project.managers.map((userId) => ({
            userId,
            kind: "mail.uncertain",
            title: "reminders.notice.uncertain",
            params: { count: uncertain.length },
            link,
            event: incident ?? today,
          }))
        : []),
    ]);
  }
}
