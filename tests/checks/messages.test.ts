import { IntlMessageFormat } from "intl-messageformat";
import { NextIntlClientProvider } from "next-intl";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { locales } from "#lib/core/locale.ts";
import type { Messages } from "#lib/core/message-tree.ts";
import { errors } from "#lib/errors.ts";
import { permissions } from "#lib/permissions.ts";
import { screens } from "#lib/screens.ts";
import { filesBelow, readSource, withoutComments } from "#tests/support/source-files.ts";

const namespaces = [
  ...new Set(
    locales.flatMap((locale) => filesBelow(`messages/${locale}`, /\.json$/)).map((path) => path.split("/")[2]?.replace(".json", "") ?? ""),
  ),
];

function flat(messages: Messages, prefix = ""): Map<string, string> {
  const out = new Map<string, string>();
  for (const [name, value] of Object.entries(messages)) {
    if (typeof value === "string") out.set(prefix + name, value);
    else for (const [key, text] of flat(value, `${prefix}${name}.`)) out.set(key, text);
  }
  return out;
}

function read(locale: string, namespace: string): Map<string, string> {
  const path = `messages/${locale}/${namespace}.json`;
  return filesBelow(`messages/${locale}`, /\.json$/).includes(path) ? flat(JSON.parse(readSource(path)) as Messages) : new Map();
}

type Node = { type: number; value?: unknown; options?: Record<string, { value: Node[] }>; children?: Node[] };

/** Names of the values a text takes; throws when the text is no message. */
function valuesOf(text: string, locale: string): string[] {
  const names = new Set<string>();
  const walk = (nodes: Node[]) => {
    for (const node of nodes) {
      // 0 is plain text, 7 the # of a plural.
      if (node.type !== 0 && node.type !== 7 && typeof node.value === "string") names.add(node.value);
      for (const option of Object.values(node.options ?? {})) walk(option.value);
      if (node.children) walk(node.children);
    }
  };
  walk(new IntlMessageFormat(text, locale).getAst() as unknown as Node[]);
  return [...names].sort();
}

describe("texts", () => {
  test.each(namespaces)("%s: Chinese, English and Japanese have the same texts [SES-03]", (namespace) => {
    const [zh, en, ja] = [read("zh", namespace), read("en", namespace), read("ja", namespace)];
    expect(
      [...en.keys()].filter((key) => !zh.get(key)),
      "missing in Chinese",
    ).toEqual([]);
    expect(
      [...zh.keys()].filter((key) => !en.get(key)),
      "missing in English",
    ).toEqual([]);
    expect(
      [...en.keys()].filter((key) => !ja.get(key)),
      "missing in Japanese",
    ).toEqual([]);
    expect(
      [...ja.keys()].filter((key) => !en.has(key)),
      "only in Japanese",
    ).toEqual([]);
  });

  test.each(namespaces)("%s: every text is a valid message and takes the same values in every language", (namespace) => {
    const chinese = read("zh", namespace);
    const problems = locales.flatMap((locale) =>
      [...read(locale, namespace)].flatMap(([key, text]) => {
        try {
          const [own, first] = [valuesOf(text, locale), valuesOf(chinese.get(key) ?? "", "zh")];
          return own.join() === first.join()
            ? []
            : [`${locale} ${key} takes ${own.join(", ") || "nothing"}, in Chinese ${first.join(", ") || "nothing"}`];
        } catch (error) {
          return [`${locale} ${key}: ${(error as Error).message}`];
        }
      }),
    );
    expect(problems).toEqual([]);
  });

  test("every screen, area, error and right has its text", () => {
    const has = (namespace: string, key: string) => read("zh", namespace).has(key) && read("en", namespace).has(key);
    expect(
      screens.filter((screen) => !has("screens", screen.key)).map((screen) => screen.key),
      "messages/<l>/screens.json",
    ).toEqual([]);
    expect(
      [...new Set(screens.map((screen) => screen.area))].filter((area) => !has("shell", `areas.${area}`)),
      "shell.json, areas",
    ).toEqual([]);
    expect(
      Object.keys(errors).filter((code) => !has("errors", code)),
      "errors.json",
    ).toEqual([]);
    expect(
      [...read("zh", "errors").keys()].filter((code) => !(code in errors)),
      "texts of codes that lib/errors.ts does not have",
    ).toEqual([]);
    expect(
      Object.keys(permissions).filter((code) => !has("access", `codes.${code}`)),
      "access.json, codes",
    ).toEqual([]);
  });

  test.each(locales)("%s: a place in which nothing is found says so with the one shared text [OPS-22]", (locale) => {
    const said = { zh: "没有找到数据", en: "No data found", ja: "データが見つかりません" }[locale];
    const keys = namespaces.flatMap((namespace) =>
      [...read(locale, namespace)].flatMap(([key, text]) => (text === said ? [`${namespace}.${key}`] : [])),
    );
    expect(keys).toEqual(["ui.table.empty"]);
    const texts = { locale, timeZone: "UTC", messages: { ui: { table: { empty: said } } }, children: createElement(EmptyState) };
    expect(renderToStaticMarkup(createElement(NextIntlClientProvider, texts))).toContain(`>${said}</h2>`);
  });

  test("every key that the code asks for exists", () => {
    const missing = sources().flatMap(({ path, source }) => {
      const names = [...source.matchAll(/const (\w+) = (?:await )?(?:useTranslations|getTranslations)\(\s*"([\w.-]+)"\s*\)/g)];
      return names.flatMap(([, variable = "", scope = ""]) => {
        const [namespace = "", ...rest] = scope.split(".");
        const prefix = rest.length > 0 ? `${rest.join(".")}.` : "";
        const known = [...read("zh", namespace).keys()];
        const plain = [...source.matchAll(new RegExp(`\\b${variable}(?:\\.rich|\\.raw|\\.has)?\\(\\s*"([^"]+)"`, "g"))].map(
          (found) => prefix + (found[1] ?? ""),
        );
        const begun = [...source.matchAll(new RegExp(`\\b${variable}\\(\\s*\`([^\`$]+)\\$\\{`, "g"))].map(
          (found) => prefix + (found[1] ?? ""),
        );
        return [
          ...plain.filter((key) => !known.includes(key)).map((key) => `${path}: ${namespace}.${key}`),
          ...begun.filter((start) => !known.some((key) => key.startsWith(start))).map((start) => `${path}: ${namespace}.${start}…`),
        ];
      });
    });
    // One variable name may stand for several namespaces in one file; a key counts when any of them has it.
    const twice = missing.filter((line) => !isInAnother(line));
    expect([...new Set(twice)]).toEqual([]);
  });

  test("no visible text is written in the code", () => {
    const cjk = /[\u3040-\u30ff\u3400-\u9fff\uff00-\uffef]/;
    // The names of the languages are the same in every language.
    const allowed = ["components/shell/language-switch.tsx"];
    const offenders = sources()
      .filter(({ path }) => path.endsWith(".tsx") && !allowed.includes(path))
      .flatMap(({ path, source }) => source.split("\n").flatMap((line, i) => (cjk.test(line) ? [`${path}:${i + 1} ${line.trim()}`] : [])));
    expect(offenders, "texts belong in messages/<language>/<area>.json").toEqual([]);
  });
});

function sources(): { path: string; source: string }[] {
  return ["app", "components", "lib"]
    .flatMap((folder) => filesBelow(folder, /\.tsx?$/))
    .map((path) => ({ path, source: withoutComments(readSource(path)) }));
}

function isInAnother(line: string): boolean {
  const [path = "", key = ""] = line.split(": ");
  const source = readSource(path);
  const bare = key.slice(key.indexOf(".") + 1).replace(/…$/, "");
  return [...source.matchAll(/(?:useTranslations|getTranslations)\(\s*"([\w-]+)/g)].some(([, namespace = ""]) =>
    [...read("zh", namespace).keys()].some((known) => known.startsWith(bare)),
  );
}
