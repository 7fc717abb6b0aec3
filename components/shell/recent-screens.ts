import { isScreenKey, type ScreenKey } from "#lib/screens.ts";

const kept = 6;
const storageKey = (project: string) => `milepost.recent.${project}`;

/** Screens of a project opened last in this browser, newest first. */
export function readRecent(project: string): ScreenKey[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey(project)) ?? "[]");
    return Array.isArray(stored) ? stored.filter((key): key is ScreenKey => typeof key === "string" && isScreenKey(key)) : [];
  } catch {
    return [];
  }
}

/** Notes that a screen was opened. */
export function noteRecent(project: string, key: ScreenKey): void {
  try {
    const keys = [key, ...readRecent(project).filter((other) => other !== key)].slice(0, kept);
    localStorage.setItem(storageKey(project), JSON.stringify(keys));
  } catch {
    // A browser that refuses storage has no recent screens.
  }
}
