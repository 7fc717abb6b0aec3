import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { retryMinutes } from "#lib/reminders/outbox/limits.ts";
import { afterAttempt, headerText, isAddress, judgeFault, messageId, subjectLine, writeLetter } from "#lib/reminders/outbox/logic.ts";

const now = new Date("2026-10-14T02:00:00Z");

describe("addresses", () => {
  test.each([
    ["anna@example.com", true],
    ["anna.li+x@mail.example.co", true],
    [`${"a".repeat(242)}@example.com`, true],
    [`${"a".repeat(243)}@example.com`, false],
    ["anna@example", false],
    ["anna example.com", false],
    ["a@b.com;c@d.com", false],
    ["a@b.com\r\nBcc: c@d.com", false],
    ["Anna <a@b.com>", false],
    ["", false],
  ])("%j: %s", (text, valid) => expect(isAddress(text)).toBe(valid));
});

describe("header texts", () => {
  test("can never begin a new header line", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 250 }), (text) => {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these must be gone.
        expect(headerText(text)).not.toMatch(/[\u0000-\u001f\u007f\u0085\u2028\u2029]/);
        expect([...headerText(text)].length).toBeLessThanOrEqual(200);
      }),
      { numRuns: 40 },
    );
    expect(subjectLine("P100", "late\r\nBcc: all@example.com")).toBe("[P100] late Bcc: all@example.com");
  });

  test("letters outside Latin survive", () => expect(subjectLine("P100", "交付计划：已完成")).toBe("[P100] 交付计划：已完成"));
});

describe("a letter", () => {
  const letter = {
    title: "<b>Done</b>",
    facts: [["File", 'a"&b.xlsx']] as const,
    links: [{ label: "Open", href: "http://x/?a=1&b=2" }],
    foot: "why",
  };
  test("escapes every value in HTML and leaves the plain text as it is", () => {
    const { html, text } = writeLetter(letter, "en");
    expect(html).not.toContain("<b>Done</b>");
    expect(html).toContain("&lt;b&gt;Done&lt;/b&gt;");
    expect(html).toContain("a&quot;&amp;b.xlsx");
    expect(html).toContain('href="http://x/?a=1&amp;b=2"');
    expect(text).toContain("<b>Done</b>");
    expect(text).toContain("http://x/?a=1&b=2");
  });
});

describe("a failed attempt", () => {
  test.each([
    ["refused for good", { command: "RCPT TO", responseCode: 550 }, false, { outcome: "permanent", address: true }],
    ["sender refused for good", { command: "MAIL FROM", responseCode: 550 }, false, { outcome: "permanent", address: false }],
    ["content refused for good", { command: "DATA", responseCode: 554 }, true, { outcome: "permanent" }],
    ["551", { command: "RCPT TO", responseCode: 551 }, false, { outcome: "permanent" }],
    ["553", { command: "RCPT TO", responseCode: 553 }, false, { outcome: "permanent" }],
    ["other 5xx", { command: "RCPT TO", responseCode: 552 }, false, { outcome: "temporary" }],
    ["a 554 greeting concerns no mail", { command: "CONN", responseCode: 554 }, false, { outcome: "temporary" }],
    ["wrong password", { command: "AUTH PLAIN", responseCode: 535 }, false, { outcome: "temporary" }],
    ["refused for now", { command: "RCPT TO", responseCode: 450 }, false, { outcome: "temporary" }],
    ["server closes with 421", { command: "CONN", responseCode: 421 }, false, { outcome: "temporary" }],
    ["refused for now after the data", { command: "DATA", responseCode: 451 }, true, { outcome: "temporary" }],
    ["421 after the data is an answer", { command: "DATA", responseCode: 421 }, true, { outcome: "temporary" }],
    ["no connection", { command: "CONN" }, false, { outcome: "temporary", contact: false }],
    ["broken before the end of the data", { command: "CONN" }, false, { outcome: "temporary" }],
    ["broken after the end of the data", { command: "CONN" }, true, { outcome: "unknown" }],
  ])("%s", (_, fault, handedOver, expected) => {
    expect(judgeFault({ message: "x", ...fault }, handedOver)).toMatchObject(expected);
  });

  test("waits 1, 5, 15, 60 and 240 minutes, and has failed after the sixth", () => {
    const temporary = { outcome: "temporary", error: "450", contact: true } as const;
    const waits = [1, 2, 3, 4, 5].map((attempts) => {
      const { status, nextAttemptAt } = afterAttempt(temporary, attempts, now);
      expect(status).toBe("RETRY");
      return ((nextAttemptAt as Date).getTime() - now.getTime()) / 60_000;
    });
    expect(waits).toEqual([...retryMinutes]);
    expect(afterAttempt(temporary, 6, now)).toMatchObject({ status: "FAILED", nextAttemptAt: null });
  });

  test.each([
    [{ outcome: "sent" } as const, "SENT"],
    [{ outcome: "unknown", error: "x", contact: true } as const, "UNCERTAIN"],
    [{ outcome: "permanent", error: "x", address: true } as const, "FAILED"],
  ])("%j ends as %s at once", (delivery, status) => expect(afterAttempt(delivery, 1, now)).toMatchObject({ status, nextAttemptAt: null }));
});

test("a Message-ID belongs to the mail, not to the attempt", () => {
  expect(messageId(7, "Milepost <no-reply@example.com>")).toBe("<milepost.7@example.com>");
  expect(messageId(7, "odd")).toBe("<milepost.7@localhost>");
});
