import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Declaration } from "#lib/core/action.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import type { Answer } from "#lib/core/error.ts";
import { forgetRights, runCall } from "#lib/core/gate.ts";
import { clock } from "./database.ts";
import { sampleInput } from "./sample-input.ts";
import type { WholeProject } from "./whole-project.ts";

let minute = 0;
let reader: CtxUser | null | undefined;

/**
 * Runs a declared call through the gate, for loops over all of them. A changing call reads and leaves fresh rights; those of one who only reads on are kept.
 * @param user null for nobody
 */
export function runDeclared(declaration: Declaration, user: CtxUser | null, projectNumber: string | null, input: unknown): Promise<Answer> {
  const reads = declaration.kind === "read" && !declaration.starts;
  if (!reads || user !== reader) forgetRights();
  reader = reads ? user : undefined;
  if (!reads) minute++;
  return runCall(
    declaration,
    {
      who: user ? { user, sid: null, tokenId: user.id, csrfToken: null, expiresAt: new Date(8.64e15) } : null,
      projectNumber,
      locale: "en",
      requestId: randomUUID(),
      ip: null,
      // Each changing call has its own minute, so that the rate of starting tasks is not what is measured.
      now: new Date(clock.getTime() + minute * 60_000),
    },
    input,
  );
}

type ListSchema = { filterFields?: Record<string, string[]> };
type InputSchema = ListSchema & { allOf?: ListSchema[] };

const schemas = new WeakMap<Declaration, InputSchema>();

/** The schema of a call's input, for making one; it is written out once. */
function schemaOf(declaration: Declaration): InputSchema {
  const schema = schemas.get(declaration) ?? (z.toJSONSchema(declaration.input, { io: "input", unrepresentable: "any" }) as InputSchema);
  schemas.set(declaration, schema);
  return schema;
}

/** What a call that gives a page filters by; undefined of every other call. */
export function filterFieldsOf(declaration: Declaration): Record<string, string[]> | undefined {
  const schema = schemaOf(declaration);
  return [schema, ...(schema.allOf ?? [])].find((part) => part.filterFields)?.filterFields;
}

type Ids = Pick<WholeProject, "numbers" | "keys">;

/** An input that fits the call, with the given ids wherever it asks for one. */
export const sampleFor = (declaration: Declaration, { numbers, keys }: Ids, bare: number | string = numbers.du!) =>
  sampleInput(schemaOf(declaration), { numbers, keys, bare });

/**
 * Inputs that try every given id in every place a call has for one; of a list also the plain page, and every id in every field it filters by.
 * @param tried ids that are tried one after the other where the name of a field does not say what it holds; all by default
 */
export function samplesFor(declaration: Declaration, ids: Ids, tried: readonly (number | string)[] = allOf(ids)): unknown[] {
  const schema = schemaOf(declaration);
  const filterFields = filterFieldsOf(declaration);
  const open = /"ids?":/.test(JSON.stringify(schema)) ? tried : tried.slice(0, 1);
  const inputs = open.map((bare) => sampleFor(declaration, ids, bare));
  if (!filterFields) return inputs;
  const { sort: _sort, ...page } = inputs[0] as Record<string, unknown>;
  const filtered = Object.entries(filterFields).flatMap(([field, [type]]) =>
    tried.map((value) => ({ ...page, filters: [{ field, type, values: [value] }] })),
  );
  return [...inputs, page, ...filtered];
}

/** Each input once: of sets made with other ids, the inputs that ask for none are the same. */
export const distinct = (inputs: readonly unknown[]): unknown[] => [
  ...new Map(inputs.map((input) => [JSON.stringify(input), input])).values(),
];

/** Whether a call refuses a person whatever it is asked: it asks for the right before it finds that it was given no input at all. */
export const refusesAll = async (declaration: Declaration, user: CtxUser, projectNumber: string): Promise<boolean> =>
  (await runDeclared(declaration, user, projectNumber, "no input")).code === "NO_PERMISSION";

const allOf = ({ numbers, keys }: Ids) => [...new Set<number | string>([...Object.values(numbers), ...Object.values(keys)])];
