import { type Screen, type ScreenKey, screens } from "#lib/screens.ts";
import { decodeOnce, destination, href, projectNumberPattern, projectOfPath } from "./href.ts";

/** A fragment read as an original address: the screen (null: an unknown route), the parameters of its path, its query. */
export type HashMatch = { screen: ScreenKey | null; params: Record<string, string>; query: URLSearchParams; route: string };

type Pattern = { screen: Screen; segments: string[] };

const fixed = new Map<string, Screen>();
const patterns: Pattern[] = [];
for (const screen of screens) {
  if (screen.hash === null) continue;
  const segments = screen.hash.split("/").filter(Boolean);
  if (segments.some((segment) => segment.startsWith(":"))) patterns.push({ screen, segments });
  else fixed.set(segments.join("/").toLowerCase(), screen);
}

function matchPattern(pattern: Pattern, parts: string[]): Record<string, string> | null {
  if (pattern.segments.length !== parts.length) return null;
  const params: Record<string, string> = {};
  for (const [i, segment] of pattern.segments.entries()) {
    const part = parts[i] ?? "";
    if (segment.startsWith(":")) params[segment.slice(1)] = part;
    else if (segment.toLowerCase() !== part.toLowerCase()) return null;
  }
  return params;
}

/**
 * Reads a fragment as an original hash route: `#/etmCheckItem?x=y`, with or without its leading slash. Fixed segments match in any letter case,
 * parameters keep theirs, a trailing slash is ignored; a route written out beats one with parameters.
 * Null for a fragment that is no address, such as an anchor in the page; a match without screen for a route nobody knows.
 */
export function matchHash(fragment: string): HashMatch | null {
  const text = fragment.replace(/^#/, "");
  if (!text) return null;
  const cut = text.indexOf("?");
  const route = cut < 0 ? text : text.slice(0, cut);
  const query = new URLSearchParams(cut < 0 ? "" : text.slice(cut + 1));
  const parts = route.split("/").filter(Boolean).map(decodeOnce);
  const known = fixed.get(parts.join("/").toLowerCase());
  if (known && (parts.length > 0 || route.startsWith("/"))) return { screen: known.key, params: {}, query, route };
  if (!route.startsWith("/")) return null;
  for (const pattern of patterns) {
    const params = matchPattern(pattern, parts);
    if (params) return { screen: pattern.screen.key, params, query, route };
  }
  return { screen: null, params: {}, query, route };
}

/**
 * The screen's own address for a matched fragment. Values of the fragment's query win over those of the search part, except the project:
 * search part first, then the fragment's own, then the project of the path. Null when no project is known.
 */
export function hrefOf(match: HashMatch, at: { pathname: string; search: string }): string | null {
  const here = projectOfPath(at.pathname);
  if (!here && at.pathname !== "/") return null;
  const query = new URLSearchParams(at.search);
  const number = query.get("projectNumber") ?? match.query.get("projectNumber") ?? here;
  if (!number || !projectNumberPattern.test(number) || projectOfPath(`/${number}`) === null) return null;
  for (const name of new Set(match.query.keys())) query.delete(name);
  for (const [name, value] of match.query) query.append(name, value);
  query.delete("projectNumber");
  if (match.screen) return href(match.screen, { params: match.params, query }, number);
  const path = match.route
    .split("/")
    .filter(Boolean)
    .map((part) => encodeURIComponent(decodeOnce(part)));
  const text = query.toString();
  return `/${number}/${path.join("/")}${text ? `?${text}` : ""}`;
}

/** The parts of an address that the breadcrumb's links keep. */
export const keptQuery = ["deliveryType"] as const;

/** Values a screen's title names, from the address: `deliveryType` appended as " - value" (at most 60 characters), `period` of the cycle report. */
export function titleValues(query: { get: (name: string) => string | null }): { deliveryType: string; period: string } {
  const delivery = (query.get("deliveryType") ?? "").trim().slice(0, 60);
  const period = query.get("period") ?? "";
  return { deliveryType: delivery ? ` - ${delivery}` : "", period: ["day", "month"].includes(period) ? period : "week" };
}

/** Route table of the head script: one line per route, `<hash route> <own path>?<added query>`, redirects already followed. */
export function routeLines(): string {
  return screens
    .filter((screen) => screen.hash !== null)
    .map((screen) => {
      const { screen: target, query } = destination(screen.key);
      return `${screen.hash} ${target.path}?${new URLSearchParams(query)}`;
    })
    .join("\n");
}
