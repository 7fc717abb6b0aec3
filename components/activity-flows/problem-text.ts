import type { Answer } from "#lib/core/error.ts";

/**
 * Texts of a refusal by field; what belongs to no field of the form stands under the empty name.
 * @param fallbackField field that refusals of the whole record belong to, such as a name in use
 * @param unreachable text when the server did not answer
 */
export function problemText(answer: Answer<unknown>, fallbackField: string, unreachable: string): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const { path, msg } of answer.problems ?? []) texts[path.split(".")[0] ?? ""] ??= msg;
  if (Object.keys(texts).length > 0) return texts;
  return { [answer.code === "NAME_EXISTS" || answer.code === "ACTIVITY_REPEAT" ? fallbackField : ""]: answer.msg ?? unreachable };
}
