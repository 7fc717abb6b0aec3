import { z } from "zod";
import { type PermissionCode, permissions, roles } from "#lib/permissions.ts";
import { isScreenKey } from "#lib/screens.ts";

export const FindMatrix = z.object({});

const Code = z.enum(Object.keys(permissions) as [PermissionCode, ...PermissionCode[]]);
const Scope = z.enum(["Y", "O", ""]);

/** What one role may do for one code in this project; null takes the project's own word back. `was` names the word that was read. */
export const SavePermission = z.strictObject({
  role: z.enum(roles),
  code: Code,
  scope: Scope.nullable(),
  was: Scope.nullable().optional(),
});

/** Why somebody has a right or may open a screen, or not. */
export const AskWhy = z
  .strictObject({ userId: z.int().min(1), code: Code.optional(), screen: z.string().max(60).optional() })
  .superRefine(({ code, screen }, context) => {
    if ((code === undefined) === (screen === undefined))
      context.addIssue({ code: "custom", path: ["code"], params: { code: "VALUE_MISSING" } });
    else if (screen !== undefined && !isScreenKey(screen))
      context.addIssue({ code: "custom", path: ["screen"], params: { code: "VALUE_UNKNOWN" } });
  });
