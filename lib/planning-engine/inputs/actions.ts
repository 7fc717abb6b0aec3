"use server";
import type { z } from "zod";
import { action, type ProjectDeclaration } from "#lib/core/action.ts";
import { listSuffix, type Page } from "#lib/core/paging.ts";
import type { ErrorCode } from "#lib/errors.ts";
import { deleteRows, saveRows } from "./commands.ts";
import type { BlockName, GivenRow } from "./logic.ts";
import { type InputRow, listRows } from "./queries.ts";
import {
  DeleteRows,
  ListInputs,
  SaveDuMaterials,
  SaveEngineDus,
  SaveInventory,
  SaveItemSubstitutes,
  SaveReuseMaterials,
  SaveSkillResources,
} from "./schema.ts";

// Every input of a version has the same three calls; they differ in what a row is, and how one is refused.
const list = (block: BlockName, address: string): ProjectDeclaration<typeof ListInputs, Page<InputRow>> => ({
  address: `${address}/find/${listSuffix}`,
  also: [`${address}/find/list`],
  kind: "read",
  needs: "engine.view",
  input: ListInputs,
  run: (ctx, input) => listRows(ctx, block, input),
  errors: ["NOT_FOUND"],
});
const save = <Schema extends z.ZodType<{ versionId: number; rows: GivenRow[] }>>(
  block: BlockName,
  address: string,
  input: Schema,
  ...refusals: ErrorCode[]
): ProjectDeclaration<Schema, { ids: number[] }> => ({
  address: `${address}/save`,
  needs: "engine.edit",
  input,
  run: (ctx, given) => saveRows(ctx, block, given),
  errors: [...refusals, "NOTHING_MODIFIED", "NOT_FOUND", "STALE", "TOO_MANY", "VERSION_LOCKED"],
});
const remove = (block: BlockName, address: string): ProjectDeclaration<typeof DeleteRows, { deleted: number }> => ({
  address: `${address}/delete`,
  needs: "engine.edit",
  input: DeleteRows,
  run: (ctx, input) => deleteRows(ctx, block, input),
  errors: ["NOT_FOUND", "NO_SELECTION", "TOO_MANY", "VERSION_LOCKED"],
});

export const listEngineDus = action(list("du", "nc/duConfig"));
export const saveEngineDus = action(save("du", "nc/duConfig", SaveEngineDus, "CLUSTER_PRIORITY_UNEQUAL", "ENGINE_ROW_REPEAT"));
export const deleteEngineDus = action(remove("du", "nc/duConfig"));

export const listSkillResources = action(list("skillResource", "engine/skillResource"));
export const saveSkillResources = action(save("skillResource", "engine/skillResource", SaveSkillResources, "ENGINE_ROW_REPEAT"));
export const deleteSkillResources = action(remove("skillResource", "engine/skillResource"));

export const listDuMaterials = action(list("duMaterial", "nc/duMaterial"));
export const saveDuMaterials = action(save("duMaterial", "nc/duMaterial", SaveDuMaterials, "ENGINE_ROW_REPEAT", "QTY_EXACTLY_ONE"));
export const deleteDuMaterials = action(remove("duMaterial", "nc/duMaterial"));

export const listInventory = action(list("inventory", "nc/inventory"));
export const saveInventory = action(save("inventory", "nc/inventory", SaveInventory, "INVENTORY_EMPTY", "PLAN_QTY_DATE_PAIR"));
export const deleteInventory = action(remove("inventory", "nc/inventory"));

export const listItemSubstitutes = action(list("itemSubstitute", "nc/itemSubstitute"));
export const saveItemSubstitutes = action(
  save("itemSubstitute", "nc/itemSubstitute", SaveItemSubstitutes, "ENGINE_ROW_REPEAT", "SUBSTITUTE_UNEQUAL"),
);
export const deleteItemSubstitutes = action(remove("itemSubstitute", "nc/itemSubstitute"));

// Their list is dismantling/actions.ts, which has the dismantled rows of sites too.
export const saveReuseMaterials = action(save("reuseMaterial", "nc/reuseMaterial", SaveReuseMaterials, "ENGINE_ROW_REPEAT"));
export const deleteReuseMaterials = action(remove("reuseMaterial", "nc/reuseMaterial"));
