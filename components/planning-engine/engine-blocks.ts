import type { InputBlock } from "#lib/planning-engine/input-check/limits.ts";
import type { BlockName } from "#lib/planning-engine/inputs/logic.ts";

/** The rows behind each input of a version; the settings have none. */
export const inputOf: Record<InputBlock, BlockName | null> = {
  setting: null,
  du: "du",
  activity: "activity",
  skill_resource: "skillResource",
  du_material: "duMaterial",
  inventory: "inventory",
  substitution: "itemSubstitute",
  reuse: "reuseMaterial",
};
