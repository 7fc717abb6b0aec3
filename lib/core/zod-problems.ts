import type { z } from "zod";
import { type ErrorCode, errors } from "#lib/errors.ts";
import type { Params, Problem } from "./error.ts";

type Issue = z.core.$ZodIssue & { params?: Record<string, unknown> };

/**
 * Problems of a failed parse: the field as the caller wrote it, a code, and the bound it breaks.
 * A check of our own names its code in `params.code`.
 * @param raw what was parsed, to tell a missing value from a wrong one
 */
export function zodProblems(error: z.ZodError, raw: unknown): Problem[] {
  return (error.issues as Issue[]).flatMap(byField).map((issue) => {
    const path = issue.path.map(String).join(".");
    const { code, params } = meaning(issue, valueAt(raw, issue.path));
    const object: Params = code === "NO_SELECTION" && params.object === undefined ? { object: selectedObject(path) } : {};
    return { path, code, params: { field: path, ...object, ...params } };
  });
}

/** One issue for each field nobody asked for: the first of them, with the beginning of their names. */
function byField(issue: Issue): Issue[] {
  if (issue.code !== "unrecognized_keys") return [issue];
  return issue.keys.slice(0, unknownFields).map((key) => ({ ...issue, path: [...issue.path, key.slice(0, valueChars)] }));
}

const unknownFields = 20;

const objects: readonly [ending: RegExp, object: string][] = [
  [/^dus?$|duIds?$/i, "du"],
  [/columns?$/i, "column"],
  [/activit(y|ies)$|activityIds?$/i, "activity"],
  [/categor(y|ies)$|categoryIds?$/i, "category"],
];

/** Codes whose text repeats what was given, and how much of it. */
const showsValue: ReadonlySet<string> = new Set<ErrorCode>(["DATE_FORMAT", "NUMBER_FORMAT"]);
const valueChars = 60;

/** What was not selected, by the field it should stand in. */
function selectedObject(path: string): string {
  const field = path.split(".").at(-1) ?? "";
  return objects.find(([ending]) => ending.test(field))?.[1] ?? "record";
}

function meaning(issue: Issue, value: unknown): { code: ErrorCode; params: Params } {
  const own = issue.params?.code;
  if (typeof own === "string" && own in errors) {
    const { code: _code, ...params } = issue.params as Record<string, unknown>;
    const said: Params = showsValue.has(own) && typeof value === "string" ? { value: value.slice(0, valueChars) } : {};
    return { code: own as ErrorCode, params: { ...said, ...(params as Params) } };
  }
  switch (issue.code) {
    case "invalid_type":
      if (issue.expected === "int" && typeof value === "number") return { code: "NUMBER_INTEGER", params: {} };
      return { code: value === undefined ? "VALUE_MISSING" : "VALUE_FORMAT", params: {} };
    case "too_big":
      return {
        code: issue.origin === "string" ? "VALUE_TOO_LONG" : issue.origin === "array" ? "TOO_MANY" : "VALUE_TOO_LARGE",
        params: { max: Number(issue.maximum) },
      };
    case "too_small":
      if ((issue.origin === "number" || issue.origin === "int") && Number(issue.minimum) === 0)
        return { code: "NUMBER_NEGATIVE", params: {} };
      return issue.origin === "string" && Number(issue.minimum) === 1
        ? { code: "VALUE_MISSING", params: {} }
        : {
            code: issue.origin === "array" && Number(issue.minimum) === 1 ? "NO_SELECTION" : "VALUE_TOO_SMALL",
            params: { min: Number(issue.minimum) },
          };
    case "unrecognized_keys":
      return { code: "VALUE_UNKNOWN", params: {} };
    case "invalid_value":
      return { code: value === undefined ? "VALUE_MISSING" : "VALUE_UNKNOWN", params: {} };
    default:
      return { code: "VALUE_FORMAT", params: {} };
  }
}

function valueAt(raw: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => (at === null || at === undefined ? undefined : (at as Record<PropertyKey, unknown>)[key]), raw);
}
