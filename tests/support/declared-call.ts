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

/**
 * Runs a declared call through the gate, for loops over all of them.
 * @param user null for nobody
 */
export function runDeclared(declaration: Declaration, user: CtxUser | null, projectNumber: string | null, input: unknown): Promise<Answer> {
  forgetRights();
  return runCall(
    declaration,
    {
      who: user ? { user, sid: null, tokenId: user.id, csrfToken: null, expiresAt: new Date(8.64e15) } : null,
      projectNumber,
      locale: "en",
      requestId: randomUUID(),
      ip: null,
      // Each call has its own minute, so that the rate of starting tasks is not what is measured.
      now: new Date(clock.getTime() + ++minute * 60_000),
    },
    input,
  );
}

/** The schema of a call's input, for making one. */
export const schemaOf = (declaration: Declaration) => z.toJSONSchema(declaration.input, { io: "input", unrepresentable: "any" });

type Ids = Pick<WholeProject, "numbers" | "keys">;

/** An input that fits the call, with the given ids wherever it asks for one. */
export const sampleFor = (declaration: Declaration, { numbers, keys }: Ids, bare: number | string = numbers.du!) =>
  sampleInput(schemaOf(declaration), { numbers, keys, bare });

/**
 * Inputs that try every given id in every place a call has for one; of a list also the plain page, and every id in every field it filters by.
 * @param tried ids that are tried one after the other where the name of a field does not say what it holds; all by default
 */
export function samplesFor(declaration: Declaration, ids: Ids, tried: readonly (number | string)[] = allOf(ids)): unknown[] {
  const schema = schemaOf(declaration) as ListSchema & { allOf?: ListSchema[] };
  const filterFields = [schema, ...(schema.allOf ?? [])].find((part) => part.filterFields)?.filterFields;
  const open = /"ids?":/.test(JSON.stringify(schema)) ? tried : tried.slice(0, 1);
  const inputs = open.map((bare) => sampleFor(declaration, ids, bare));
  if (!filterFields) return inputs;
  const { sort: _sort, ...page } = inputs[0] as Record<string, unknown>;
  const filtered = Object.entries(filterFields).flatMap(([field, [type]]) =>
    tried.map((value) => ({ ...page, filters: [{ field, type, values: [value] }] })),
  );
  return [...inputs, page, ...filtered];
}

type ListSchema = { filterFields?: Record<string, string[]> };

const allOf = ({ numbers, keys }: Ids) => [...new Set<number | string>([...Object.values(numbers), ...Object.values(keys)])];
