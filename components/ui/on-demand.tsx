"use client";
import dynamic from "next/dynamic";
import { useLocale } from "next-intl";
import { type ComponentType, type ReactNode, use } from "react";
import { type Locale, locales } from "#lib/core/locale.ts";
import { type Messages, withFallback } from "#lib/core/message-tree.ts";
import { MoreTexts } from "./more-texts.tsx";

const loaded = new Map<string, Promise<Messages>>();

async function read(locale: Locale, name: string): Promise<Messages> {
  const { default: texts } = (await import(`../../messages/${locale}/${name}.json`)) as { default: Messages };
  return locale === "ja" ? withFallback(texts, await read("en", name)) : texts;
}

/** Texts of areas in a language; read once, always the same promise for the same names. */
function readTexts(locale: Locale, names: readonly string[]): Promise<Messages> {
  const key = `${locale} ${names.join()}`;
  const texts =
    loaded.get(key) ??
    Promise.all(names.map(async (name) => [name, await read(locale, name)] as const)).then((list) => Object.fromEntries(list) as Messages);
  loaded.set(key, texts);
  // What could not be read is asked for again at the next try.
  texts.catch(() => loaded.delete(key));
  return texts;
}

/**
 * A part of a screen whose code, and the texts of the areas it names, are read when it is first shown.
 * @param load gives the component
 * @param texts areas whose texts the page around it does not have
 * @param place what stands in its place until it is there; nothing by default
 */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  texts: readonly string[] = [],
  place: () => ReactNode = () => null,
): ComponentType<Props> {
  if (texts.length === 0) return dynamic<Props>(load, { ssr: false, loading: place });
  return dynamic<Props>(
    async () => {
      const locale = locales.find((name) => document.documentElement.lang.startsWith(name));
      const [Part] = await Promise.all([load(), locale && readTexts(locale, texts)]);
      return function PartWithTexts(props: Props) {
        return (
          <MoreTexts texts={use(readTexts(useLocale() as Locale, texts))}>
            <Part {...props} />
          </MoreTexts>
        );
      };
    },
    { ssr: false, loading: place },
  );
}
