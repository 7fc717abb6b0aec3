import "#components/ui/layers.css";
import "#components/ui/mantine.css";
import "#components/ui/tokens.css";
import "#components/ui/base.css";
import type { Viewport } from "next";
import { headers } from "next/headers";
import { NextIntlClientProvider } from "next-intl";
import { getLocale, getMessages, getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { HashHead } from "#components/shell/hash-head.tsx";
import { browserSkin } from "#components/shell/open-shell.ts";
import { Providers } from "#components/shell/providers.tsx";
import { type Messages, pickMessages } from "#lib/core/message-tree.ts";

export const viewport: Viewport = { width: "device-width", initialScale: 1, colorScheme: "dark light" };

/** Texts every page has; others come with the screens and parts that are written in them. */
const everywhere = ["common", "fatal", "screens", "shell", "ui"];

/** The document: language, skin, texts; and the script that opens original addresses before anything else happens. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const [locale, messages, errors, skin, given] = await Promise.all([
    getLocale(),
    getMessages(),
    getTranslations("errors"),
    browserSkin(),
    headers(),
  ]);
  const nonce = given.get("x-nonce") ?? "";
  return (
    <html lang={locale === "zh" ? "zh-CN" : locale} data-mantine-color-scheme={skin} suppressHydrationWarning>
      <head>
        <HashHead nonce={nonce} />
      </head>
      <body>
        <NextIntlClientProvider messages={pickMessages(messages as Messages, everywhere)}>
          <Providers skin={skin} nonce={nonce} answers={{ SERVICE_ERROR: errors("SERVICE_ERROR"), TIMEOUT: errors("TIMEOUT") }}>
            {children}
          </Providers>
        </NextIntlClientProvider>
      </body>
    </html>
  );
}
