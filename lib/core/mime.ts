import "server-only";
import addressparser from "nodemailer/lib/addressparser";
import { encode as base64, wrap as wrapBase64 } from "nodemailer/lib/base64";
import MimeNode from "nodemailer/lib/mime-node";
import { encode as quotedPrintable, wrap as wrapQuotedPrintable } from "nodemailer/lib/qp";

/** What a mail says, in both forms. Mails that share the object share the work of encoding it. */
export type Words = { readonly text: string; readonly html: string };

/** A mail as it goes onto the wire. Header texts must be free of line breaks. */
export type WireMail = {
  to: { name: string; address: string };
  /** The receiver stands under Cc instead of To. */
  cc: boolean;
  subject: string;
  words: Words;
  messageId: string;
  /** The name the address of the sender is given; that of the installation by default. */
  senderName?: string | null;
  replyTo?: string | null;
  headers: Record<string, string>;
  attachments: { filename: string; contentType: string; content: Buffer }[];
};

/** The address inside `Name <address>`. */
export function senderAddress(from: string): string {
  const [first] = addressparser(from, { flatten: true });
  return first?.address ?? from;
}

/** A mail of this sender as the message that is handed to the server. */
export function composeMail(mail: WireMail, from: string): Buffer {
  const { attachments } = mail;
  const message = new MimeNode(attachments.length > 0 ? "multipart/mixed" : alternative);
  message.addHeader(mail.headers);
  message.setHeader({
    From: mail.senderName ? { name: mail.senderName, address: senderAddress(from) } : from,
    [mail.cc ? "Cc" : "To"]: { name: mail.to.name, address: mail.to.address },
    ...(mail.replyTo && { "Reply-To": mail.replyTo }),
    Subject: mail.subject,
    "Message-ID": mail.messageId,
  });
  const words = wordParts(mail.words);
  if (attachments.length === 0) return Buffer.from(multipart(message, words));
  const files = attachments.map(({ filename, contentType, content }) =>
    message.createChild(contentType, { filename }).setHeader("Content-Transfer-Encoding", "base64").setContent(content),
  );
  return Buffer.from(multipart(message, [multipart(message.createChild(alternative), words), ...files.map(part)]));
}

const alternative = "multipart/alternative";

/** Both forms of words as they stand in every mail that brings them: encoding them takes longer than the rest of a mail. */
const written = new WeakMap<Words, readonly string[]>();

function wordParts(words: Words): readonly string[] {
  let parts = written.get(words);
  if (!parts) {
    const parent = new MimeNode(alternative);
    const forms = [
      ["text/plain", words.text],
      ["text/html", words.html],
    ] as const;
    parts = forms.map(([type, content]) => part(parent.createChild(`${type}; charset=utf-8`).setContent(content)));
    written.set(words, parts);
  }
  return parts;
}

// The library writes the same through a chain of streams for each part, which takes several times as long.
function multipart(node: MimeNode, parts: readonly string[]): string {
  const head = node.buildHeaders();
  const { boundary } = node;
  return `${head}\r\n\r\n${parts.map((text) => `--${boundary}\r\n${text}\r\n`).join("")}--${boundary}--\r\n`;
}

function part(node: MimeNode): string {
  const content = node.content as string | Buffer;
  const encoding = node.getTransferEncoding();
  const encoded =
    encoding === "base64"
      ? wrapBase64(base64(content))
      : encoding === "quoted-printable"
        ? wrapQuotedPrintable(quotedPrintable(content))
        : content.toString();
  return `${node.buildHeaders()}\r\n\r\n${encoded}`;
}
