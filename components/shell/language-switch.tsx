"use client";
import { IconChevronDown } from "@tabler/icons-react";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { DropMenu } from "#components/ui/drop-menu.tsx";
import { type Locale, localeCookie, localeCookieSeconds, localeNames, locales } from "#lib/core/locale.ts";
import classes from "./header.module.css";

/** Chooses the language of the page and of the next 30 days. */
export function LanguageSwitch({ onChoose }: { onChoose?: (locale: Locale) => void }) {
  const t = useTranslations("shell");
  const locale = useLocale() as Locale;
  const router = useRouter();
  const pathname = usePathname();
  const search = useSearchParams();
  const choose = (next: Locale) => {
    // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is not there in every browser
    document.cookie = `${localeCookie}=${next}; path=/; max-age=${localeCookieSeconds}; samesite=lax`;
    onChoose?.(next);
    const query = new URLSearchParams(search);
    const named = query.has("lang");
    query.delete("lang");
    // A language in the address would win over the choice.
    if (named) router.replace(`${pathname}${query.size ? `?${query}` : ""}`);
    router.refresh();
  };
  return (
    <DropMenu
      position="bottom-end"
      trigger={
        <button type="button" className={classes.button}>
          <span className="visually-hidden">{t("language")}</span>
          {localeNames[locale].short}
          <IconChevronDown size={12} stroke={1.7} />
        </button>
      }
      entries={locales.map((given) => ({
        key: given,
        text: localeNames[given].full,
        lang: given === "zh" ? "zh-CN" : given,
        current: given === locale || undefined,
        onClick: () => choose(given),
      }))}
    />
  );
}
