"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { CompanyIds, FindCompanies, ListCompanies, Nothing, SaveCompany, SaveType, TypeIds } from "./schema.ts";

export const findCompanies = action({
  address: "subcon/findSubcontractors",
  kind: "read",
  needs: "project.enter",
  input: FindCompanies,
  run: queries.findCompanies,
});

export const listCompanies = action({
  address: "subcontractor/list/{page}/{size}/default/{filters}",
  kind: "read",
  needs: "resource.view",
  input: ListCompanies,
  run: queries.listCompanies,
});

export const saveCompany = action({
  address: "subcontractor/save",
  needs: "subcon.isolation",
  input: SaveCompany,
  run: commands.saveCompany,
  errors: ["CODE_EXISTS", "CODE_FORMAT", "NAME_EXISTS", "NAME_REQUIRED", "NAME_TOO_LONG", "NOTHING_MODIFIED", "NOT_FOUND", "STALE"],
});

export const deleteCompanies = action({
  address: "subcontractor/delete",
  needs: "subcon.isolation",
  input: CompanyIds,
  run: commands.deleteCompanies,
  errors: ["IN_USE", "NOT_FOUND"],
});

export const findTypes = action({
  address: "subconType/find",
  kind: "read",
  needs: "resource.view",
  input: Nothing,
  run: queries.listTypes,
});

export const saveType = action({
  address: "subconType/save",
  needs: "resource.edit",
  input: SaveType,
  run: commands.saveType,
  errors: ["NAME_EXISTS", "NAME_REQUIRED", "NAME_TOO_LONG", "NOTHING_MODIFIED", "NOT_FOUND", "STALE"],
});

export const deleteTypes = action({
  address: "subconType/delete",
  needs: "resource.edit",
  input: TypeIds,
  run: commands.deleteTypes,
  errors: ["IN_USE", "NOT_FOUND"],
});
