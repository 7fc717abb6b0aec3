import "server-only";
import { createTranslator } from "use-intl/core";
import type { Ctx } from "#lib/core/ctx.ts";
import type { Params } from "#lib/core/error.ts";
import { loadMessages } from "#lib/core/messages.ts";
import type { ListInput, Page } from "#lib/core/paging.ts";

/** A notice as the bell shows it, in the language of the caller. */
export type NoticeRow = {
  id: number;
  kind: string;
  title: string;
  body: string | null;
  link: string | null;
  createdAt: Date;
  readAt: Date | null;
};

type Read = Pick<Ctx, "sql" | "project" | "user">;

/** Number of notices of the caller he has not read. */
export async function countUnread({ sql, project, user }: Read): Promise<number> {
  const [row] = await sql<{ unread: number }[]>`
    select count(*)::int as unread from notice where project_id = ${project.id} and user_id = ${user.id} and read_at is null`;
  return row?.unread ?? 0;
}

/** A page of the caller's own notices, newest first, and how many of all are unread. */
export async function listNotices(ctx: Read & Pick<Ctx, "locale">, input: ListInput): Promise<Page<NoticeRow> & { unread: number }> {
  const { sql, project, user, locale } = ctx;
  const only = input.filters.reduce(
    (left, { values }) => sql`${left} and (read_at is null) = ${values[0] === true || values[0] === "true"}`,
    sql`project_id = ${project.id} and user_id = ${user.id}`,
  );
  const [rows, [counted], unread] = await Promise.all([
    sql<(NoticeRow & { params: Params })[]>`
      select id, kind, title, params, body, link, created_at as "createdAt", read_at as "readAt" from notice
      where ${only} order by id desc limit ${input.size} offset ${(input.page - 1) * input.size}`,
    sql<{ total: number }[]>`select count(*)::int as total from notice where ${only}`,
    countUnread(ctx),
  ]);
  const t = createTranslator({ locale, messages: loadMessages(locale), onError: () => {} }) as unknown as (
    key: string,
    values: Params,
  ) => string;
  return {
    records: rows.map(({ params, ...row }) => ({ ...row, title: t(row.title, params) })),
    total: counted?.total ?? 0,
    page: input.page,
    size: input.size,
    unread,
  };
}
