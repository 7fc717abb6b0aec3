import { z } from "zod";
import { rulesMax } from "#lib/plan-rules/limits.ts";

const id = z.int().min(1);

/** A run to be taken back, whole or what some of its rules did. */
export const RevertRun = z.strictObject({ runId: id, ruleIds: z.array(id).min(1).max(rulesMax).optional() });
/** What its task keeps. */
export const RevertParams = z.object({ runId: id });
