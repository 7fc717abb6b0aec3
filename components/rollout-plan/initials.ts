const ideographs = /[\u3040-\u30ff\u3400-\u9fff]/;

/** Two letters that stand for a person: the end of a Chinese or Japanese name, the first letters of the first and the last word of another. */
export function initials(name: string): string {
  const trimmed = name.trim();
  const letters = [...trimmed.replace(/\s/g, "")];
  if (ideographs.test(trimmed)) return letters.slice(-2).join("");
  const words = trimmed.split(/[\s._-]+/).filter(Boolean);
  const [first = "", last = ""] = [words[0], words.length > 1 ? words.at(-1) : ""];
  return ([...first][0] ?? "").concat([...(last ?? "")][0] ?? "").toUpperCase();
}
