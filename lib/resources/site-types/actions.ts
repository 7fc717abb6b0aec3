"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { Nothing, SaveSiteTypes, SiteTypeIds } from "./schema.ts";

export const findSiteTypes = action({
  address: "siteType/find",
  kind: "read",
  needs: "resource.view",
  input: Nothing,
  run: queries.readSiteTypes,
});

export const saveSiteTypes = action({
  address: "siteType/save",
  needs: "resource.edit",
  input: SaveSiteTypes,
  run: commands.saveSiteTypes,
  errors: [
    "IN_USE",
    "NAME_EXISTS",
    "NAME_REQUIRED",
    "NAME_TOO_LONG",
    "NOTHING_MODIFIED",
    "NOT_FOUND",
    "PERCENT_RANGE",
    "PERCENT_SUM",
    "STALE",
    "TOO_MANY_DIMENSIONS",
    "TOO_MANY_SITE_TYPES",
  ],
});

export const deleteSiteTypes = action({
  address: "siteType/delete",
  needs: "resource.edit",
  input: SiteTypeIds,
  run: commands.deleteSiteTypes,
  errors: ["NOT_FOUND"],
});
