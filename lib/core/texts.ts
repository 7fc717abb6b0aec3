import { createTranslator } from "use-intl/core";
import type { ErrorCode } from "#lib/errors.ts";
import en from "#messages/en/errors.json" with { type: "json" };
import ja from "#messages/ja/errors.json" with { type: "json" };
import zh from "#messages/zh/errors.json" with { type: "json" };
import type { Params } from "./error.ts";
import type { Locale } from "./locale.ts";

const texts: Record<Locale, Record<string, string>> = { zh, en, ja: { ...en, ...ja } };
const translators = new Map<Locale, (code: string, params: Params) => string>();

/** The text of an error code in a language; Japanese falls back to English. */
export function errorText(locale: Locale, code: ErrorCode, params: Params = {}): string {
  let translate = translators.get(locale);
  if (!translate) {
    const made = createTranslator({ locale, messages: { errors: texts[locale] }, namespace: "errors", onError: () => {} });
    translate = made as unknown as (code: string, params: Params) => string;
    translators.set(locale, translate);
  }
  return translate(code, grouped(params));
}

const figures = new Intl.NumberFormat("en-US", { maximumFractionDigits: 6 });

/** Numbers are grouped by thousands in every language: 10,000. */
function grouped(params: Params): Params {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, typeof value === "number" ? figures.format(value) : value]),
  );
}
