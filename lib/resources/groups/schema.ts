import { z } from "zod";
import { contractorChars, groupNameChars, groupsPerCall, membersMax, memberTypeChars, scenarioChars } from "./limits.ts";

const id = z.int().min(1);
const text = (max: number) =>
  z
    .string()
    .trim()
    .refine((given) => [...given].length <= max, { params: { code: "VALUE_TOO_LONG", max } })
    .transform((given) => given || null)
    .nullish();

export const ListGroups = z.strictObject({});

/** A new group or a changed one, with all its members. [RES-11] */
export const SaveGroup = z
  .strictObject({
    id: id.optional(),
    rowVersion: z.int().min(1).optional(),
    name: z
      .string()
      .trim()
      .refine((given) => given !== "", { params: { code: "NAME_REQUIRED" } })
      .refine((given) => [...given].length <= groupNameChars, { params: { code: "NAME_TOO_LONG", max: groupNameChars } }),
    scenario: text(scenarioChars),
    contractor: text(contractorChars),
    members: z
      .array(z.strictObject({ resourceId: id, memberType: text(memberTypeChars), isLeader: z.boolean().default(false) }))
      .refine((given) => given.length <= membersMax, { params: { code: "TOO_MANY", max: membersMax } })
      .transform((given) => [...new Map(given.map((member) => [member.resourceId, member])).values()]),
  })
  .superRefine((given, context) => {
    if (given.id !== undefined && given.rowVersion === undefined)
      context.addIssue({ code: "custom", path: ["rowVersion"], params: { code: "VALUE_MISSING" } });
    if (given.members.length > 0 && !given.members.some(({ isLeader }) => isLeader))
      context.addIssue({ code: "custom", path: ["members"], params: { code: "GROUP_LEADER_REQUIRED", name: given.name } });
  });
export type SaveGroup = z.output<typeof SaveGroup>;

export const DeleteGroups = z.strictObject({
  ids: z
    .array(id)
    .min(1)
    .max(groupsPerCall)
    .transform((given) => [...new Set(given)]),
});
export type DeleteGroups = z.output<typeof DeleteGroups>;
