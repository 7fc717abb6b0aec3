"use client";
import { useEffect, useState } from "react";
import { asLocale, defaultLocale, type Locale, localeCookie } from "#lib/core/locale.ts";
import en from "#messages/en/fatal.json" with { type: "json" };
import ja from "#messages/ja/fatal.json" with { type: "json" };
import zh from "#messages/zh/fatal.json" with { type: "json" };
import classes from "./fatal-error.module.css";

const texts = { zh, en, ja };

/** What is left to say when nothing else of the page works: no provider is there, so the language comes from the cookie. */
export function FatalError({ digest, onRetry }: { digest: string | undefined; onRetry: () => void }) {
  const [locale, setLocale] = useState<Locale>(defaultLocale);
  useEffect(() => {
    const cookie = new RegExp(`(?:^|; )${localeCookie}=(\\w+)`).exec(document.cookie)?.[1];
    setLocale(asLocale(cookie) ?? defaultLocale);
  }, []);
  const text = texts[locale];
  return (
    <main className={classes.panel} role="alert" lang={locale === "zh" ? "zh-CN" : locale}>
      <h1>{text.page}</h1>
      <p>{text.pageText}</p>
      {digest ? <code>{digest}</code> : null}
      <button type="button" onClick={onRetry}>
        {text.retry}
      </button>
    </main>
  );
}
