"use server";
import { action } from "#lib/core/action.ts";
import { FindGantt, FindMap, FindTeams } from "../outputs/schema.ts";
import * as queries from "./queries.ts";

export const findGantt = action({
  address: "engine/output/find/gantt",
  kind: "read",
  needs: "engine.view",
  input: FindGantt,
  run: queries.findGantt,
  errors: ["NOT_FOUND", "NO_OUTPUT"],
});

export const findMap = action({
  address: "engine/output/find/map",
  kind: "read",
  needs: "engine.view",
  input: FindMap,
  run: queries.findMap,
  errors: ["NOT_FOUND", "NO_OUTPUT"],
});

export const findTeams = action({
  address: "engine/output/find/teams",
  kind: "read",
  needs: "engine.view",
  input: FindTeams,
  run: queries.findTeams,
  errors: ["NOT_FOUND", "NO_OUTPUT"],
});
