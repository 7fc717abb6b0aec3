import { type ParseArgsConfig, parseArgs } from "node:util";
import type { z } from "zod";
import { endSql } from "#db/client.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import { errorText } from "#lib/core/texts.ts";
import { zodProblems } from "#lib/core/zod-problems.ts";

/** What a command was given cannot be read: the sentence says what to write. */
export class WrongUse extends Error {}

type Options = NonNullable<ParseArgsConfig["options"]>;

const optionOf = (field: string) => `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/**
 * What was written behind a command: one word and options, `--hosting-country=DE` as `hostingCountry`.
 * @throws an error whose sentence says which of it is unknown or too much
 */
export function readArguments(args: readonly string[], options: Options): { word: string | undefined; values: Record<string, unknown> } {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [word, extra] = positionals;
  if (extra !== undefined) throw new WrongUse(`"${extra}" belongs to no option: write values with blanks in quotation marks.`);
  const named = Object.entries(values).map(([name, value]) => [
    name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ]);
  return { word, values: Object.fromEntries(named) };
}

/** What was given, checked. @throws INVALID_INPUT with what is wrong, field by field */
export function checkInput<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const problems = zodProblems(result.error, given);
  throw new AppError("INVALID_INPUT", { field: problems[0]?.path ?? "" }, problems);
}

/**
 * A sentence for every field that is wrong, which begins with or names its option; null for what is no refusal.
 * @param word the field that is written without an option
 */
export function refusalLines(error: unknown, word: string): string[] | null {
  if (error instanceof WrongUse) return [error.message];
  if (error instanceof Error && String((error as NodeJS.ErrnoException).code).startsWith("ERR_PARSE_ARGS")) return [error.message];
  if (!(error instanceof AppError)) return null;
  if (error.problems.length === 0) return [errorText("en", error.code, error.params)];
  const first = new Map<string, Problem>();
  for (const problem of error.problems) if (!first.has(problem.path)) first.set(problem.path, problem);
  return [...first.values()].map(({ path, code, params }) => {
    const option = path === word ? `<${word}>` : optionOf(path);
    const text = errorText("en", code, { ...params, field: option });
    return text.includes(option) ? text : `${option}: ${text}`;
  });
}

/**
 * Runs a command: says what came of it, or what it refuses with exit code 1, and closes the database.
 * @param word the field that is written without an option
 */
export async function runCommand(usage: string, word: string, work: () => Promise<readonly string[]>): Promise<void> {
  try {
    for (const line of await work()) console.log(line);
  } catch (error) {
    const lines = refusalLines(error, word);
    if (!lines) throw error;
    for (const line of [...lines, `Usage: ${usage}`]) console.error(line);
    process.exitCode = 1;
  } finally {
    await endSql();
  }
}
