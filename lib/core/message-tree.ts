/** Texts of one language by namespace (the file name without its ending); a text may hold further texts. */
export type Messages = { [name: string]: string | Messages };

/** The texts of `own`, and where it lacks one, the text of `fallback`. */
export function withFallback(own: Messages, fallback: Messages): Messages {
  const out: Messages = { ...fallback };
  for (const [name, value] of Object.entries(own)) {
    const present = out[name];
    out[name] = typeof value === "object" && typeof present === "object" ? withFallback(value, present) : value;
  }
  return out;
}

/** The named parts of all texts, at their places: `access`, or deeper `access.codes`. A name that leads nowhere is left out. */
export function pickMessages(all: Messages, names: readonly string[]): Messages {
  let out: Messages = {};
  for (const name of names) {
    const path = name.split(".");
    let found: string | Messages | undefined = all;
    for (const part of path) found = typeof found === "object" ? found[part] : undefined;
    if (found === undefined) continue;
    const placed = path.reduceRight<string | Messages>((inner, part) => ({ [part]: inner }), found);
    out = withFallback(placed as Messages, out);
  }
  return out;
}
