import { escapeHtml } from "#lib/core/escape-html.ts";

/** A table of a mail with its heading; `note` stands below it, such as how many rows it leaves out. */
export type Section = { title: string; columns: readonly string[]; rows: readonly (readonly string[])[]; note: string | null };
/** The same in both forms of a mail. */
export type Written = { html: string; text: string };

const cell = "padding:4px 10px 4px 0;border-bottom:1px solid #dde1e6;text-align:left;vertical-align:top";

/** A table as HTML and as lines of text; every value is escaped. */
export function writeTable({ columns, rows, note }: Omit<Section, "title">): Written {
  const head = columns.map((name) => `<th style="${cell};color:#5b6472;font-weight:normal">${escapeHtml(name)}</th>`).join("");
  const body = rows.map((row) => `<tr>${row.map((value) => `<td style="${cell}">${escapeHtml(value)}</td>`).join("")}</tr>`).join("");
  return {
    html:
      `<table style="margin:0 0 8px;border-collapse:collapse;font-size:14px"><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>` +
      (note ? `<p style="margin:0 0 8px;color:#5b6472">${escapeHtml(note)}</p>` : ""),
    text: [columns, ...rows].map((row) => row.join(" | ")).join("\n") + (note ? `\n${note}` : ""),
  };
}

/** A table under its heading. */
export function writeSection(section: Section): Written {
  const { html, text } = writeTable(section);
  return {
    html: `<h2 style="margin:16px 0 8px;font-size:14px;line-height:22px">${escapeHtml(section.title)}</h2>${html}`,
    text: `${section.title}\n${text}`,
  };
}

/** A whole mail of written parts: heading, parts, one link, and why the person gets it. */
export function writeMail(
  { title, parts, link, foot }: { title: string; parts: readonly Written[]; link: { label: string; href: string }; foot: string },
  lang: string,
): Written {
  return {
    html: [
      `<!doctype html><html lang="${lang === "zh" ? "zh-CN" : lang}"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>`,
      `<body style="margin:0;padding:24px;font:14px/22px sans-serif;color:#16191d;background:#ffffff">`,
      `<h1 style="margin:0 0 12px;font-size:16px;line-height:24px">${escapeHtml(title)}</h1>`,
      ...parts.map(({ html }) => html),
      `<p style="margin:12px 0 8px"><a href="${escapeHtml(link.href)}" style="color:#1566c4">${escapeHtml(link.label)}</a></p>`,
      `<p style="margin:16px 0 0;padding-top:8px;border-top:1px solid #dde1e6;font-size:12px;line-height:18px;color:#5b6472">${escapeHtml(foot)}</p>`,
      "</body></html>",
    ].join(""),
    text: [title, "", ...parts.flatMap(({ text }) => [text, ""]), `${link.label}:`, link.href, "", "-- ", foot, ""].join("\n"),
  };
}

/** Values of placeholders: what the rows of a mail say, the table apart. */
export type Values = Record<string, string>;

const placeholder = /\{([a-zA-Z]+)\}/g;

/** A subject with its placeholders filled in; the table has no place there, and an unknown word stays as it is. */
export function fillSubject(template: string, values: Values): string {
  return template.replace(placeholder, (whole, name: string) => (name === "table" ? "" : (values[name] ?? whole)));
}

/** A text as its author typed it: values escaped, line breaks kept, `{table}` the table, which follows the text where it is not named. */
export function fillContent(template: string, values: Values, table: Written): Written {
  const plain = (text: string) => text.replace(placeholder, (whole, name: string) => values[name] ?? whole);
  const parts = template.split("{table}");
  const html = parts
    .map((part) => plain(part).trim())
    .map((part) => (part === "" ? "" : `<p style="margin:0 0 12px;white-space:pre-line">${escapeHtml(part)}</p>`));
  if (parts.length === 1) return { html: html[0] + table.html, text: `${plain(template)}\n\n${table.text}` };
  return { html: html.join(table.html), text: parts.map(plain).join(table.text) };
}

/** Values that several rows have in common as one text: each once, the first few, then how many more. */
export function valueList(values: Iterable<string>, max = 5): string {
  const all = [...new Set(values)].filter((value) => value !== "");
  return all.slice(0, max).join(", ") + (all.length > max ? ` +${all.length - max}` : "");
}
