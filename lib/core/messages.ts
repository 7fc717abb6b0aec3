import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locale } from "./locale.ts";
import { type Messages, withFallback } from "./message-tree.ts";

const read = new Map<Locale, Messages>();

function readFolder(locale: Locale): Messages {
  const folder = join(/* turbopackIgnore: true */ process.cwd(), "messages", locale);
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return Object.fromEntries(files.map((name) => [name.slice(0, -5), JSON.parse(readFileSync(join(folder, name), "utf8")) as Messages]));
}

/** All texts of a language, read once; what Japanese lacks is English. In development the files are read at every call. */
export function loadMessages(locale: Locale): Messages {
  const known = read.get(locale);
  if (known && process.env.NODE_ENV !== "development") return known;
  const own = readFolder(locale);
  const messages = locale === "ja" ? withFallback(own, readFolder("en")) : own;
  read.set(locale, messages);
  return messages;
}
