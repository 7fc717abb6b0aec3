import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createTranslator } from "use-intl/core";
import type { Locale } from "#lib/core/locale.ts";

/** The texts of one area in a language, as the screens show them: journeys find buttons and fields by them. */
export function textsOf(locale: Locale, area: string): (key: string, values?: Record<string, string | number>) => string {
  const messages = JSON.parse(readFileSync(join(import.meta.dirname, `../../messages/${locale}/${area}.json`), "utf8"));
  return createTranslator({ locale, messages }) as never;
}
