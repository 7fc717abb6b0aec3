import { createTranslator } from "use-intl/core";
import type { ErrorCode } from "#lib/errors.ts";
import { isPermissionCode } from "#lib/permissions.ts";
import enAccess from "#messages/en/access.json" with { type: "json" };
import en from "#messages/en/errors.json" with { type: "json" };
import enFields from "#messages/en/fields.json" with { type: "json" };
import jaAccess from "#messages/ja/access.json" with { type: "json" };
import ja from "#messages/ja/errors.json" with { type: "json" };
import jaFields from "#messages/ja/fields.json" with { type: "json" };
import zhAccess from "#messages/zh/access.json" with { type: "json" };
import zh from "#messages/zh/errors.json" with { type: "json" };
import zhFields from "#messages/zh/fields.json" with { type: "json" };
import type { Params } from "./error.ts";
import type { Locale } from "./locale.ts";

const texts = {
  zh: { errors: zh, codes: zhAccess.codes },
  en: { errors: en, codes: enAccess.codes },
  ja: { errors: { ...en, ...ja }, codes: { ...enAccess.codes, ...jaAccess.codes } },
};
const fieldNames: Record<Locale, Record<string, string>> = { zh: zhFields, en: enFields, ja: { ...enFields, ...jaFields } };
type Translate = (key: string, params?: Params) => string;
const translators = new Map<Locale, Translate>();

/** The text of an error code in a language, with rights and fields by their names; Japanese falls back to English. */
export function errorText(locale: Locale, code: ErrorCode, params: Params = {}): string {
  let translate = translators.get(locale);
  if (!translate) {
    translate = createTranslator({ locale, messages: texts[locale], onError: () => {} }) as unknown as Translate;
    translators.set(locale, translate);
  }
  return translate(`errors.${code}`, grouped(withField(locale, withRights(translate, params))));
}

/** A right is named by its codes, any of which would do; what is no code, such as an attribute, has its name already. */
function withRights(translate: Translate, params: Params): Params {
  if (typeof params.right !== "string") return params;
  const names = params.right.split(", ").map((code) => (isPermissionCode(code) ? translate(`codes.${code}`) : code));
  return { ...params, right: names.join(" / ") };
}

/**
 * A field of a call is named by its words, `rows.3.code` as "Rows 4 · Code": programs count from 0, people from 1.
 * What is no path of known fields, such as the title of a column, is a name already.
 */
function withField(locale: Locale, params: Params): Params {
  if (typeof params.field !== "string") return params;
  const names: string[] = [];
  for (const part of params.field.split(".")) {
    if (/^\d+$/.test(part) && names.length > 0) names.push(`${names.pop()} ${Number(part) + 1}`);
    else if (Object.hasOwn(fieldNames[locale], part)) names.push(fieldNames[locale][part] ?? part);
    else return params;
  }
  return { ...params, field: names.join(" · ") };
}

const figures = new Intl.NumberFormat("en-US", { maximumFractionDigits: 6 });

/** Numbers are grouped by thousands in every language: 10,000. */
function grouped(params: Params): Params {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, typeof value === "number" ? figures.format(value) : value]),
  );
}
