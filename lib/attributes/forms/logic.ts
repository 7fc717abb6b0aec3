import type { AttributeMode } from "#lib/attributes/modes/limits.ts";
import { attributeKey, canonicalValue, type Fault, isChoice, parseAttributeKey } from "#lib/rollout-plan/columns/logic.ts";
import type { StoredForm } from "./queries.ts";

/** New values of a DU by their key in `du.ext`, and what stands there now. */
export type ExtWrite = { duId: number; ext: Record<string, [unknown, unknown]>; present: Record<string, unknown> };
export type ExtFault = Fault & { duId: number; attributeId: number; slot: number | null };

/** What a write may do besides keeping values in order. */
export type ExtFrame = {
  /** Modes of the person who writes; null where nobody does. */
  modes: ReadonlyMap<number, AttributeMode> | null;
  /** Whether clearing what is required is refused. */
  requires: boolean;
};

/** Faults of values that are to be written: the first of each DU. Equal values of an attribute are judged once. */
export function extFaults(writes: readonly ExtWrite[], forms: ReadonlyMap<number, StoredForm>, frame: ExtFrame): ExtFault[] {
  const judged = new Map<string, Map<unknown, Fault | null>>();
  return writes.flatMap((write) => {
    for (const [key, [, value]] of Object.entries(write.ext)) {
      const place = parseAttributeKey(key);
      const form = place ? forms.get(place.attributeId) : undefined;
      if (!place) continue;
      const known = judged.get(key) ?? new Map<unknown, Fault | null>();
      judged.set(key, known);
      let fault = known.get(value);
      if (fault === undefined) {
        fault = form ? valueFault(form, value, frame) : value === null ? null : unknownAttribute(key);
        known.set(value, fault);
      }
      fault ??= form ? parentFault(form, value, place.slot, write) : null;
      if (fault) return [{ ...fault, duId: write.duId, attributeId: place.attributeId, slot: place.slot }];
    }
    return [];
  });
}

const unknownAttribute = (key: string): Fault => ({ code: "VALUE_UNKNOWN", params: { field: key } });

function valueFault(form: StoredForm, value: unknown, { modes, requires }: ExtFrame): Fault | null {
  if (modes && modes.get(form.id) !== "RW") return { code: "NO_PERMISSION", params: { right: form.name } };
  if (value === null) return form.required && requires ? { code: "EMPTY_CONTENT", params: { field: form.name } } : null;
  // The product itself fills what people only read.
  const given = canonicalValue(form.type === "READ_ONLY" && !modes ? { ...form, type: "TEXT" } : form, value);
  if ("code" in given) return { code: given.code, params: { field: form.name, ...given.params } };
  const same = given.value === value || (isChoice(form.type) && String(given.value) === String(value));
  return same ? null : { code: "VALUE_FORMAT", params: { field: form.name } };
}

/** A choice of the second level belongs to the value that its parent attribute has in the same row. */
function parentFault(form: StoredForm, value: unknown, slot: number | null, { ext, present }: ExtWrite): Fault | null {
  if (form.lookupParentId === null || value === null) return null;
  const key = attributeKey(form.lookupParentId, slot ?? undefined);
  const parent = ext[key] ? ext[key][1] : (present[key] ?? null);
  const belongs = form.parents?.[String(value)];
  return String(parent ?? "") === String(belongs) ? null : { code: "VALUE_UNKNOWN", params: { field: form.name, value: String(value) } };
}
