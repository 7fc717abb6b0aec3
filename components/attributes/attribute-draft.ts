import { type AttributeFlag, type AttributeLevel, attributeFlags } from "#lib/attributes/limits.ts";
import { limitKeys } from "#lib/attributes/logic.ts";
import type { AttributeRow } from "#lib/attributes/queries.ts";
import type { AttributeType } from "#lib/rollout-plan/columns/limits.ts";
import type { ChoiceDraft } from "./choice-editor.tsx";

/** An attribute while it is typed: texts as they stand in the fields. */
export type AttributeDraft = Record<AttributeFlag, boolean> & {
  name: string;
  standardName: string;
  standardAttributeId: number | null;
  type: AttributeType;
  level: AttributeLevel;
  classification: string;
  duTabId: string;
  lookupListId: string;
  lookupParentId: string;
  defaultValue: string;
  projectDefaultValue: string;
  sortNo: number | "";
  remark: string;
  limit: Record<string, string>;
  /** Ids of the choices a value may be; none: all of them. */
  allowed: string[];
  enums: ChoiceDraft[];
  flowIds: string[];
  readers: string[];
  writers: string[];
  persons: string[];
  editablePersonControl: boolean;
};

const idText = (id: number | null | undefined): string => (id ? String(id) : "");

/** The draft of a stored attribute, or that of a new one. */
export function draftOf(attribute: AttributeRow | null): AttributeDraft {
  const titles = new Map((attribute?.enums ?? []).map(({ id, value }) => [String(id), value]));
  const shown = (value: string | null | undefined) => (attribute?.type === "ENUM" ? (titles.get(String(value)) ?? "") : (value ?? ""));
  const flags = Object.fromEntries(attributeFlags.map((flag) => [flag, attribute?.[flag] ?? flag === "inRolloutPlan"])) as Record<
    AttributeFlag,
    boolean
  >;
  return {
    ...flags,
    name: attribute?.name ?? "",
    standardName: attribute?.standardName ?? "",
    standardAttributeId: attribute?.standardAttributeId ?? null,
    type: attribute?.type ?? "TEXT",
    level: attribute?.level ?? "DU",
    classification: attribute?.classification ?? "",
    duTabId: idText(attribute?.duTabId),
    lookupListId: idText(attribute?.lookupListId),
    lookupParentId: idText(attribute?.lookupParentId),
    defaultValue: shown(attribute?.defaultValue),
    projectDefaultValue: shown(attribute?.projectDefaultValue),
    sortNo: attribute?.sortNo ?? "",
    remark: attribute?.remark ?? "",
    limit: Object.fromEntries(
      Object.entries(attribute?.valueLimit ?? {}).flatMap(([key, value]) => (key === "allowed" ? [] : [[key, String(value)]])),
    ),
    allowed: (attribute?.valueLimit?.allowed ?? []).map(String),
    enums: attribute?.type === "ENUM" ? attribute.enums.map(({ id, value, active }) => ({ key: id, id, value, active })) : [],
    flowIds: (attribute?.flows ?? []).map(({ id }) => String(id)),
    readers: (attribute?.users ?? []).filter(({ mode }) => mode === "RO").map(({ id }) => String(id)),
    writers: (attribute?.users ?? []).filter(({ mode }) => mode === "RW").map(({ id }) => String(id)),
    persons: (attribute?.editablePersons ?? []).map(({ id }) => String(id)),
    editablePersonControl: attribute?.editablePersonControl ?? false,
  };
}

const numeric = ["decimals", "step", "maxLength"];

/** The value limit of a draft. A number that cannot be read stays as it is typed, so that the refusal names it. */
export function limitOf({ type, limit, enums, allowed }: AttributeDraft): Record<string, unknown> {
  const keys: readonly string[] = limitKeys[type];
  const bounds = Object.entries(limit).flatMap(([key, text]) => {
    if (!keys.includes(key) || text.trim() === "") return [];
    const number = (type === "NUMBER" || numeric.includes(key)) && Number.isFinite(Number(text));
    return [[key, number ? Number(text) : text.trim()]];
  });
  const kept = type === "ENUM" ? allowed.map(Number).filter((id) => enums.some((choice) => choice.id === id)) : [];
  return { ...Object.fromEntries(bounds), ...(kept.length > 0 ? { allowed: kept } : {}) };
}

/** What the call takes of a draft. */
export function inputOf(draft: AttributeDraft, attribute: AttributeRow | null, custom: boolean, clearValues: boolean): object {
  const {
    limit: _limit,
    allowed: _allowed,
    enums,
    readers,
    writers,
    persons,
    flowIds,
    duTabId,
    lookupListId,
    lookupParentId,
    sortNo,
    ...rest
  } = draft;
  return {
    ...rest,
    ...(attribute ? { id: attribute.id, rowVersion: attribute.rowVersion } : { custom }),
    ...(sortNo === "" ? {} : { sortNo }),
    valueLimit: limitOf(draft),
    duTabId: Number(duTabId) || null,
    lookupListId: Number(lookupListId) || null,
    lookupParentId: Number(lookupParentId) || null,
    flowIds: flowIds.map(Number),
    enums:
      draft.type === "ENUM" ? enums.map(({ id, value, active }, at) => ({ ...(id ? { id } : {}), value, active, sortNo: at + 1 })) : [],
    users: [...readers.map((id) => ({ userId: Number(id), mode: "RO" })), ...writers.map((id) => ({ userId: Number(id), mode: "RW" }))],
    editablePersonIds: persons.map(Number),
    clearValues,
  };
}
