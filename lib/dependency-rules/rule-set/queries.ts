import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import type { DependencyRule } from "./logic.ts";

/** Effective dependency rules of the project. No screen makes any yet, so the list is empty. */
export async function listEffectiveRules(_ctx: Ctx): Promise<DependencyRule[]> {
  return [];
}
