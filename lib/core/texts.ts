import { createTranslator } from "use-intl/core";
import type { ErrorCode } from "#lib/errors.ts";
import { isPermissionCode } from "#lib/permissions.ts";
import enAccess from "#messages/en/access.json" with { type: "json" };
import en from "#messages/en/errors.json" with { type: "json" };
import jaAccess from "#messages/ja/access.json" with { type: "json" };
import ja from "#messages/ja/errors.json" with { type: "json" };
import zhAccess from "#messages/zh/access.json" with { type: "json" };
import zh from "#messages/zh/errors.json" with { type: "json" };
import type { Params } from "./error.ts";
import type { Locale } from "./locale.ts";

const texts = {
  zh: { errors: zh, codes: zhAccess.codes },
  en: { errors: en, codes: enAccess.codes },
  ja: { errors: { ...en, ...ja }, codes: { ...enAccess.codes, ...jaAccess.codes } },
};
type Translate = (key: string, params?: Params) => string;
const translators = new Map<Locale, Translate>();

/** The text of an error code in a language, with rights by their names; Japanese falls back to English. */
export function errorText(locale: Locale, code: ErrorCode, params: Params = {}): string {
  let translate = translators.get(locale);
  if (!translate) {
    translate = createTranslator({ locale, messages: texts[locale], onError: () => {} }) as unknown as Translate;
    translators.set(locale, translate);
  }
  return translate(`errors.${code}`, grouped(withRights(translate, params)));
}

/** A right is named by its codes, any of which would do; what is no code, such as an attribute, has its name already. */
function withRights(translate: Translate, params: Params): Params {
  if (typeof params.right !== "string") return params;
  const names = params.right.split(", ").map((code) => (isPermissionCode(code) ? translate(`codes.${code}`) : code));
  return { ...params, right: names.join(" / ") };
}

const figures = new Intl.NumberFormat("en-US", { maximumFractionDigits: 6 });

/** Numbers are grouped by thousands in every language: 10,000. */
function grouped(params: Params): Params {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, typeof value === "number" ? figures.format(value) : value]),
  );
}
