import { describe, expect, test } from "vitest";
import { pickMessages, withFallback } from "#lib/core/message-tree.ts";
import { loadMessages } from "#lib/core/messages.ts";

describe("texts of a language", () => {
  test("a text missing in Japanese is the English one, at any depth [SES-06]", () => {
    const english = { save: "Save", status: { open: "Open", done: "Done" }, more: { text: "More" } };
    const japanese = { save: "保存", status: { open: "未着手" } };
    expect(withFallback(japanese, english)).toEqual({ save: "保存", status: { open: "未着手", done: "Done" }, more: { text: "More" } });
  });

  test("Japanese as loaded has every English text", () => {
    const keys = (texts: object, prefix = ""): string[] =>
      Object.entries(texts).flatMap(([name, value]) =>
        typeof value === "string" ? [prefix + name] : keys(value as object, `${prefix}${name}.`),
      );
    expect(keys(loadMessages("ja")).sort()).toEqual(expect.arrayContaining(keys(loadMessages("en"))));
  });

  test("named parts are picked at their places, and nothing else", () => {
    const all = { access: { codes: { a: "A" }, title: "T" }, tasks: { title: "U" }, ui: { close: "C", page: { more: "M" } } };
    expect(pickMessages(all, ["access.codes", "tasks", "ui.page", "none", "tasks.title.deep"])).toEqual({
      access: { codes: { a: "A" } },
      tasks: { title: "U" },
      ui: { page: { more: "M" } },
    });
    expect(all.access.title).toBe("T");
  });
});
