import "server-only";
import { createTranslator } from "use-intl/core";
import { type Pool, type Sql, transaction } from "#db/client.ts";
import { unattendedFrame, writeAudit } from "#lib/core/audit.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { env } from "#lib/core/env.ts";
import { formatMoment } from "#lib/core/format.ts";
import { forgetRights } from "#lib/core/gate.ts";
import { href } from "#lib/core/href.ts";
import { asLocale, type Locale } from "#lib/core/locale.ts";
import { log } from "#lib/core/log.ts";
import { loadMessages } from "#lib/core/messages.ts";
import { checkRules, type Rule } from "#lib/core/rule.ts";
import { removeBytes } from "#lib/core/storage.ts";
import { notify } from "#lib/reminders/notices/commands.ts";
import { queueMail } from "#lib/reminders/outbox/commands.ts";
import { writeLetter } from "#lib/reminders/outbox/logic.ts";
import { dueWarning, eraseMoment, personalLimit } from "./logic.ts";
import { type ClosingState, getClosing, listForgotten } from "./queries.ts";
import { type ClosingFacts, closeRules, reopenRules } from "./rules.ts";

async function change(ctx: Ctx, confirm: string, rules: readonly Rule<ClosingFacts>[], status: "active" | "closed"): Promise<ClosingState> {
  const { sql, project, now } = ctx;
  const [row] = await sql<Omit<ClosingFacts, "number" | "confirm">[]>`
    select status, erased_at as "erasedAt" from project where id = ${project.id} for update`;
  checkRules(rules, { ...(row as NonNullable<typeof row>), number: project.number, confirm });
  await sql`
    update project set status = ${status}, closed_at = ${status === "closed" ? now : null}, row_version = row_version + 1 where id = ${project.id}`;
  ctx.audit(`project ${project.number}`, { status: row?.status }, { status }, status === "closed" ? "project_closed" : "project_reopened");
  ctx.afterCommit(forgetRights);
  return getClosing(ctx);
}

/** Closes the project: it can only be read from now on, and a month later its network data is deleted. */
export function closeProject(ctx: Ctx, { confirm }: { confirm: string }): Promise<ClosingState> {
  return change(ctx, confirm, closeRules, "closed");
}

/** Opens a closed project again, as long as its data is there. */
export function reopenProject(ctx: Ctx, { confirm }: { confirm: string }): Promise<ClosingState> {
  return change(ctx, confirm, reopenRules, "active");
}

type Closed = { id: number; number: string; name: string; tzOffset: number; closedAt: Date };

/** The daily run of retention in a project: warns, deletes what is due, and replaces personal data nobody has used for five years. Harmless twice. */
export async function runRetention(pool: Pool, projectId: number, now: Date): Promise<void> {
  const [closed] = await pool<Closed[]>`
    select id, number, name, tz_offset_beijing as "tzOffset", closed_at as "closedAt" from project
    where id = ${projectId} and status = 'closed' and erased_at is null and closed_at is not null`;
  if (closed) {
    const days = dueWarning(closed.closedAt, now);
    if (days !== null) await transaction(pool, (sql) => warnManagers(sql, closed, days, now));
    else if (eraseMoment(closed.closedAt) <= now) await eraseProject(pool, closed, now);
  }
  await eraseForgotten(pool, now);
}

async function eraseProject(pool: Pool, project: Closed, now: Date): Promise<void> {
  const files = await transaction(pool, async (sql) => {
    const [row] = await sql<
      { erased: { counts: Record<string, number>; files: string[] } }[]
    >`select erase_project(${project.id}) as erased`;
    const { counts, files: ids } = row?.erased ?? { counts: {}, files: [] };
    await writeAudit(
      sql,
      [{ object: `project ${project.number}`, before: counts, after: null, event: "erased" }],
      unattendedFrame("retention", project.id, now),
    );
    return ids;
  });
  log.info({ project: project.number, files: files.length }, "network data of a closed project deleted");
  // What is left of the contents after a crash here belongs to no row and goes with the daily sweep.
  await removeBytes(files);
}

const erasedAddress = "removed@localhost";
/** Tables whose rows are a person's own and go with him. */
const ownTables = [
  "user_session",
  "user_setting",
  "api_token",
  "notice",
  "notice_ack",
  "user_recent_project",
  "user_identity",
  "feed_token",
  "mail_optout",
] as const;

/** Replaces what names a person by a number, in the audit log too; the rows that refer to the account stay. */
async function eraseForgotten(pool: Pool, now: Date): Promise<void> {
  await transaction(pool, async (sql) => {
    await sql`select pg_advisory_xact_lock(hashtext('personal data'))`;
    const ids = await listForgotten(sql, now);
    if (ids.length === 0) return;
    await sql`select forget_in_audit_log(${ids}::bigint[], ${personalLimit(now)})`;
    const held = await sql<{ address: string }[]>`select distinct lower(email) as address from app_user where id = any(${ids}::bigint[])`;
    await sql`
      update app_user set account = 'removed-' || id, name = 'removed user ' || id, email = 'removed-' || id || '@localhost', employee_id = null, password_hash = null,
        dpa_expires_on = null, manager_id = null, active = false, erased_at = ${now}, row_version = row_version + 1
      where id = any(${ids}::bigint[])`;
    for (const table of ownTables) await sql`delete from ${sql(table)} where user_id = any(${ids}::bigint[])`;
    await sql`
      update resource set phone = null, longitude = null, latitude = null, visa_type = null, visa_start = null, visa_end = null, row_version = row_version + 1
      where user_id = any(${ids}::bigint[])`;
    await sql`update cross_border_consent set ip = null where user_id = any(${ids}::bigint[])`;
    await sql`update mail_outbox set to_address = ${erasedAddress}, to_name = null, last_error = null where to_user_id = any(${ids}::bigint[])`;
    await eraseAddresses(
      sql,
      held.map(({ address }) => address),
    );
    await writeAudit(
      sql,
      [{ object: "personal data", before: { accounts: ids.length }, after: null, event: "erased" }],
      unattendedFrame("retention", null, now),
    );
  });
}

/** Removes mail addresses that no account has any more from where they stand by themselves. */
async function eraseAddresses(sql: Sql, addresses: readonly string[]): Promise<void> {
  const rows = await sql<{ address: string }[]>`
    select address from unnest(${addresses as string[]}::text[]) as given(address)
    where not exists (select 1 from app_user u where lower(u.email) = given.address)`;
  const gone = rows.map(({ address }) => address);
  await sql`delete from mail_address where address = any(${gone}::text[])`;
  await sql`delete from mail_optout where lower(address) = any(${gone}::text[])`;
  await sql`
    update mail_outbox set to_address = ${erasedAddress}, to_name = null, last_error = null
    where lower(to_address) = any(${gone}::text[]) and status not in ('QUEUED', 'SENDING', 'RETRY')`;
  await sql`update plan_distribution set email = ${erasedAddress} where lower(email) = any(${gone}::text[])`;
}

async function warnManagers(sql: Sql, project: Closed, days: number, now: Date): Promise<void> {
  const managers = await sql<{ id: number; name: string; email: string; language: string | null }[]>`
    select distinct u.id, u.name, u.email, u.language from project_member m join app_user u on u.id = m.user_id
    where m.project_id = ${project.id} and m.role = 'PM' and u.active and (m.valid_to is null or m.valid_to >= ${now}::date)`;
  const event = `${project.id} ${project.closedAt.toISOString()} ${days}`;
  await notify(
    { sql, project, now },
    managers.map(({ id }) => id),
    {
      kind: "project.closing",
      title: "settings.closing.mail.title",
      params: { days },
      link: href("dataControl", {}, project.number),
      event,
    },
  );
  for (const { id, name, email, language } of managers) {
    const lang = asLocale(language) ?? "zh";
    await queueMail(
      { sql, project, now },
      {
        kind: "project.closing",
        event,
        to: { userId: id, address: email, name, lang },
        ...warning(project, days, lang),
      },
    );
  }
}

function warning(project: Closed, days: number, lang: Locale): { subject: string; html: string; text: string } {
  const t = createTranslator({ locale: lang, messages: loadMessages(lang), namespace: "settings", onError: () => {} }) as unknown as (
    key: string,
    values?: Record<string, string | number>,
  ) => string;
  const name = `${project.number} ${project.name}`;
  const title = t("closing.mail.title", { days });
  const address = (key: "rolloutPlan" | "dataControl") => new URL(href(key, {}, project.number), env().AUTH_URL).href;
  return {
    subject: title,
    ...writeLetter(
      {
        title,
        paragraphs: [t("closing.mail.text", { project: name, time: formatMoment(eraseMoment(project.closedAt), project.tzOffset) })],
        links: [
          { label: t("closing.mail.export"), href: address("rolloutPlan") },
          { label: t("closing.mail.reopen"), href: address("dataControl") },
        ],
        foot: t("closing.mail.foot", { project: name }),
      },
      lang,
    ),
  };
}
