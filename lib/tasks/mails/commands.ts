import "server-only";
import { createTranslator } from "use-intl/core";
import type { Sql } from "#db/client.ts";
import { env } from "#lib/core/env.ts";
import type { Params } from "#lib/core/error.ts";
import { formatMoment, formatNumber, formatSpan } from "#lib/core/format.ts";
import { href } from "#lib/core/href.ts";
import { asLocale, type Locale } from "#lib/core/locale.ts";
import { loadMessages } from "#lib/core/messages.ts";
import type { TaskDirection, TaskStatus } from "#lib/core/task.ts";
import { type ImportKindName, importKinds } from "#lib/imports/limits.ts";
import { queueMail } from "#lib/reminders/outbox/commands.ts";
import { attachmentBytes } from "#lib/reminders/outbox/limits.ts";
import { writeLetter } from "#lib/reminders/outbox/logic.ts";
import type { ScreenKey } from "#lib/screens.ts";
import { taskMessages } from "../queries.ts";
import { leftAfterMs } from "./limits.ts";
import { isMailed } from "./logic.ts";

type Ended = {
  id: string;
  kind: string;
  direction: TaskDirection;
  title: string;
  status: TaskStatus;
  attempt: number;
  doneCount: number;
  failedCount: number;
  messageKey: string | null;
  messageArgs: Params | null;
  importKind: ImportKindName | null;
  errorFileId: string | null;
  errorBytes: number | null;
  startedAt: Date | null;
  finishedAt: Date;
  projectId: number;
  number: string;
  tzOffset: number;
  userId: number;
  userName: string;
  email: string;
  lang: string;
  left: boolean;
};

/** Tells the person of a task by mail that it has ended, in the transaction of its end, where that is not seen anyway. */
export async function mailTaskEnd(sql: Sql, taskId: string, now: Date): Promise<void> {
  const [task] = await sql<Ended[]>`
    select t.id, t.kind, t.direction, t.title, t.status, t.attempt, t.done_count as "doneCount", t.failed_count as "failedCount", t.message_key as "messageKey",
      t.message_args as "messageArgs", t.params ->> 'kind' as "importKind", t.error_file_id as "errorFileId", f.size as "errorBytes", t.started_at as "startedAt",
      t.finished_at as "finishedAt", p.id as "projectId", p.number, p.tz_offset_beijing as "tzOffset", u.id as "userId", u.name as "userName", u.email,
      coalesce(u.language, t.locale) as lang,
      not exists (select 1 from user_session s where s.user_id = u.id and s.revoked_at is null and s.last_seen_at > ${new Date(now.getTime() - leftAfterMs)}) as left
    from task t join project p on p.id = t.project_id join app_user u on u.id = t.created_by left join file_object f on f.id = t.error_file_id
    where t.id = ${taskId} and t.finished_at is not null and t.status <> 'cancelled' and u.active`;
  if (!task || !isMailed(task)) return;
  const lang = asLocale(task.lang) ?? "zh";
  const words = writeWords(task, lang);
  await queueMail(
    { sql, project: { id: task.projectId, number: task.number }, now },
    {
      kind: "task.result",
      // A task that is run again may end again, and that is another event.
      event: `${task.id} ${task.attempt}`,
      to: { userId: task.userId, address: task.email, name: task.userName, lang },
      ...words,
      attachmentIds: task.errorFileId && (task.errorBytes ?? 0) <= attachmentBytes ? [task.errorFileId] : [],
    },
  );
}

const lists: Record<TaskDirection, ScreenKey> = { import: "imports", export: "exports", process: "tasks" };

function writeWords(task: Ended, lang: Locale): { subject: string; html: string; text: string } {
  const t = createTranslator({ locale: lang, messages: loadMessages(lang), onError: () => {} }) as unknown as (
    key: string,
    values?: Params,
  ) => string;
  const address = (key: ScreenKey, query: Record<string, string>) => new URL(href(key, { query }, task.number), env().AUTH_URL).href;
  const status = t(`tasks.status.${task.status}`);
  const took = task.startedAt ? formatSpan(task.finishedAt.getTime() - task.startedAt.getTime()) : "-";
  const message = taskMessages(lang)(task.messageKey, task.messageArgs);
  const facts: [string, string][] = [
    [t("tasks.column.title"), task.title],
    [t("tasks.column.status"), status],
    ...(message === null ? [] : ([[t("tasks.column.counts"), message]] as [string, string][])),
    ...(task.kind === "imports.preview"
      ? []
      : ([
          [t("tasks.dialog.done"), formatNumber(task.doneCount)],
          [t("tasks.dialog.failed"), formatNumber(task.failedCount)],
        ] as [string, string][])),
    [t("tasks.column.duration"), took],
    [t("tasks.mail.ended"), formatMoment(task.finishedAt, task.tzOffset)],
  ];
  const checked = task.kind === "imports.preview" && task.status === "succeeded" ? task.importKind : null;
  const links = [
    ...(checked
      ? [{ label: t("tasks.action.preview"), href: address(importKinds[checked].screen, { import: checked, task: task.id }) }]
      : []),
    { label: t("tasks.mail.open"), href: address(lists[task.direction], { id: task.id }) },
  ];
  const title = t(`tasks.mail.title.${task.direction}`, { title: task.title, status });
  const { html, text } = writeLetter({ title, facts, links, foot: t("tasks.mail.foot", { number: task.number }) }, lang);
  return { subject: title, html, text };
}
