import { type Screen, type ScreenKey, screenAt, screenOf } from "#lib/screens.ts";

/** First segments of addresses that can never be a project number. */
export const reservedSegments = [
  "api",
  "_next",
  "sign-in",
  "calls",
  "unsubscribe",
  "favicon.ico",
  "icon.svg",
  "robots.txt",
  "assets",
] as const;

/** What a project number looks like; it is the first segment of every address of a project. */
export const projectNumberPattern = /^[A-Za-z0-9_-]{1,40}$/;

/** The project an address belongs to, or null for `/` and reserved or impossible first segments. */
export function projectOfPath(pathname: string): string | null {
  const first = pathname.split("/")[1] ?? "";
  return projectNumberPattern.test(first) && !(reservedSegments as readonly string[]).includes(first.toLowerCase()) ? first : null;
}

export type QueryValue = string | number | boolean | null | undefined | readonly (string | number)[];
export type HrefParts = { params?: Record<string, string | number>; query?: Record<string, QueryValue> | URLSearchParams };

function queryText(query: HrefParts["query"]): string {
  if (!query) return "";
  const out = query instanceof URLSearchParams ? query : new URLSearchParams();
  if (!(query instanceof URLSearchParams)) {
    for (const [name, value] of Object.entries(query)) {
      if (value === null || value === undefined || value === "") continue;
      for (const one of Array.isArray(value) ? value : [value]) out.append(name, String(one));
    }
  }
  const text = out.toString();
  return text ? `?${text}` : "";
}

function fill(pattern: string, params: Record<string, string | number> = {}): string {
  return pattern.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined || value === "") throw new Error(`the address ${pattern} needs "${name}"`);
    return encodeURIComponent(String(value));
  });
}

/** The screen that a key opens in the end, with the query values its redirects add. */
export function destination(key: ScreenKey): { screen: Screen; query: Record<string, string> } {
  let screen = screenOf(key);
  const query: Record<string, string> = {};
  while (screen.redirect) {
    Object.assign(query, screen.redirect.query);
    screen = screenOf(screen.redirect.to);
  }
  return { screen, query };
}

/**
 * Address of a screen. A screen that only redirects is skipped: the address is that of its target.
 * @param projectNumber project the address leads into
 */
export function href(key: ScreenKey, parts: HrefParts, projectNumber: string): string {
  const { screen, query } = destination(key);
  const text = new URLSearchParams(queryText(parts.query));
  for (const [name, value] of Object.entries(query)) text.set(name, value);
  const path = fill(screen.path, parts.params);
  return `/${encodeURIComponent(projectNumber)}${path ? `/${path}` : ""}${queryText(text)}`;
}

/** The screen an address of a project shows, with its path parameters decoded; null outside a project and for unknown addresses. */
export function screenOfAddress(pathname: string): { screen: Screen; params: Record<string, string> } | null {
  if (!projectOfPath(pathname)) return null;
  const found = screenAt(pathname.split("/").slice(2).join("/"));
  if (!found) return null;
  const params = Object.fromEntries(Object.entries(found.params).map(([name, value]) => [name, decodeOnce(value)]));
  return { screen: found.screen, params };
}

/** Percent-decodes a text once; a text that is not encoded properly stays as it is. */
export function decodeOnce(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * The classic address of a screen: `/?projectNumber=P100#/etmCheckItem?x=y`. Null for screens that never had one.
 * @param query query of the present address, kept
 */
export function classicHref(screen: Screen, params: Record<string, string>, query: URLSearchParams, projectNumber: string): string | null {
  if (screen.hash === null) return null;
  return `/?projectNumber=${encodeURIComponent(projectNumber)}#${fill(screen.hash, params)}${queryText(query)}`;
}

/**
 * The address somebody is sent to after signing in: one of this product, else the root.
 * @param to as it stood in the query; anything that could lead elsewhere is dropped
 */
export function returnAddress(to: string | null | undefined): string {
  const here = "http://milepost.invalid";
  if (!to?.startsWith("/") || !URL.canParse(to, here)) return "/";
  const url = new URL(to, here);
  const inside = url.pathname === "/" || url.pathname === "/calls" || projectOfPath(url.pathname) !== null;
  return url.origin === here && inside ? `${url.pathname}${url.search}` : "/";
}
