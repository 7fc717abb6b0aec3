import "server-only";
import { buffer } from "node:stream/consumers";
import { createTranslator } from "use-intl/core";
import { type Pool, transaction } from "#db/client.ts";
import { env } from "#lib/core/env.ts";
import { formatBytes } from "#lib/core/format.ts";
import { href } from "#lib/core/href.ts";
import { asLocale } from "#lib/core/locale.ts";
import { loadMessages } from "#lib/core/messages.ts";
import { readFileStream, recordFile, removeBytes, storeBytes } from "#lib/core/storage.ts";
import { workbookMime } from "#lib/core/workbook-limits.ts";
import { writeWorkbook } from "#lib/core/workbook-write.ts";
import { attachmentBytes, type MailKind, mailKinds } from "../outbox/limits.ts";
import { unsubscribeToken } from "../outbox/queries.ts";

/** A claimed mail as far as its parts are concerned. */
export type MailParts = {
  projectId: number;
  projectNumber: string;
  kind: MailKind;
  toUserId: number | null;
  toAddress: string;
  lang: string;
  bodyId: number;
  subject: string;
  fileId: string | null;
  listed: boolean;
  responsibleId: number | null;
  attachmentIds: readonly string[];
};

export type Attachment = { filename: string; contentType: string; content: Buffer };
/** A line that is added to the words of a mail when it is sent. */
export type FootLine = { label: string; href: string };

const texts = (lang: string) => {
  const locale = asLocale(lang) ?? "zh";
  return createTranslator({
    locale,
    messages: loadMessages(locale),
    namespace: "reminders.sending",
    onError: () => {},
  }) as unknown as (key: string, values?: Record<string, string | number>) => string;
};

/** Where the receiver of a mail declines such mails: for the header, by one click, and for people. Null for kinds nobody may decline. */
export function declineLinks(mail: Pick<MailParts, "projectId" | "kind" | "toUserId" | "toAddress" | "lang">) {
  if (!mailKinds[mail.kind]?.mayDecline) return null;
  const token = unsubscribeToken({ projectId: mail.projectId, kind: mail.kind, userId: mail.toUserId, address: mail.toAddress });
  const address = (path: string) => new URL(path, env().AUTH_URL).href;
  return {
    header: address(`/api/mail/unsubscribe/${token}`),
    line: { label: texts(mail.lang)("unsubscribe"), href: address(`/unsubscribe/${token}?lang=${mail.lang}`) } satisfies FootLine,
  };
}

/**
 * The files of a mail. Those that are too large together stay away, and a line says where they are; one that has reached its age is left out.
 * @throws when a file that should be there cannot be read
 */
export async function readAttachments(pool: Pool, mail: MailParts, now: Date): Promise<{ attachments: Attachment[]; foot: FootLine[] }> {
  const made = mail.listed ? [mail.fileId ?? (await makeWorkbook(pool, mail, now))] : [];
  const ids = [...mail.attachmentIds, ...made];
  if (ids.length === 0) return { attachments: [], foot: [] };
  const files = await pool<{ id: string; name: string; mime: string; size: number }[]>`
    select id, name, mime, size from file_object where id = any(${ids}::uuid[]) and project_id = ${mail.projectId} order by name, id`;
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes > attachmentBytes) {
    const label = texts(mail.lang)("tooLarge", { size: formatBytes(bytes), max: formatBytes(attachmentBytes) });
    return { attachments: [], foot: [{ label, href: new URL(href("exports", {}, mail.projectNumber), env().AUTH_URL).href }] };
  }
  const attachments: Attachment[] = [];
  for (const { id, name, mime } of files) {
    const stream = await readFileStream({ sql: pool, project: { id: mail.projectId } as never, now }, id).catch(() => null);
    if (stream) attachments.push({ filename: name, contentType: mime, content: await buffer(stream) });
  }
  return { attachments, foot: [] };
}

/** Workbooks being made in this process, by the words they belong to: several lines may send the same words at once. */
const making = new Map<number, Promise<string>>();

function makeWorkbook(pool: Pool, mail: MailParts, now: Date): Promise<string> {
  const running =
    making.get(mail.bodyId) ??
    writeRows(pool, mail, now).finally(() => {
      making.delete(mail.bodyId);
    });
  making.set(mail.bodyId, running);
  return running;
}

async function writeRows(pool: Pool, mail: MailParts, now: Date): Promise<string> {
  const [body] = await pool<{ rows: (string | number | null)[][]; fileId: string | null; authorId: number }[]>`
    select b.rows, b.file_id as "fileId", coalesce(${mail.responsibleId}::bigint, ${mail.toUserId}::bigint, (
      select min(user_id) from project_member where project_id = b.project_id and role = 'PM')) as "authorId"
    from mail_body b where b.id = ${mail.bodyId}`;
  if (!body) throw new Error("the words of the mail are gone");
  if (body.fileId) return body.fileId;
  const [head = [], ...rows] = body.rows;
  const columns = head.map((title) => ({ title: String(title ?? ""), kind: "text" as const }));
  const stored = await storeBytes(writeWorkbook({ name: mail.projectNumber, columns, rows, lockedColumns: 1 }), workbookMime);
  const fileId = await transaction(pool, async (sql) => {
    const [before] = await sql<{ fileId: string | null }[]>`select file_id as "fileId" from mail_body where id = ${mail.bodyId} for update`;
    // Another worker was quicker: its file is the one.
    if (!before || before.fileId) return before?.fileId ?? null;
    const name = `${mail.subject.replace(/[\\/:*?"<>|]/g, " ")}.xlsx`;
    const ctx = { sql, project: { id: mail.projectId } as never, user: { id: body.authorId } as never, now };
    await recordFile(ctx, { ...stored, name, mime: workbookMime });
    await sql`update mail_body set file_id = ${stored.id} where id = ${mail.bodyId}`;
    return stored.id;
  });
  if (fileId !== stored.id) await removeBytes([stored.id]);
  if (!fileId) throw new Error("the words of the mail are gone");
  return fileId;
}
