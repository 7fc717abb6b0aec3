/** Languages of the product; the first is the default. Nothing else can be selected. */
export const locales = ["zh", "en", "ja"] as const;
export type Locale = (typeof locales)[number];
export const defaultLocale: Locale = "zh";
/** Each language in its own words: short for the header, full for a list. */
export const localeNames: Record<Locale, { short: string; full: string }> = {
  zh: { short: "中文", full: "中文" },
  en: { short: "EN", full: "English" },
  ja: { short: "日本語", full: "日本語" },
};
/** Cookie that keeps the chosen language, and its life in seconds: 30 days. */
export const localeCookie = "lang";
export const localeCookieSeconds = 2_592_000;

/** The language a text names, or null when it names none of ours. */
export function asLocale(text: string | null | undefined): Locale | null {
  return (locales as readonly string[]).includes(text ?? "") ? (text as Locale) : null;
}

/** Language of a request: the address's `lang`, else the cookie, else Chinese; unknown values are ignored. */
export function chooseLocale(query: string | null | undefined, cookie: string | null | undefined): Locale {
  return asLocale(query) ?? asLocale(cookie) ?? defaultLocale;
}
