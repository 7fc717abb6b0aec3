import { isChoice, parseAttributeKey } from "#lib/rollout-plan/columns/logic.ts";
import { type CopyAssociation, type CopyCode, type CopyProgress, copyCodes, detailChars } from "./limits.ts";

/** An attribute as a copy sees it. */
export type CopiedAttribute = { id: number; name: string; type: string; enums: readonly { id: number; active: boolean }[] };
export type Values = Readonly<Record<string, unknown>>;

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === "";

/**
 * What a copy changes of one DU, old and new value by key of `du.ext`, and the attributes it has to skip because their enumeration
 * does not offer the value of the source any more. Values are copied into empty fields unless they may be overwritten;
 * attributes that are only shown are left alone.
 * @param takesSlot whether the target takes values of an activity at a slot
 */
export function copyValues(
  source: Values,
  target: Values,
  attributes: readonly CopiedAttribute[],
  overwrite: boolean,
  takesSlot: (slot: number) => boolean,
): { ext: Record<string, [unknown, unknown]>; skipped: string[] } {
  const wanted = new Map(attributes.filter(({ type }) => type !== "READ_ONLY").map((attribute) => [attribute.id, attribute]));
  const ext: Record<string, [unknown, unknown]> = {};
  const skipped = new Set<string>();
  for (const [key, value] of Object.entries(source)) {
    const place = parseAttributeKey(key);
    const attribute = place && wanted.get(place.attributeId);
    if (!attribute || isEmpty(value) || (place.slot !== null && !takesSlot(place.slot))) continue;
    const present = target[key] ?? null;
    if (present === value || (!isEmpty(present) && !overwrite)) continue;
    if (isChoice(attribute.type) && !attribute.enums.some(({ id, active }) => active && String(id) === String(value)))
      skipped.add(attribute.name);
    else ext[key] = [present, value];
  }
  return { ext, skipped: [...skipped] };
}

/** What became of a target. */
export type CopyResult = {
  targetCode: string;
  targetDuId: number | null;
  progress: CopyProgress;
  association: CopyAssociation;
  code: CopyCode | null;
  detail: string | null;
};

/** A target that was not copied to. */
export function failedTarget(targetCode: string, targetDuId: number | null, code: CopyCode, detail: string | null = null): CopyResult {
  return { targetCode, targetDuId, progress: "failed", association: "unassociated", code, detail };
}

/** A target that was copied to, with a note on the attributes that were skipped. */
export function completedTarget(targetCode: string, targetDuId: number, associated: boolean, skipped: readonly string[]): CopyResult {
  return {
    targetCode,
    targetDuId,
    progress: "completed",
    association: associated ? "associated" : "unassociated",
    code: skipped.length > 0 ? copyCodes.enumDiffers : null,
    detail: skipped.length > 0 ? skipped.join(", ").slice(0, detailChars) : null,
  };
}

/** Why a target cannot be bound as the source is, before its binding is tried; null when it may be. */
export function bindingCode(
  flowUsable: boolean,
  present: { flowId: number; source: string } | undefined,
  flowId: number | null,
): CopyCode | null {
  if (!flowUsable) return copyCodes.flowMissing;
  if (present?.source === "manual") return copyCodes.boundByHand;
  return present && present.flowId !== flowId ? copyCodes.bindingFailed : null;
}
