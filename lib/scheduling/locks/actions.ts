"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { FindLockTargets, FreezeActivities, ListFreezes, ListLocks, LockActivities, PreviewFreeze } from "./schema.ts";

export const fixActivities = action({
  address: "plan/fix",
  needs: "plan.fixDate",
  input: LockActivities,
  run: commands.fixActivities,
  errors: ["DU_NOT_FOUND", "NA_OR_INV", "NO_ACTIVITY", "PLAN_EMPTY", "TOO_MANY_DU"],
});

export const unfixActivities = action({
  address: "plan/unfix",
  needs: "plan.fixDate",
  input: LockActivities,
  run: commands.unfixActivities,
  errors: ["DU_NOT_FOUND", "NO_ACTIVITY", "TOO_MANY_DU"],
});

export const freezeActivities = action({
  address: "plan/freeze",
  needs: "plan.freeze",
  input: FreezeActivities,
  run: commands.freezeActivities,
  errors: ["ACTIVITY_COMPLETED", "DU_NOT_FOUND", "NA_OR_INV", "NO_ACTIVITY", "PLAN_EMPTY", "REASON_REQUIRED", "TOO_MANY_DU"],
});

export const unfreezeActivities = action({
  address: "plan/unfreeze",
  needs: "plan.frozenChange",
  input: FreezeActivities,
  run: commands.unfreezeActivities,
  errors: ["DU_NOT_FOUND", "NO_ACTIVITY", "REASON_REQUIRED", "TOO_MANY_DU"],
});

export const listLockTargets = action({
  address: "plan/lockTargets",
  kind: "read",
  needs: ["plan.fixDate", "plan.freeze", "plan.frozenChange"],
  input: FindLockTargets,
  run: queries.listLockTargets,
  errors: ["NO_SELECTION", "TOO_MANY_DU"],
});

export const previewFreeze = action({
  address: "planFreeze/preview",
  kind: "read",
  needs: "plan.freeze",
  input: PreviewFreeze,
  run: queries.previewFreeze,
});

export const listFreezes = action({
  address: "planFreeze/list/{page}/{size}/default/{filters}",
  kind: "read",
  needs: "plan.lockQuery",
  input: ListFreezes,
  run: queries.listFreezes,
});

export const listLocks = action({
  address: "lockLogic/list/{page}/{size}/default/{filters}",
  kind: "read",
  needs: "plan.lockQuery",
  input: ListLocks,
  run: queries.listLocks,
});
