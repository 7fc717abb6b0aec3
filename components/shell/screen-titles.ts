import { createTranslator } from "use-intl/core";
import { titleValues } from "#lib/core/hash.ts";
import { type Locale, locales } from "#lib/core/locale.ts";
import { type ScreenKey, screens } from "#lib/screens.ts";
import type { IndexedScreen } from "./command-index.ts";

const load: Record<Locale, () => Promise<{ default: Record<string, string> }>> = {
  zh: () => import("#messages/zh/screens.json"),
  en: () => import("#messages/en/screens.json"),
  ja: () => import("#messages/ja/screens.json"),
};

/** Titles of all screens in the three languages, the page's own first: read when the command box opens for the first time. */
export async function loadTitles(locale: Locale): Promise<IndexedScreen[]> {
  const order = [locale, ...locales.filter((other) => other !== locale)];
  const plain = titleValues(new URLSearchParams());
  const translators = await Promise.all(
    order.map(async (language) => {
      const { default: messages } = await load[language]();
      return createTranslator({ locale: language, messages }) as unknown as (key: ScreenKey, values: typeof plain) => string;
    }),
  );
  return screens
    .filter((screen) => !screen.aliasOf && !screen.redirect)
    .map(({ key }) => ({ key, titles: translators.map((translate) => translate(key, plain)) }));
}
