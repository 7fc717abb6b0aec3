"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import * as schema from "./schema.ts";

export const listMembers = action({
  address: "memberRole/list/{page}/{size}/default/{filters}",
  kind: "read",
  needs: "role.view",
  input: schema.MemberList,
  run: (ctx, input) => queries.listMembers(ctx, input),
});
export const saveMemberRole = action({
  address: "memberRole/save",
  needs: "role.assign",
  input: schema.SaveMemberRole,
  errors: ["NOT_FOUND", "ROLE_EXISTS", "LAST_PM", "DATE_ORDER", "STALE", "NOTHING_MODIFIED"],
  run: (ctx, input) => commands.saveRoles(ctx, input),
});
export const deleteMemberRoles = action({
  address: "memberRole/delete",
  needs: "role.assign",
  input: schema.DeleteMemberRoles,
  errors: ["NOT_FOUND", "LAST_PM", "STALE"],
  run: (ctx, input) => commands.deleteRoles(ctx, input),
});
