import type { Declaration } from "./action.ts";
import { AppError } from "./error.ts";
import { filterChars, searchBoxes, searchEntriesMax } from "./filter-limits.ts";
import { searchEntries } from "./search-entries.ts";

/** A declared call found by its address, with the parts of the address that go into the input. */
export type Match = { declaration: Declaration; parts: Record<string, string> };

const numbers = new Set(["page", "size"]);

/** Finds declarations by address: plain ones at once, those with `{parts}` by their segments, the most literal first. */
export class AddressBook {
  private readonly plain = new Map<string, Declaration>();
  private readonly patterns: { segments: string[]; declaration: Declaration }[] = [];

  constructor(declarations: Iterable<Declaration>) {
    for (const declaration of declarations) {
      for (const address of [declaration.address, ...(declaration.also ?? [])])
        if (address.includes("{")) this.patterns.push({ segments: address.split("/"), declaration });
        else if (this.plain.has(address)) throw new Error(`two calls at ${address}`);
        else this.plain.set(address, declaration);
    }
    const literal = (segments: string[]) => segments.filter((segment) => !segment.startsWith("{")).length;
    this.patterns.sort((left, right) => literal(right.segments) - literal(left.segments));
  }

  /** The call at an address whose segments are already decoded, or null. */
  find(segments: readonly string[]): Match | null {
    const plain = this.plain.get(segments.join("/"));
    if (plain) return { declaration: plain, parts: {} };
    for (const { segments: pattern, declaration } of this.patterns) {
      if (pattern.length !== segments.length) continue;
      const parts: Record<string, string> = {};
      const fits = pattern.every((name, index) => {
        const given = segments[index] ?? "";
        if (!name.startsWith("{")) return name === given;
        parts[name.slice(1, -1)] = given;
        return true;
      });
      if (fits) return { declaration, parts };
    }
    return null;
  }
}

/**
 * Input of a call: the query of a GET, else the body, and above both the parts of the address. Page and size become numbers, filters are read as JSON.
 * The language never belongs to the input, the project number only where a call is about the person.
 * @throws FILTER_TOO_LONG, SEARCH_TOO_MANY, INVALID_INPUT for filters that are no JSON array
 */
export function mergeInput({ declaration, parts }: Match, query: URLSearchParams, body: unknown): unknown {
  if (Array.isArray(body)) return body;
  const input: Record<string, unknown> = {};
  if (body === undefined)
    for (const [name, value] of query)
      if (name !== "lang" && (name !== "projectNumber" || declaration.needs === "signedIn")) input[name] = value;
  if (body && typeof body === "object") Object.assign(input, body);
  for (const [name, value] of Object.entries(parts)) {
    if (name === "filters") input.filters = readFilters(value);
    else input[name] = numbers.has(name) && /^\d{1,9}$/.test(value) ? Number(value) : value;
  }
  return input;
}

function readFilters(text: string): unknown {
  if (text === "" || text === "[]") return [];
  let filters: unknown;
  try {
    filters = JSON.parse(text);
  } catch {
    // falls through to the refusals below
  }
  const searched = Array.isArray(filters) ? filters.filter((one) => searchBoxes.has(one?.field)) : [];
  // A search box is bounded by its entries alone [OPS-30]: so they are counted here, for every list.
  for (const { values } of searched)
    if (Array.isArray(values) && values.flatMap((value) => searchEntries(String(value ?? ""))).length > searchEntriesMax)
      throw new AppError("SEARCH_TOO_MANY", { max: searchEntriesMax });
  const chars = searched.reduce((sum, one) => sum - JSON.stringify(one).length, text.length);
  if (chars > filterChars) throw new AppError("FILTER_TOO_LONG", { max: filterChars });
  if (Array.isArray(filters)) return filters;
  throw new AppError("INVALID_INPUT", { field: "filters" }, [{ path: "filters", code: "VALUE_FORMAT", params: { field: "filters" } }]);
}
