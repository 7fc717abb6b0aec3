"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { ProjectNumbers, ShareTemplates, TransferCreator } from "./schema.ts";

export const transferCreator = action({
  address: "template/basic/transferCreator",
  also: ["template/transferCreator", "transferCreator"],
  needs: "template.transfer",
  input: TransferCreator,
  run: commands.transferCreator,
  errors: ["NOT_MEMBER", "TEMPLATE_NAME_EXISTS", "TEMPLATE_LIMIT", "NOT_FOUND"],
});

export const shareTemplates = action({
  address: "personal/shareOtherProject",
  needs: "template.share",
  input: ShareTemplates,
  run: commands.shareTemplates,
  errors: ["NOT_FOUND"],
});

export const validateProjectExist = action({
  address: "template/basic/validateProjectExist",
  also: ["template/validateProjectExist", "validateProjectExist"],
  kind: "read",
  needs: "template.share",
  input: ProjectNumbers,
  run: queries.validateProjects,
});
