import "server-only";
import { createTranslator } from "use-intl/core";
import type { Ctx } from "#lib/core/ctx.ts";
import { type Locale, locales } from "#lib/core/locale.ts";
import { loadMessages } from "#lib/core/messages.ts";
import { type TemplateKind, templateKinds } from "./limits.ts";
import type { MailTable, Template, Values } from "./logic.ts";

/** Words of a kind of mail in a language: those of the project, or the standard ones with revision 0. */
export type TemplateRow = Template & { kind: TemplateKind; lang: Locale; rowVersion: number; standard: Template };

/** What a preview is filled with, in one language. */
export type TemplateSample = { values: Values; table: MailTable; foot: string };

type Texts = ((key: string, values?: Record<string, string | number>) => string) & { raw: (key: string) => string };

const texts = (lang: Locale) =>
  createTranslator({
    locale: lang,
    messages: loadMessages(lang),
    namespace: "reminders.template",
    onError: () => {},
  }) as unknown as Texts;

/** The standard words of a kind. Their placeholders are those of templates, which is why the texts write them in square brackets. */
function standard(kind: TemplateKind, t: Texts): Template {
  const plain = (key: string) => t(key).replaceAll("[", "{").replaceAll("]", "}");
  return { subject: plain(`standard.${kind}.subject`), body: plain(`standard.${kind}.body`) };
}

/** Words of every kind, or of one, in every language. */
export async function readTemplates({ sql, project }: Pick<Ctx, "sql" | "project">, kind?: TemplateKind): Promise<TemplateRow[]> {
  const rows = await sql<(Template & { kind: string; lang: Locale; rowVersion: number })[]>`
    select kind, lang, subject, body, row_version as "rowVersion" from mail_template
    where project_id = ${project.id} and (${kind ?? null}::text is null or kind = ${kind ?? null})`;
  const own = new Map(rows.map((row) => [`${row.kind} ${row.lang}`, row]));
  return templateKinds
    .filter((one) => kind === undefined || one === kind)
    .flatMap((one) =>
      locales.map((lang) => {
        const given = standard(one, texts(lang));
        const { subject, body, rowVersion } = own.get(`${one} ${lang}`) ?? { ...given, rowVersion: 0 };
        return { kind: one, lang, subject, body, rowVersion, standard: given };
      }),
    );
}

/** Words of templates with what a preview of them is filled with, by language. */
export async function findTemplates(
  ctx: Ctx,
  { kind }: { kind?: TemplateKind | undefined },
): Promise<{ templates: TemplateRow[]; samples: Record<Locale, TemplateSample> }> {
  const samples = locales.map((lang) => {
    const t = texts(lang);
    const cells = { duCode: "NJ-0001", duName: t("sample.duName"), activity: t("sample.activity"), field: t("sample.field") };
    const table: MailTable = {
      head: [t("sample.head.du"), t("sample.head.activity"), t("sample.field"), t("sample.head.days")],
      rows: [
        [cells.duCode, cells.activity, "2026-03-10", 5],
        ["NJ-0002", cells.activity, "2026-03-12", 3],
      ],
    };
    const values: Values = {
      ...cells,
      old: "2026-03-10",
      new: "2026-03-12",
      days: "5",
      project: `${ctx.project.number} ${ctx.project.name}`,
    };
    return [lang, { values, table, foot: t("sample.foot", { number: ctx.project.number }) }] as const;
  });
  return {
    templates: await readTemplates(ctx, kind),
    samples: Object.fromEntries(samples) as Record<Locale, TemplateSample>,
  };
}
