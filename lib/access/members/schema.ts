import { z } from "zod";
import { listInput } from "#lib/core/paging.ts";
import { type Role, roles } from "#lib/permissions.ts";
import { derivedRoles, membersPerCall } from "../limits.ts";

/** Members by role, by the state of that role's validity, by account, name or e-mail. */
export const MemberList = listInput(
  { account: ["like", "eq"], name: ["like"], search: ["like"], role: ["in", "eq"], state: ["in", "eq"] },
  { sortable: ["account", "name", "expiresOn"] },
);

const id = z.int().min(1);
const day = z.iso.date();
/** Roles somebody may be given by hand. */
export const GrantableRole = z.enum(roles.filter((role) => !(derivedRoles as readonly string[]).includes(role)) as [Role, ...Role[]]);

const ids = z
  .array(id)
  .min(1)
  .max(membersPerCall)
  .transform((given) => [...new Set(given)]);

/** A role for one person or for many, or another validity for a role somebody holds. */
export const SaveMemberRole = z
  .strictObject({
    userId: id.optional(),
    userIds: ids.optional(),
    role: GrantableRole.optional(),
    id: id.optional(),
    rowVersion: z.int().min(1).optional(),
    validFrom: day,
    validTo: day.nullish(),
  })
  .superRefine((given, context) => {
    const people = Number(given.userId !== undefined) + Number(given.userIds !== undefined);
    const problem =
      given.id !== undefined ? (people > 0 ? "id" : null) : people !== 1 ? "userId" : given.role === undefined ? "role" : null;
    if (problem) context.addIssue({ code: "custom", path: [problem], params: { code: "VALUE_MISSING" } });
  });

/** Roles to take away, with the revisions they were read at. */
export const DeleteMemberRoles = z.strictObject({ ids, rowVersions: z.record(z.string(), z.int()).optional() });

/** The conditions of the list that is exported. */
export const ExportMembers = z.preprocess(
  (given) => ({ page: 1, size: 20, filters: (given as { filters?: unknown } | null)?.filters ?? [] }),
  MemberList,
);
