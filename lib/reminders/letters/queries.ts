import "server-only";
import { createTranslator } from "use-intl/core";
import { isoDay } from "#lib/core/clock.ts";
import { env } from "#lib/core/env.ts";
import { emptyText, formatMinute } from "#lib/core/format.ts";
import { href } from "#lib/core/href.ts";
import type { Locale } from "#lib/core/locale.ts";
import { loadMessages } from "#lib/core/messages.ts";
import { cellField } from "#lib/rollout-plan/plan-rows/logic.ts";
import type { LibraryActivity } from "#lib/rollout-plan/plan-rows/queries.ts";
import { inlineRowsMax } from "../findings/limits.ts";
import type { FoundRow, NetChange } from "../findings/logic.ts";
import { type FindCtx, type Labels, type Owners, ownerKey } from "../findings/queries.ts";
import type { Heading, Note } from "../firing/logic.ts";
import type { TemplateRow } from "../mail-templates/queries.ts";
import { mailRowsMax } from "../outbox/limits.ts";
import {
  fillContent,
  fillSubject,
  type Section,
  type Values,
  valueList,
  type Written,
  writeMail,
  writeSection,
  writeTable,
} from "./logic.ts";

export type LetterTexts = (key: string, values?: Record<string, string | number>) => string;

/** Texts of reminder mails in a language. */
export function letterTexts(lang: Locale): LetterTexts {
  return createTranslator({
    locale: lang,
    messages: loadMessages(lang),
    namespace: "reminder-mails",
    onError: () => {},
  }) as unknown as LetterTexts;
}

/** A row as one receiver gets it; `net` sums up the changes he is told of. */
export type ToldRow = { row: FoundRow; net: NetChange | null };
/** What one receiver is told of one reminder. */
export type Told = { note: Note; rows: readonly ToldRow[] };

/** What the words of a mail are made of. */
export type LetterFrame = {
  ctx: FindCtx;
  library: readonly LibraryActivity[];
  labels: Labels;
  owners: Owners;
  templates: readonly TemplateRow[];
};

/** Heading of a reminder in a mail. */
export function headingText(heading: Heading, t: LetterTexts): string {
  if (heading.key === "named") return heading.name;
  if (heading.key === "rfi") return t("heading.rfi", { state: heading.state, min: heading.min, max: heading.max });
  if (heading.key === "rfiException") return t("heading.rfiException", { state: heading.state, max: heading.max });
  const { region, activity, days } = heading;
  const key = days > 0 ? "late" : days === 0 ? "today" : "before";
  return t(`heading.${key}`, { region, activity, days: Math.abs(days) });
}

const columnKeys = {
  late: ["du", "duName", "activity", "planEnd", "days", "owner"],
  rfi: ["du", "duName", "state", "rfi", "days", "owner"],
  changes: ["du", "duName", "activity", "field", "old", "new", "by", "at"],
} as const;

const kindOf = ({ look }: Note) => (look.what === "RFI" ? "rfi" : look.what === "LATE" ? "late" : "changes");

/** The rows of a reminder as a table, the first of many. */
export function sectionOf(frame: LetterFrame, { note, rows }: Told, t: LetterTexts): Section {
  const shown = rows.slice(0, inlineRowsMax);
  const more = rows.length - shown.length;
  return {
    title: headingText(note.heading, t),
    columns: columnKeys[kindOf(note)].map((key) => t(`column.${key}`)),
    rows: shown.map((told) => cellsOf(frame, note, told, t)),
    note: more > 0 ? t(rows.length > mailRowsMax ? "moreThanAttached" : "more", { count: more, max: mailRowsMax }) : null,
  };
}

/** Whether a mail shows the first rows of a reminder only. */
export const isCut = ({ rows }: Told): boolean => rows.length > inlineRowsMax;

/** All rows of a mail for its workbook, each reminder under its heading; what is beyond the largest workbook is left out, and its last line says so. */
export function listedRows(frame: LetterFrame, told: readonly Told[], lang: Locale): string[][] {
  const t = letterTexts(lang);
  const lines = told.flatMap(({ note, rows }) => [
    [t("column.reminder"), ...columnKeys[kindOf(note)].map((key) => t(`column.${key}`))],
    ...rows.slice(0, mailRowsMax).map((row) => [headingText(note.heading, t), ...cellsOf(frame, note, row, t)]),
  ]);
  return lines.length > mailRowsMax + 1 ? [...lines.slice(0, mailRowsMax), [t("workbookCut", { max: mailRowsMax })]] : lines;
}

function cellsOf(frame: LetterFrame, note: Note, told: ToldRow, t: LetterTexts): string[] {
  const { labels, library } = frame;
  const { row } = told;
  const du = labels.dus.get(row.duId);
  const place = [du?.code ?? "", du?.name ?? ""];
  const activity = library.find(({ slot }) => slot === row.slot)?.name ?? emptyText;
  if (row.what === "LATE") {
    const owners = ownersOf(frame, note, row);
    return [
      ...place,
      note.look.what === "RFI" ? (du?.state ?? emptyText) : activity,
      isoDay(row.day) ?? emptyText,
      String(row.days),
      owners,
    ];
  }
  const { field, old, now } = changeTexts(frame, told, t);
  const net = told.net!;
  const by = net.byId === null ? t("system") : (labels.people.get(net.byId) ?? emptyText);
  return [
    ...place,
    activity,
    field,
    old,
    now,
    net.count > 1 ? `${by} · ${t("changes", { count: net.count })}` : by,
    formatMinute(net.at, frame.ctx.project.tzOffset),
  ];
}

function ownersOf({ owners, labels }: LetterFrame, note: Note, row: FoundRow): string {
  const ids =
    note.look.what === "RFI"
      ? owners.ofDu.get(row.duId)
      : row.slot === null
        ? undefined
        : owners.ofActivity.get(ownerKey(row.duId, row.slot));
  return (ids ?? []).flatMap((id) => labels.people.get(id) ?? []).join(", ") || emptyText;
}

function changeTexts({ labels }: LetterFrame, { row, net }: ToldRow, t: LetterTexts): { field: string; old: string; now: string } {
  if (row.what !== "CHANGES" || !net) return { field: "", old: "", now: "" };
  if (row.cell !== null) {
    const day = (value: unknown) => isoDay(Number(value ?? 0)) ?? emptyText;
    return { field: t(`field.${cellField(row.cell)}`), old: day(net.old), now: day(net.now) };
  }
  const attribute = labels.attributes.get(row.key?.split("@")[0] ?? "");
  const text = (value: unknown) =>
    value === null || value === "" || value === undefined ? emptyText : (attribute?.values.get(String(value)) ?? String(value));
  return { field: attribute?.name ?? "", old: text(net.old), now: text(net.now) };
}

/** Subject and words of a mail of several reminders by the template of the project, or the standard one: the rows stand where it says `{table}`. */
export function digestOf(
  frame: LetterFrame,
  told: readonly Told[],
  lang: Locale,
  write: (told: Told) => Written,
): { subject: string } & Written {
  const kind = told.length === 1 ? told[0]!.note.template : "DIGEST";
  const { subject, body } = frame.templates.find((template) => template.kind === kind && template.lang === lang)!;
  const parts = told.map(write);
  const table = { html: parts.map(({ html }) => html).join(""), text: parts.map(({ text }) => text).join("\n\n") };
  return wholeMail(frame, told, { subject, content: body }, table, lang);
}

/** A section as it is written, in a language. */
export function writtenSection(frame: LetterFrame, told: Told, lang: Locale): Written {
  return writeSection(sectionOf(frame, told, letterTexts(lang)));
}

/** Subject and words of a rule with a text of its own: placeholders are filled in, headings of the table follow the language. */
export function ownMailOf(
  frame: LetterFrame,
  told: Told,
  own: { subject: string; content: string },
  lang: Locale,
): { subject: string } & Written {
  return wholeMail(frame, [told], own, writeTable(sectionOf(frame, told, letterTexts(lang))), lang);
}

function wholeMail(
  frame: LetterFrame,
  told: readonly Told[],
  words: { subject: string; content: string },
  table: Written,
  lang: Locale,
): { subject: string } & Written {
  const t = letterTexts(lang);
  const values = valuesOf(frame, told, t);
  const subject = fillSubject(words.subject, values);
  const parts = [fillContent(words.content, values, table)];
  return {
    subject,
    ...writeMail({ title: subject, parts, link: linkOf(frame, t), foot: t("foot", { number: frame.ctx.project.number }) }, lang),
  };
}

function valuesOf(frame: LetterFrame, told: readonly Told[], t: LetterTexts): Values {
  const { labels, library, ctx } = frame;
  const shown = told.flatMap(({ rows }) => rows.slice(0, inlineRowsMax));
  const list = (of: (told: ToldRow) => string) => valueList(shown.map(of));
  const changes = shown.map((row) => changeTexts(frame, row, t));
  return {
    duCode: list(({ row }) => labels.dus.get(row.duId)?.code ?? ""),
    duName: list(({ row }) => labels.dus.get(row.duId)?.name ?? ""),
    activity: list(({ row }) => library.find(({ slot }) => slot === row.slot)?.name ?? ""),
    field: valueList(changes.map(({ field }) => field)),
    old: valueList(changes.map(({ old }) => old)),
    new: valueList(changes.map(({ now }) => now)),
    days: list(({ row }) => (row.what === "LATE" ? String(row.days) : "")),
    project: `${ctx.project.number} ${ctx.project.name}`,
  };
}

const linkOf = ({ ctx }: LetterFrame, t: LetterTexts) => ({
  label: t("open"),
  href: new URL(href("rolloutPlan", {}, ctx.project.number), env().AUTH_URL).href,
});
