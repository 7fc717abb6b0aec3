const ideographs = /[\u3040-\u30ff\u3400-\u9fff][\u3040-\u30ff\u3400-\u9fff\s]*/;

/** Two letters that stand for a person: the end of a Chinese name, the family name of one written with a space, the first letters of the first and the last word of another. */
export function initials(name: string): string {
  const own = ideographs.exec(name)?.[0].trim();
  if (own) {
    const [family = "", given] = own.split(/\s+/);
    return given ? [...family].slice(0, 2).join("") : [...family].slice(-2).join("");
  }
  const words = name.split(/[\s._-]+/).filter(Boolean);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends
    .map((word) => [...(word ?? "")][0] ?? "")
    .join("")
    .toUpperCase();
}
