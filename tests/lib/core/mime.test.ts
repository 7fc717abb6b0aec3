import MailComposer from "nodemailer/lib/mail-composer";
import { expect, test } from "vitest";
import { composeMail, senderAddress, type WireMail } from "#lib/core/mime.ts";

test.each([
  ["Milepost <no-reply@example.com>", "no-reply@example.com"],
  ["no-reply@example.com", "no-reply@example.com"],
  ['"Plan, roll-out" <x@example.com>', "x@example.com"],
])("the sender of %s is %s", (from, expected) => expect(senderAddress(from)).toBe(expected));

const from = "Milepost <milepost@example.com>";
const mail: WireMail = {
  to: { name: "李 Anna", address: "anna@example.com" },
  cc: false,
  subject: "导入完成",
  words: { text: "Done", html: "<p>Done</p>" },
  messageId: "<1@example.com>",
  headers: { "Auto-Submitted": "auto-generated", Date: new Date(0).toUTCString() },
  attachments: [],
};
/** A message without the chance in its boundaries. */
const settled = (message: Buffer) => message.toString().replace(/--_NmP-[0-9a-f]+-Part_\d+/g, "boundary");
const byLibrary = ({ to, cc, words, senderName, ...rest }: WireMail) =>
  new MailComposer({
    ...rest,
    ...words,
    from: senderName ? { name: senderName, address: senderAddress(from) } : from,
    [cc ? "cc" : "to"]: to,
  } as never)
    .compile()
    .build();

const long = "A line of a reminder, longer than a line of a mail = 100 %.  \t\n".repeat(3) + "x".repeat(2_000);
const files = [
  { filename: "失败行.csv", contentType: "text/csv", content: Buffer.from("a,b\n".repeat(500)) },
  { filename: "empty.bin", contentType: "application/octet-stream", content: Buffer.alloc(0) },
];
test.each<[string, Partial<WireMail>]>([
  ["short lines", { words: { text: "Done\n.\nAnna", html: "<p>Done</p>" } }],
  ["long lines", { words: { text: long, html: `<p>${long}</p>` } }],
  ["few foreign letters", { words: { text: `${long} – Łódź`, html: `<p>${long} 站点</p>\r\n` } }],
  ["foreign letters", { words: { text: "导入完成：站点 ".repeat(40), html: `<p>${"完成 ".repeat(90)}</p>` } }],
  ["attachments", { words: { text: long, html: "<p>x</p>" }, attachments: files }],
  ["one attachment", { attachments: files.slice(0, 1) }],
  [
    "a sender of its own, a copy",
    { cc: true, senderName: "Roll-out 北", replyTo: "team@example.com", to: { name: "", address: "a@b.com" } },
  ],
])("a mail with %s is what the mail library's streams write", async (_name, given) => {
  const wire = { ...mail, ...given };
  expect(settled(composeMail(wire, from))).toBe(settled(await byLibrary(wire)));
});

test("mails that share their words differ in all else, and other words are their own", () => {
  const other = { ...mail, to: { name: "", address: "bob@example.com" }, messageId: "<2@example.com>" };
  const [first, second, third] = [mail, other, { ...mail, words: { text: "Failed", html: "<p>Failed</p>" } }].map((one) =>
    settled(composeMail(one, from)),
  );
  expect(second).toContain("To: bob@example.com");
  expect(second).not.toContain("anna@example.com");
  expect(second?.split("\r\n\r\n").slice(1)).toEqual(first?.split("\r\n\r\n").slice(1));
  expect(third).toContain("<p>Failed</p>");
  expect(third).not.toContain("Done");
});
