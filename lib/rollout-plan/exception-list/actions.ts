"use server";
import { action } from "#lib/core/action.ts";
import * as queries from "./queries.ts";
import { ExceptionInput } from "./schema.ts";

/** DUs with exceptions, by kind. */
export const planExceptions = action({
  address: "wbs/getDUException",
  kind: "read",
  needs: "rollout.view",
  input: ExceptionInput,
  run: queries.listExceptions,
  errors: ["QUERY_EXPIRED"],
});
