import { escapeHtml } from "#lib/core/escape-html.ts";
import { headerText } from "../outbox/logic.ts";
import { inlineRowsMax, type Placeholder, placeholders } from "./limits.ts";

/** What stands for the placeholders; what is missing stays empty. */
export type Values = Partial<Record<Placeholder, string>>;
/** Rows of a mail under their headings. */
export type MailTable = { head: readonly string[]; rows: readonly (readonly (string | number | null)[])[] };
export type Template = { subject: string; body: string };

const known = new RegExp(`\\{(${placeholders.join("|")})\\}`, "g");

/** A text with its placeholders filled in; other curly brackets stay as they were typed. */
export function fillTemplate(text: string, values: Values): string {
  return text.replace(known, (_, name: Placeholder) => values[name] ?? "");
}

/** Heading of a table that was cut: how many rows there are. */
export type CutNote = (total: number, shown: number) => string;

/** A filled template: its subject, and its lines with the place of the table. */
export type Filled = { subject: string; parts: ({ line: string } | { table: MailTable })[] };

/** A template with its values. A value brings no line break into a subject; the rows stand where the text says `{table}`, else below it, and once. */
export function fillParts(template: Template, values: Values, table: MailTable | null = null): Filled {
  const parts: Filled["parts"] = [];
  let placed = !table || table.rows.length === 0;
  const place = () => {
    if (!placed && table) parts.push({ table });
    placed = true;
  };
  for (const line of template.body.split(/\r?\n/)) {
    const around = line.split("{table}");
    for (const [index, part] of around.entries()) {
      if (index > 0) place();
      const filled = fillTemplate(part, values);
      if (filled.trim() !== "" || around.length === 1) parts.push({ line: filled });
    }
  }
  place();
  return { subject: headerText(fillTemplate(template.subject, { ...values, table: "" })), parts };
}

/** A template with its values as subject, HTML and plain text; every value is escaped. */
export function renderTemplate(
  template: Template,
  values: Values,
  { table, lang, foot, cut }: { table?: MailTable | null; lang: string; foot: string; cut: CutNote },
): { subject: string; html: string; text: string } {
  const { subject, parts } = fillParts(template, values, table ?? null);
  const html = parts.map((part) =>
    "table" in part ? tableHtml(part.table, cut) : part.line.trim() === "" ? "" : `<p style="margin:0 0 12px">${escapeHtml(part.line)}</p>`,
  );
  const text = parts.flatMap((part) => ("table" in part ? [...tableText(part.table, cut), ""] : [part.line]));
  return {
    subject,
    html: [
      `<!doctype html><html lang="${lang === "zh" ? "zh-CN" : lang}"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>`,
      `<body style="margin:0;padding:24px;font:14px/22px sans-serif;color:#16191d;background:#ffffff">`,
      ...html,
      `<p style="margin:16px 0 0;padding-top:8px;border-top:1px solid #dde1e6;font-size:12px;line-height:18px;color:#5b6472">${escapeHtml(foot)}</p>`,
      "</body></html>",
    ].join(""),
    text: [...text, "", "-- ", foot, ""].join("\n"),
  };
}

const cellText = (cell: string | number | null): string => (cell === null ? "" : String(cell));

/** Rows of a mail as an HTML table, the first of them where there are many. */
export function tableHtml({ head, rows }: MailTable, cut: CutNote): string {
  const cell = (tag: "th" | "td", text: string) =>
    `<${tag} style="padding:4px 12px 4px 0;border-bottom:1px solid #dde1e6;text-align:left;vertical-align:top${tag === "th" ? ";font-weight:600" : ""}">${escapeHtml(text)}</${tag}>`;
  const line = (tag: "th" | "td", cells: readonly (string | number | null)[]) =>
    `<tr>${cells.map((value) => cell(tag, cellText(value))).join("")}</tr>`;
  const shown = rows.slice(0, inlineRowsMax);
  return [
    `<table style="margin:0 0 12px;border-spacing:0;font-size:13px;line-height:20px">${line("th", head)}${shown.map((row) => line("td", row)).join("")}</table>`,
    rows.length > shown.length ? `<p style="margin:0 0 12px">${escapeHtml(cut(rows.length, shown.length))}</p>` : "",
  ].join("");
}

/** Rows of a mail as plain text. */
export function tableText({ head, rows }: MailTable, cut: CutNote): string[] {
  const shown = rows.slice(0, inlineRowsMax);
  return [
    head.join(" | "),
    ...shown.map((row) => row.map(cellText).join(" | ")),
    ...(rows.length > shown.length ? [cut(rows.length, shown.length)] : []),
  ];
}
