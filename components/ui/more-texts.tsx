"use client";
import { NextIntlClientProvider, useLocale, useMessages } from "next-intl";
import { type ReactNode, useMemo } from "react";
import type { Messages } from "#lib/core/message-tree.ts";

/** Gives what is inside further texts, beside those that are there. */
export function MoreTexts({ texts, children }: { texts: Messages; children: ReactNode }) {
  const above = useMessages() as Messages;
  const locale = useLocale();
  const messages = useMemo(() => ({ ...above, ...texts }), [above, texts]);
  return (
    <NextIntlClientProvider locale={locale} messages={messages}>
      {children}
    </NextIntlClientProvider>
  );
}
