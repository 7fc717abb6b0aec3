import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { refuseUnchanged } from "#lib/core/unchanged.ts";
import { readTemplates, type TemplateRow } from "./queries.ts";
import type { SaveTemplate } from "./schema.ts";

/**
 * Saves the words of a kind of mail in a language; empty ones bring the standard text back.
 * @throws NOTHING_MODIFIED, STALE when somebody else has saved them since
 */
export async function saveTemplate(ctx: Ctx, { kind, lang, subject, body, rowVersion }: SaveTemplate): Promise<TemplateRow> {
  const { sql, project } = ctx;
  // The row of the project keeps two first savers apart.
  await sql`select 1 from project where id = ${project.id} for no key update`;
  const [before] = await sql<{ subject: string; body: string; rowVersion: number }[]>`
    select subject, body, row_version as "rowVersion" from mail_template where project_id = ${project.id} and kind = ${kind} and lang = ${lang} for update`;
  if ((before?.rowVersion ?? 0) !== rowVersion) throw new AppError("STALE", {}, [], before ?? null);
  refuseUnchanged(before ?? { subject: "", body: "" }, { subject, body });
  if (subject === "") await sql`delete from mail_template where project_id = ${project.id} and kind = ${kind} and lang = ${lang}`;
  else
    await sql`
      insert into mail_template (project_id, kind, lang, subject, body) values (${project.id}, ${kind}, ${lang}, ${subject}, ${body})
      on conflict on constraint mail_template_unique do update set subject = excluded.subject, body = excluded.body, row_version = mail_template.row_version + 1`;
  ctx.audit(`mail template ${kind} ${lang}`, before ?? null, subject === "" ? null : { subject, body });
  const saved = await readTemplates(ctx, kind);
  return saved.find((row) => row.lang === lang) as TemplateRow;
}
