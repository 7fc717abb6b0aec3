"use client";
import { useLocale, useTranslations } from "next-intl";
import { type ComponentType, type ReactNode, Suspense, use, useSyncExternalStore } from "react";
import { type Locale, locales } from "#lib/core/locale.ts";
import { type Messages, withFallback } from "#lib/core/message-tree.ts";
import { ErrorPanel } from "./error-panel.tsx";
import { MoreTexts } from "./more-texts.tsx";
import { useUnreadPart } from "./unread-parts.ts";
import { useLoaded } from "./use-loaded.ts";

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

/** The component `load` gives, within the texts of the areas, both there. */
async function readPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  texts: readonly string[],
): Promise<ComponentType<Props>> {
  if (texts.length === 0) return load();
  const locale = locales.find((name) => document.documentElement.lang.startsWith(name));
  const [Part] = await Promise.all([load(), locale && readTexts(locale, texts)]);
  return function PartWithTexts(props: Props) {
    const read = readTexts(useLocale() as Locale, texts);
    return (
      <Suspense>
        <Texts read={read}>
          <Part {...props} />
        </Texts>
      </Suspense>
    );
  };
}

/** In a part of its own, which waits for the texts of a language chosen since the code was read. */
function Texts({ read, children }: { read: Promise<Messages>; children: ReactNode }) {
  return <MoreTexts texts={use(read)}>{children}</MoreTexts>;
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
  let there: ComponentType<Props> | null = null;
  const readOnce = async () => {
    there ??= await readPart(load, texts);
    return there;
  };
  return function OnDemand(props: Props) {
    const before = useSyncExternalStore(
      never,
      () => there,
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
