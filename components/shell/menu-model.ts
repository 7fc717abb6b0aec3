import type { PermissionCode } from "#lib/permissions.ts";
import { type MenuGroup, mayOpen, menuGroups, type Screen, type ScreenKey, screenOf, screens } from "#lib/screens.ts";

/** Longest name of a menu entry, in every language. */
export const menuNameChars = 40;

export type MenuEntry = { group: MenuGroup; screens: Screen[] };

/**
 * The menu of somebody who holds these codes: entries without right are left out, and groups without entries with them.
 * @param country of the project: entries of other countries are left out
 */
export function menuOf(holds: (code: PermissionCode) => boolean, country: string): MenuEntry[] {
  return menuGroups
    .map((group) => ({
      group,
      screens: screens.filter((screen) => screen.menu === group && offeredIn(screen, country) && mayOpen(screen, holds)),
    }))
    .filter((entry) => entry.screens.length > 0);
}

/** The first screen of each group of somebody's menu: where one may go on who may not go here. */
export function waysOn(holds: (code: PermissionCode) => boolean, country: string): ScreenKey[] {
  return menuOf(holds, country).flatMap(({ screens: [first] }) => (first ? [first.key] : []));
}

const offeredIn = (screen: Screen, country: string) => screen.country === undefined || screen.country === country;

/** The entry of the menu a screen stands under: itself or the nearest screen above it that is in the menu. */
export function menuEntryOf(key: ScreenKey): ScreenKey | null {
  let screen: Screen | null = screenOf(key);
  if (screen.aliasOf) screen = screenOf(screen.aliasOf);
  while (screen && !screen.menu) screen = screen.parent ? screenOf(screen.parent) : null;
  return screen?.key ?? null;
}

/** Screens nearest to an address nobody knows, best first: by shared words of address and hash route. */
export function nearestScreens(address: string, holds: (code: PermissionCode) => boolean, most = 5): Screen[] {
  const asked = wordsOf(address);
  const scored = screens
    .filter((screen) => screen.menu && mayOpen(screen, holds))
    .map((screen) => ({ screen, score: likeness(asked, wordsOf(`${screen.path} ${screen.hash ?? ""}`)) }))
    .filter(({ score }) => score > 0);
  return scored
    .sort((left, right) => right.score - left.score)
    .slice(0, most)
    .map(({ screen }) => screen);
}

function wordsOf(text: string): string[] {
  return text
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 2);
}

/** Letters that each asked word shares with the beginning of its likest own word; fewer than four, unless it is the whole word, count nothing. */
function likeness(asked: string[], own: string[]): number {
  let sum = 0;
  for (const word of asked) {
    const shared = own.map((other) => (word === other ? word.length + 1 : commonBeginning(word, other)));
    const best = Math.max(0, ...shared);
    if (best >= 4 || own.includes(word)) sum += best;
  }
  return sum;
}

function commonBeginning(left: string, right: string): number {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length += 1;
  return length;
}
