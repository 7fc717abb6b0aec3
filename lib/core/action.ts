import type { z } from "zod";
import type { ErrorCode } from "#lib/errors.ts";
import type { PermissionCode } from "#lib/permissions.ts";
import type { Ctx, PersonCtx } from "./ctx.ts";
import type { Answer } from "./error.ts";

/** A code, several of which any suffices, membership alone, or a choice by input. */
export type ProjectNeed = PermissionCode | readonly PermissionCode[] | "member";

type Common<Schema extends z.ZodType> = {
  /** The spec's address, `{name}` for a part that goes into the input. */
  address: string;
  /** Further addresses of the same call, without parts. */
  also?: readonly string[];
  /** POST unless the spec says GET. */
  method?: "GET" | "POST";
  /** A read runs without transaction and writes nothing. */
  kind?: "read" | "write";
  input: Schema;
  /** Refusals a caller should expect, for the page of calls. */
  errors?: readonly ErrorCode[];
  /** `task`: the call starts background work and is counted against the caller's rate. */
  starts?: "task";
  /** Works in a closed project too. */
  onClosed?: true;
  /** Cookie a successful call leaves in the browser. */
  cookie?: (input: z.output<Schema>) => { name: string; value: string; maxAge: number };
  /** Needs the header X-CSRF-Token over HTTP, in addition to the same-origin check. */
  csrf?: true;
};

export type ProjectDeclaration<Schema extends z.ZodType = z.ZodType, Result = unknown> = Common<Schema> & {
  needs: ProjectNeed | ((input: z.output<Schema>) => ProjectNeed);
  /**
   * A changing call that does nothing but ask and write the database: it may begin with rights read a while ago, while those of now are read. Where they are
   * others it is rolled back and runs again.
   */
  ahead?: true;
  run: (ctx: Ctx, input: z.output<Schema>) => Promise<Result>;
};
export type PersonDeclaration<Schema extends z.ZodType = z.ZodType, Result = unknown> = Common<Schema> & {
  needs: "signedIn";
  run: (ctx: PersonCtx, input: z.output<Schema>) => Promise<Result>;
};
/** A call of anybody, signed in or not, that reads and writes no data. */
export type OpenDeclaration<Schema extends z.ZodType = z.ZodType, Result = unknown> = Common<Schema> & {
  kind: "read";
  needs: "anyone";
  run: (input: z.output<Schema>) => Promise<Result>;
};
// biome-ignore lint/suspicious/noExplicitAny: the tables hold declarations of every input and result.
export type Declaration = ProjectDeclaration<any, any> | PersonDeclaration<any, any> | OpenDeclaration<any, any>;

/** A server action of one argument with its declaration attached, so that React can call it and the door can find it. */
export type Action<Input, Result> = ((input: Input) => Promise<Answer<Result>>) & { declaration: Declaration };

export function action<Schema extends z.ZodType, Result>(declaration: PersonDeclaration<Schema, Result>): Action<z.input<Schema>, Result>;
export function action<Schema extends z.ZodType, Result>(declaration: OpenDeclaration<Schema, Result>): Action<z.input<Schema>, Result>;
export function action<Schema extends z.ZodType, Result>(declaration: ProjectDeclaration<Schema, Result>): Action<z.input<Schema>, Result>;
/**
 * Declares a call once: its address, right, input and what runs. The result answers React with the envelope and never throws.
 * Only the first argument is read: a caller may forge a second.
 */
export function action(declaration: Declaration): Action<never, unknown> {
  const call = async (input: unknown) => {
    const { callFromPage } = await import("./page-caller.ts");
    return callFromPage(declaration, input);
  };
  return Object.assign((input: unknown) => call(input), { declaration }) as Action<never, unknown>;
}
