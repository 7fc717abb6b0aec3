"use server";
import { action } from "#lib/core/action.ts";
import { FindComparison, FindFacts } from "../outputs/schema.ts";
import * as queries from "./queries.ts";

export const findComparison = action({
  address: "engine/output/find/compare",
  kind: "read",
  needs: "engine.view",
  input: FindComparison,
  run: queries.findComparison,
  errors: ["NOT_FOUND", "NO_OUTPUT"],
});

export const findFacts = action({
  address: "engine/output/find/facts",
  kind: "read",
  needs: "engine.view",
  input: FindFacts,
  run: queries.findFacts,
  errors: ["NOT_FOUND"],
});
