import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, posix, relative, resolve } from "node:path";

export const root = resolve(import.meta.dirname, "../..");

/** Paths below a folder of the repository, from its root, with forward slashes; empty for a folder that does not exist. */
export function filesBelow(folder: string, ending: RegExp): string[] {
  const start = join(root, folder);
  if (!statSync(start, { throwIfNoEntry: false })) return [];
  return readdirSync(start, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .filter((path) => !path.includes("node_modules/"))
    .sort();
}

/** Text of a file of the repository. */
export function readSource(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/** The same without comments: what the program does, not what is said about it. */
export function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|[\s;{}(,])\/\/[^\n]*/g, "$1");
}

export type Import = { to: string; typeOnly: boolean; line: number };

const statement = /(?:^|\n)\s*(import|export)\s+(type\s+)?([^;"']*?\sfrom\s+)?["']([^"'\n]+)["']|\bimport\(\s*["']([^"'\n]+)["']\s*\)/g;

/** Imports of a file, local ones as paths from the root of the repository. An import of types alone leaves nothing behind and is marked so. */
export function importsOf(path: string): Import[] {
  const source = withoutComments(readSource(path));
  return [...source.matchAll(statement)].flatMap((found) => {
    const to = found[4] ?? found[5];
    if (!to) return [];
    const clause = found[3] ?? "";
    const names = /\{([^}]*)\}/.exec(clause)?.[1];
    const onlyTypes =
      names !== undefined &&
      !/^\s*\w+\s*,/.test(clause) &&
      names.split(",").every((name) => !name.trim() || name.trim().startsWith("type "));
    return [
      { to: localPath(path, to), typeOnly: Boolean(found[2]) || onlyTypes, line: source.slice(0, found.index).split("\n").length + 1 },
    ];
  });
}

function localPath(from: string, to: string): string {
  if (to.startsWith("#")) return to.slice(1);
  return to.startsWith(".") ? posix.normalize(posix.join(posix.dirname(from), to)) : to;
}
