"use client";
import { useLocale, useTranslations } from "next-intl";
import { type ComponentType, type ReactNode, Suspense, use, useSyncExternalStore } from "react";
import { type Locale, locales } from "#lib/core/locale.ts";
import { type Messages, withFallback } from "#lib/core/message-tree.ts";
import { ErrorPanel } from "./error-panel.tsx";
import { MoreTexts } from "./more-texts.tsx";
import { useUnreadPart } from "./unread-parts.ts";
import { useLoaded } from "./use-loaded.ts";

/** Texts that are there, and those on their way, by language and areas. */
const there = new Map<string, Messages>();
const asked = new Map<string, Promise<Messages>>();
const keyOf = (locale: Locale, names: readonly string[]) => `${locale} ${names.join()}`;

async function read(locale: Locale, name: string): Promise<Messages> {
  const { default: texts } = (await import(`../../messages/${locale}/${name}.json`)) as { default: Messages };
  return locale === "ja" ? withFallback(texts, await read("en", name)) : texts;
}

async function readAll(locale: Locale, names: readonly string[]): Promise<Messages> {
  const texts = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await read(locale, name)] as const))) as Messages;
  there.set(keyOf(locale, names), texts);
  return texts;
}

/** Texts of areas in a language; read once, always the same promise for the same names. */
function readTexts(locale: Locale, names: readonly string[]): Promise<Messages> {
  const key = keyOf(locale, names);
  const texts = asked.get(key) ?? readAll(locale, names);
  asked.set(key, texts);
  // What could not be read is asked for again at the next try.
  texts.catch(() => asked.delete(key));
  return texts;
}

type PartOf<Props> = { load: () => Promise<ComponentType<Props>>; texts: readonly string[]; place?: (() => ReactNode) | undefined };

/** The component that is loaded, within the texts of its areas, both there. */
async function readPart<Props extends object>({ load, texts, place }: PartOf<Props>): Promise<ComponentType<Props>> {
  if (texts.length === 0) return load();
  const locale = locales.find((name) => document.documentElement.lang.startsWith(name));
  const [Part] = await Promise.all([load(), locale && readTexts(locale, texts)]);
  return function PartWithTexts(props: Props) {
    return (
      <Suspense fallback={place?.()}>
        <WithTexts names={texts}>
          <Part {...props} />
        </WithTexts>
      </Suspense>
    );
  };
}

/** In a part of its own, which waits for the texts where another language was chosen since the code was read. */
function WithTexts({ names, children }: { names: readonly string[]; children: ReactNode }) {
  const locale = useLocale() as Locale;
  const texts = there.get(keyOf(locale, names)) ?? use(readTexts(locale, names));
  return <MoreTexts texts={texts}>{children}</MoreTexts>;
}

const never = () => () => {};

/** Nothing, until a part with a place of its own is there. */
export const blank = () => null;

/**
 * A part of a screen whose code, and the texts of the areas it names, are read when it is first shown. Where they cannot be read, a part with a place of its own
 * says so there; for one that opens over the page, the page does, and `onClose`, where the part has it, gives it up. The screen around it stays in either case.
 * @param load gives the component
 * @param texts areas whose texts the page around it does not have
 * @param place what stands in its place until it is there; left out for what opens over the page
 */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  texts: readonly string[] = [],
  place?: () => ReactNode,
): ComponentType<Props> {
  let kept: ComponentType<Props> | null = null;
  const readOnce = async () => {
    kept ??= await readPart({ load, texts, place });
    return kept;
  };
  return function OnDemand(props: Props) {
    const before = useSyncExternalStore(
      never,
      () => kept,
      () => null,
    );
    const { Part: now, unread, again } = useLoaded(readOnce, before === null);
    useUnreadPart(unread && !place, again, (props as { onClose?: () => void }).onClose);
    const Part = before ?? now;
    if (Part) return <Part {...props} />;
    return unread && place ? <PlaceUnread onRetry={again} /> : place?.();
  };
}

function PlaceUnread({ onRetry }: { onRetry: () => void }) {
  const t = useTranslations("ui.part");
  return <ErrorPanel title={t("unread")} text={t("check")} onRetry={onRetry} />;
}
