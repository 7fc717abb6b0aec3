import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { pickMessages, withFallback } from "#lib/core/message-tree.ts";
import { loadMessages } from "#lib/core/messages.ts";

describe("texts of a language", () => {
  test("a text missing in Japanese is the English one, at any depth [SES-06]", () => {
    const english = { save: "Save", status: { open: "Open", done: "Done" }, more: { text: "More" } };
    const japanese = { save: "保存", status: { open: "未着手" } };
    expect(withFallback(japanese, english)).toEqual({ save: "保存", status: { open: "未着手", done: "Done" }, more: { text: "More" } });
  });

  test("Japanese is loaded with the English text where it has none, another language is not [SES-06]", async () => {
    const folder = mkdtempSync(join(tmpdir(), "texts-"));
    const write = (locale: string, texts: object) => {
      mkdirSync(join(folder, "messages", locale), { recursive: true });
      writeFileSync(join(folder, "messages", locale, "ui.json"), JSON.stringify(texts));
    };
    write("en", { save: "Save", status: { open: "Open", done: "Done" } });
    write("ja", { save: "保存", status: { open: "未着手" } });
    write("zh", { save: "保存" });
    const where = vi.spyOn(process, "cwd").mockReturnValue(folder);
    try {
      // What is loaded once is kept by the module.
      vi.resetModules();
      const { loadMessages: load } = await import("#lib/core/messages.ts");
      expect(load("ja")).toEqual({ ui: { save: "保存", status: { open: "未着手", done: "Done" } } });
      expect(load("zh")).toEqual({ ui: { save: "保存" } });
    } finally {
      where.mockRestore();
      rmSync(folder, { recursive: true });
    }
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
