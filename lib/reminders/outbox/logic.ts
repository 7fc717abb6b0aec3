import { escapeHtml } from "#lib/core/escape-html.ts";
import { addressChars, type MailStatus, permanentReplies, retryMinutes, subjectChars } from "./limits.ts";

const addressPattern = /^[^\s@;,<>"]+@[^\s@;,<>"]+\.[A-Za-z]{2,}$/;

/** Whether a text is an address a mail can be sent to. */
export function isAddress(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters never belong to an address.
  return text.length <= addressChars && addressPattern.test(text) && !/[\u0000-\u001f\u007f]/.test(text);
}

/** A text for a header line: without line breaks and control characters, so that it can bring no header of its own. */
export function headerText(text: string, chars: number = subjectChars): string {
  const plain = text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to replace.
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ")
    .replace(/ {2,}/g, " ")
    .trim();
  const letters = [...plain];
  return letters.length <= chars ? plain : `${letters.slice(0, chars - 1).join("")}…`;
}

/** Subject as it is sent: the project's number stands in front. */
export function subjectLine(projectNumber: string, subject: string): string {
  return headerText(`[${projectNumber}] ${subject}`);
}

/** What a mail says: a heading, facts as name and value, paragraphs, one link. */
export type Letter = {
  title: string;
  facts?: readonly (readonly [name: string, value: string])[];
  paragraphs?: readonly string[];
  links?: readonly { label: string; href: string }[];
  /** Small print: why the person gets this mail. */
  foot: string;
};

/** A letter as HTML and as plain text; every value is escaped. */
export function writeLetter(letter: Letter, lang: string): { html: string; text: string } {
  const { title, facts = [], paragraphs = [], links = [], foot } = letter;
  const rows = facts.map(
    ([name, value]) =>
      `<tr><td style="padding:2px 16px 2px 0;color:#5b6472;vertical-align:top">${escapeHtml(name)}</td><td style="padding:2px 0">${escapeHtml(value)}</td></tr>`,
  );
  const html = [
    `<!doctype html><html lang="${lang === "zh" ? "zh-CN" : lang}"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>`,
    `<body style="margin:0;padding:24px;font:14px/22px sans-serif;color:#16191d;background:#ffffff">`,
    `<h1 style="margin:0 0 12px;font-size:16px;line-height:24px">${escapeHtml(title)}</h1>`,
    ...paragraphs.map((text) => `<p style="margin:0 0 12px">${escapeHtml(text)}</p>`),
    rows.length > 0 ? `<table style="margin:0 0 12px;border-spacing:0;font-size:14px">${rows.join("")}</table>` : "",
    ...links.map(
      ({ label, href }) => `<p style="margin:0 0 8px"><a href="${escapeHtml(href)}" style="color:#1566c4">${escapeHtml(label)}</a></p>`,
    ),
    `<p style="margin:16px 0 0;padding-top:8px;border-top:1px solid #dde1e6;font-size:12px;line-height:18px;color:#5b6472">${escapeHtml(foot)}</p>`,
    "</body></html>",
  ].join("");
  const text = [
    title,
    "",
    ...paragraphs.flatMap((paragraph) => [paragraph, ""]),
    ...facts.map(([name, value]) => `${name}: ${value}`),
    ...(facts.length > 0 ? [""] : []),
    ...links.flatMap(({ label, href }) => [`${label}:`, href, ""]),
    "-- ",
    foot,
    "",
  ].join("\n");
  return { html, text };
}

/** What came of handing a mail to the server. */
export type Delivery =
  | { outcome: "sent" }
  | { outcome: "temporary" | "unknown"; error: string; contact: boolean }
  /** `address`: the refusal concerns the receiver, not the sender or the content of the connection. */
  | { outcome: "permanent"; error: string; address: boolean };

/** What the mail library tells of a failure. */
export type SendFault = { message: string; command?: string | undefined; responseCode?: number | undefined };

/**
 * Judges a failed attempt. A reply of the server is always an answer. Without one it counts whether the whole message had been handed over: then the
 * server may have taken it, and nobody but a person may decide to send it again.
 * @param handedOver the last byte of the message was written to the connection
 */
export function judgeFault(fault: SendFault, handedOver: boolean): Delivery {
  const error = fault.message;
  const { command = "", responseCode } = fault;
  const aboutMail = ["MAIL FROM", "RCPT TO", "DATA"].includes(command);
  if (responseCode) {
    if (aboutMail && permanentReplies.includes(responseCode)) return { outcome: "permanent", error, address: command !== "MAIL FROM" };
    return { outcome: "temporary", error, contact: true };
  }
  return handedOver ? { outcome: "unknown", error, contact: true } : { outcome: "temporary", error, contact: aboutMail };
}

/** State of a mail after an attempt. */
export type AfterAttempt = { status: MailStatus; nextAttemptAt: Date | null; sentAt: Date | null; error: string | null };

/** What becomes of a mail after its `attempts`-th attempt. */
export function afterAttempt(delivery: Delivery, attempts: number, now: Date): AfterAttempt {
  if (delivery.outcome === "sent") return { status: "SENT", nextAttemptAt: null, sentAt: now, error: null };
  const { error } = delivery;
  if (delivery.outcome === "unknown") return { status: "UNCERTAIN", nextAttemptAt: null, sentAt: null, error };
  const wait = retryMinutes[attempts - 1];
  if (delivery.outcome === "permanent" || wait === undefined) return { status: "FAILED", nextAttemptAt: null, sentAt: null, error };
  return { status: "RETRY", nextAttemptAt: new Date(now.getTime() + wait * 60_000), sentAt: null, error };
}

/** Message-ID of a mail: the same at every attempt, so that a mail server can tell a repetition. */
export function messageId(outboxId: number, from: string): string {
  return `<milepost.${outboxId}@${mailHost(from)}>`;
}

/** The host that mails are sent for. */
export function mailHost(from: string): string {
  return /@([^\s>]+)/.exec(from)?.[1] ?? "localhost";
}

/** A letter with lines below it that concern one receiver or one sending: they are not part of the stored words. */
export function addFoot<Words extends { html: string; text: string }>(
  words: Words,
  lines: readonly { label: string; href: string }[],
): Words {
  if (lines.length === 0) return words;
  const added = lines
    .map(
      ({ label, href }) =>
        `<p style="margin:8px 0 0;font-size:12px;line-height:18px;color:#5b6472"><a href="${escapeHtml(href)}" style="color:#5b6472">${escapeHtml(label)}</a></p>`,
    )
    .join("");
  const end = words.html.lastIndexOf("</body>");
  const html = end < 0 ? words.html + added : words.html.slice(0, end) + added + words.html.slice(end);
  return { ...words, html, text: `${words.text}${lines.map(({ label, href }) => `${label}:\n${href}\n`).join("")}` };
}
