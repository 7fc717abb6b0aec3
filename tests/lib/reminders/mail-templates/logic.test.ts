import { describe, expect, test } from "vitest";
import { inlineRowsMax } from "#lib/reminders/mail-templates/limits.ts";
import { fillTemplate, renderTemplate } from "#lib/reminders/mail-templates/logic.ts";

const frame = { lang: "en", foot: "because of P1", cut: (total: number, shown: number) => `${shown} of ${total}` };
const table = (rows: number) => ({ head: ["DU", "Days"], rows: Array.from({ length: rows }, (_, i) => [`N-${i}`, i] as const) });

test("placeholders are filled in, unknown words in brackets stay", () => {
  expect(fillTemplate("{duCode} {what} {old}{old}", { duCode: "N-1", old: "a" })).toBe("N-1 {what} aa");
  expect(fillTemplate("{days}", {})).toBe("");
  // A value is not looked through again.
  expect(fillTemplate("{old}", { old: "{new}", new: "x" })).toBe("{new}");
});

describe("a rendered template", () => {
  test("escapes values and brings no line break into the subject", () => {
    const mail = renderTemplate({ subject: "About {duName}\nBcc: x", body: "See {duName}" }, { duName: "<b>\r\nX & Y" }, frame);
    expect(mail.subject).toBe("About <b> X & Y Bcc: x");
    expect(mail.html).toContain("See &lt;b&gt;");
    expect(mail.html).not.toContain("<b>");
    expect(mail.text).toContain("because of P1");
  });

  test("has the rows where its text says so, once, and below it when it does not", () => {
    const told = renderTemplate({ subject: "s", body: "before\n{table}\nafter {table}" }, {}, { ...frame, table: table(1) });
    expect(told.html.match(/<table/g)).toHaveLength(1);
    expect(told.text.split("\n")).toEqual(["before", "DU | Days", "N-0 | 0", "", "after ", "", "-- ", "because of P1", ""]);
    expect(renderTemplate({ subject: "s", body: "before" }, {}, { ...frame, table: table(1) }).html).toMatch(/before<\/p><table/);
    expect(renderTemplate({ subject: "s", body: "{table}" }, {}, { ...frame, table: table(0) }).html).not.toContain("<table");
  });

  test.each([
    [inlineRowsMax, false],
    [inlineRowsMax + 1, true],
  ])("of %s rows is cut: %s", (rows, cut) => {
    const mail = renderTemplate({ subject: "s", body: "{table}" }, {}, { ...frame, table: table(rows) });
    expect(mail.html.match(/<tr>/g)).toHaveLength(Math.min(rows, inlineRowsMax) + 1);
    expect(mail.html.includes(`${inlineRowsMax} of ${rows}`)).toBe(cut);
    expect(mail.text.includes(`${inlineRowsMax} of ${rows}`)).toBe(cut);
  });
});
