"use client";
import { hashScript } from "./hash-script.ts";

/** The script of the document head. The browser has it from the document, so neither the program nor the page's data repeats its text. */
export function HashHead({ nonce }: { nonce: string }) {
  const text = typeof window === "undefined" ? hashScript() : "";
  // biome-ignore lint/security/noDangerouslySetInnerHtml: our own script, made from the table of screens
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: text }} />;
}
