"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import {
  CheckName,
  DeleteTemplates,
  FindDefaults,
  FindTemplate,
  ListTemplates,
  SaveDefault,
  SavePosition,
  SaveTemplate,
  TemplateNames,
  ValidateName,
} from "./schema.ts";

export const saveTemplate = action({
  address: "template/basic/save",
  also: ["template/save"],
  needs: ({ kind }) => (kind === "plan" ? "template.project" : kind === "reverse" ? "reverseTemplate.edit" : "template.edit"),
  input: SaveTemplate,
  run: commands.saveTemplate,
  errors: [
    "NAME_REQUIRED",
    "TEMPLATE_NAME_EXISTS",
    "TEMPLATE_LIMIT",
    "NAME_TOO_LONG",
    "NAME_INVALID",
    "NO_PUBLIC_RIGHT",
    "LOCKED_COLUMNS",
    "FILTER_TOO_LONG",
    "SEARCH_TOO_MANY",
    "NOT_FOUND",
    "STALE",
    "NOTHING_MODIFIED",
  ],
});

export const getTemplateNames = action({
  address: "template/basic/getTemplateNames",
  also: ["template/getTemplateNames", "getTemplateNames"],
  kind: "read",
  needs: "member",
  input: TemplateNames,
  run: queries.listTemplateNames,
});

/** A template with what it keeps. */
export const getTemplate = action({
  address: "template/basic/find",
  also: ["template/find"],
  kind: "read",
  needs: "member",
  input: FindTemplate,
  run: queries.getTemplate,
  errors: ["NOT_FOUND"],
});

export const listTemplates = action({
  address: "template/list/{page}/{size}/default/{filters}",
  kind: "read",
  needs: "member",
  input: ListTemplates,
  run: queries.listTemplates,
});

export const validateTemplateName = action({
  address: "template/basic/validateTemplateName",
  also: ["template/validateTemplateName", "validateTemplateName"],
  kind: "read",
  needs: ["template.edit", "template.project", "reverseTemplate.edit"],
  input: ValidateName,
  run: queries.validateTemplateName,
});

export const deleteTemplates = action({
  address: "template/basic/delete",
  also: ["template/delete"],
  needs: ["template.edit", "template.project", "reverseTemplate.edit"],
  input: DeleteTemplates,
  run: commands.deleteTemplates,
  errors: ["IN_USE", "NO_PUBLIC_RIGHT", "NOT_FOUND"],
});

export const findDefaults = action({
  address: "personalized/defaultMapping/find",
  kind: "read",
  needs: "member",
  input: FindDefaults,
  run: queries.listDefaults,
});

export const saveDefault = action({
  address: "personalized/defaultMapping/save",
  needs: "member",
  input: SaveDefault,
  run: commands.saveDefault,
  errors: ["NOT_FOUND", "NO_PUBLIC_RIGHT"],
});

export const checkTemplateName = action({
  address: "personalized/checkTemplateName",
  kind: "read",
  needs: "member",
  input: CheckName,
  run: queries.checkTemplateName,
});

export const savePosition = action({
  address: "personal/savePosition",
  needs: "member",
  input: SavePosition,
  run: commands.savePosition,
  errors: ["NOT_FOUND", "NO_PERMISSION"],
});
