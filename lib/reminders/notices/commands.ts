import "server-only";
import { createHash } from "node:crypto";
import type { Sql } from "#db/client.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import type { Params } from "#lib/core/error.ts";
import type { Messages } from "#lib/core/message-tree.ts";
import { loadMessages } from "#lib/core/messages.ts";
import { noticeBodyChars, noticeKeepDays, noticeLinkChars } from "./limits.ts";
import { countUnread } from "./queries.ts";

/** Something somebody is told inside the product. */
export type NewNotice = {
  /** What it is about, as kinds of mails are named: `workOrder.step`. */
  kind: string;
  /** Key of its title in the texts: `work-orders.mail.dispatched`. It is read in the language of whoever opens it. */
  title: string;
  params?: Params;
  /** Words as a person wrote them. */
  body?: string | null | undefined;
  /** Where it leads: an address of `href()`. */
  link?: string | null;
  /** The event it tells of: the same kind and event is told to nobody twice. */
  event?: string | number | null;
};

type NoticeCtx = { sql: Sql; project: { id: number }; now: Date };

/**
 * Tells active people something, in the transaction of its event: their bells show it once that has committed.
 * @returns number of notices made
 * @throws when the title is no key of the texts
 */
export function notify(ctx: NoticeCtx, userIds: readonly number[], notice: NewNotice): Promise<number> {
  return notifyEach(
    ctx,
    [...new Set(userIds)].map((userId) => ({ userId, ...notice })),
  );
}

/**
 * As `notify`, with a notice of his own for each person, in one statement.
 * @returns number of notices made
 */
export async function notifyEach({ sql, project, now }: NoticeCtx, notices: readonly (NewNotice & { userId: number })[]): Promise<number> {
  if (notices.length === 0) return 0;
  const rows = notices.map(({ userId, kind, title, params, body, link, event }) => {
    if (!isText(title)) throw new Error(`no text ${title}`);
    return {
      userId,
      kind,
      title,
      params: params ?? {},
      body: body ? [...body].slice(0, noticeBodyChars).join("") : null,
      link: link && link.length <= noticeLinkChars ? link : null,
      event: event === undefined || event === null ? null : createHash("sha256").update(`${kind} ${event}`).digest("hex"),
    };
  });
  const made = await sql`
    insert into notice (project_id, user_id, kind, title, params, body, link, event, created_at)
    select ${project.id}, n."userId", n.kind, n.title, n.params, n.body, n.link, n.event, ${now}
    from jsonb_to_recordset(${sql.json(rows as never)}) as n("userId" bigint, kind text, title text, params jsonb, body text, link text, event text)
    join app_user u on u.id = n."userId" and u.active
    on conflict on constraint notice_event_unique do nothing returning id`;
  return made.length;
}

function isText(key: string): boolean {
  let at: string | Messages | undefined = loadMessages("zh");
  for (const part of key.split(".")) at = typeof at === "object" ? at[part] : undefined;
  return typeof at === "string";
}

/** Marks notices of the caller as read, all of them when none is named; those of others are not touched. */
export async function readNotices(ctx: Ctx, { ids }: { ids?: number[] | undefined }): Promise<{ unread: number }> {
  const { sql, project, user, now } = ctx;
  const read = await sql<{ id: number }[]>`
    update notice set read_at = ${now}
    where project_id = ${project.id} and user_id = ${user.id} and read_at is null and ${ids ? sql`id = any(${ids}::bigint[])` : sql`true`}
    returning id`;
  ctx.audit("notices", null, { read: read.map(({ id }) => id) });
  return { unread: await countUnread(ctx) };
}

/** Removes notices past their age. */
export async function clearNotices(sql: Sql, projectId: number, now: Date): Promise<void> {
  await sql`delete from notice where project_id = ${projectId} and created_at < ${new Date(now.getTime() - noticeKeepDays * 86_400_000)}`;
}
