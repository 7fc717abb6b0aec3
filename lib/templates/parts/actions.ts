"use server";
import { action } from "#lib/core/action.ts";
import * as queries from "./queries.ts";
import { FindActivities, FindAttributes, FindOrganisations, ValidateAttributes } from "./schema.ts";

export const findRepOffice = action({
  address: "template/basic/find/repOffice",
  also: ["template/find/repOffice", "find/repOffice"],
  kind: "read",
  needs: "reverseTemplate.edit",
  input: FindOrganisations,
  run: queries.listOrganisations,
});

export const findAttribute = action({
  address: "template/basic/find/attribute",
  also: ["template/find/attribute", "find/attribute"],
  kind: "read",
  needs: "template.edit",
  input: FindAttributes,
  run: queries.listAttributes,
});

export const findActivityList = action({
  address: "template/basic/find/activity/list",
  also: ["template/find/activity/list", "find/activity/list"],
  kind: "read",
  needs: "template.edit",
  input: FindActivities,
  run: queries.listActivities,
});

export const validateAttribute = action({
  address: "template/basic/validate/attribute",
  also: ["template/validate/attribute", "validate/attribute"],
  kind: "read",
  needs: "template.edit",
  input: ValidateAttributes,
  run: queries.validateAttributes,
});
