import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import type { PlanWarning } from "./logic.ts";

/** Warnings configured for the project. No screen configures any yet, so the list is empty. */
export async function listWarnings(_ctx: Ctx): Promise<PlanWarning[]> {
  return [];
}
