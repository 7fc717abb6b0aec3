"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { ApplyPreview, FindAnchors, FindSubconPm, PreviewRowsInput, PreviewSchedule } from "./schema.ts";

export const findSubconPm = action({
  address: "rollout/schedule/findSubconPM",
  kind: "read",
  needs: "rollout.view",
  input: FindSubconPm,
  run: queries.findSubconPm,
  errors: ["TOO_MANY_DU"],
});

export const findAnchors = action({
  address: "rollout/schedule/anchors",
  kind: "read",
  needs: "plan.schedule",
  input: FindAnchors,
  run: queries.listAnchors,
  errors: ["DU_EMPTY", "QUERY_EXPIRED", "TOO_MANY_DU"],
});

export const previewSchedule = action({
  address: "rollout/schedule/preview",
  needs: "plan.schedule",
  input: PreviewSchedule,
  run: commands.previewSchedule,
  errors: ["DU_EMPTY", "NO_ACTIVITY", "QUERY_EXPIRED", "TOO_MANY_DU"],
});

export const listPreviewRows = action({
  address: "rollout/schedule/previewRows",
  kind: "read",
  needs: "plan.schedule",
  input: PreviewRowsInput,
  run: queries.listPreviewRows,
  errors: ["PREVIEW_EXPIRED"],
});

export const applyPreview = action({
  address: "rollout/schedule/apply",
  needs: "plan.schedule",
  input: ApplyPreview,
  run: commands.applyPreview,
  errors: ["PREVIEW_EXPIRED", "PREVIEW_STALE"],
});
