"use server";
import { action } from "#lib/core/action.ts";
import { type NamedKind, namedKinds } from "./limits.ts";
import * as queries from "./queries.ts";
import { CheckName } from "./schema.ts";

/** Whether a name is still free; the right is that of the kind. */
export const checkNameUnique = action({
  address: "planConfig/checkNameUnique",
  kind: "read",
  needs: ({ kind }) => (Object.hasOwn(namedKinds, kind) ? namedKinds[kind as NamedKind].right : "project.enter"),
  input: CheckName,
  run: queries.checkNameUnique,
  errors: ["NOT_FOUND"],
});
