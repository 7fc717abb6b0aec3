import type { useTranslations } from "next-intl";
import { formatDay } from "#lib/core/format.ts";
import type { ConditionRow } from "#lib/plan-rules/conditions/logic.ts";
import { type FilterType, frequencyDefault, type Moment, type RuleType } from "#lib/plan-rules/limits.ts";
import { attributeId, attributeOf, type DuFilter, type RuleAction, type RuleEvent } from "#lib/plan-rules/logic.ts";
import type { RuleDetail, RuleObjects } from "#lib/plan-rules/rule-set/queries.ts";

/** A row of actions as it is typed: fields by their keys, `fixed` for a value of its own. */
export type ActionRow = {
  key: number;
  sources: string[];
  fixed: string;
  aggregate: RuleAction["aggregate"];
  blanks: RuleAction["blanks"];
  offset: number;
  target: string | null;
  overwrite: boolean;
};

/** A rule as it is typed. */
export type RuleForm = {
  name: string;
  ruleType: RuleType;
  flowId: string | null;
  regionIds: string[];
  duFilter: (DuFilter & { key: number; type: FilterType })[];
  effectiveAt: string;
  expireDate: string;
  autoExecute: boolean;
  frequency: number;
  sortNo: number | "";
  description: string;
  events: RuleEvent[];
  conditions: (ConditionRow & { key: number })[];
  actions: ActionRow[];
};

/** Stands for a value that is typed instead of a field. */
export const fixedKey = "fixed";

/** An empty row of actions. */
export function newAction(key: number, ruleType: RuleType): ActionRow {
  return {
    key,
    sources: [],
    fixed: "",
    aggregate: ruleType === "MULTI_ACT" ? "LATEST" : null,
    blanks: "REQUIRE_ALL",
    offset: 0,
    target: null,
    overwrite: true,
  };
}

/** Whether anything is chosen or typed in a row of actions. */
export function isFilled({ sources, fixed, offset, target }: ActionRow): boolean {
  return sources.length > 0 || fixed !== "" || offset !== 0 || target !== null;
}

/** What events of a moment can be of, by id: activities of the flow, or attributes. */
export function eventObjects(
  moment: Moment,
  { activities, fields }: Pick<RuleObjects, "activities" | "fields">,
): ReadonlyMap<string, string> {
  if (moment !== "ATTRIBUTE_CHANGED") return new Map(activities.map(({ id, name }) => [String(id), name]));
  const found = new Map<string, string>();
  for (const { ref, title } of fields) {
    const key = attributeOf(ref);
    const id = key === null ? null : String(attributeId(key));
    // One of activities is a field of each.
    if (id !== null && !found.has(id)) found.set(id, ref.k === "ACT" ? title.split(" · ").at(-1)! : title);
  }
  return found;
}

/** What an event is of, by id. */
export function eventObject({ moment, activityId, attributeId: attribute }: RuleEvent): string | null {
  const id = moment === "ATTRIBUTE_CHANGED" ? attribute : activityId;
  return id === undefined ? null : String(id);
}

type Option = { value: string; label: string };

/** What is on offer, and before it what is chosen and is not: a flow may have lost it, or its kind may fit no longer. */
export function withChosen(offered: readonly Option[], chosen: readonly string[], label: (value: string) => string): Option[] {
  const more = chosen.filter((value) => offered.every((option) => option.value !== value));
  return [...more.map((value) => ({ value, label: label(value) })), ...offered];
}

/** How something chosen is called: of what its flow has not that is said, and its name where it is known. */
export function chosenLabel(t: ReturnType<typeof useTranslations<"plan-rules">>, name: string | undefined, isElsewhere: boolean): string {
  if (!isElsewhere) return name ?? "";
  return name === undefined ? t("form.elsewhereUnnamed") : t("form.elsewhere", { name });
}

/** The form of a stored rule, or of a new one. */
export function formOf(rule: RuleDetail | null, begin: RuleType, keyOf: (ref: RuleAction["target"]) => string, offset: number): RuleForm {
  if (!rule)
    return {
      name: "",
      ruleType: begin,
      flowId: null,
      regionIds: [],
      duFilter: [],
      effectiveAt: "",
      expireDate: "",
      autoExecute: false,
      frequency: frequencyDefault,
      sortNo: "",
      description: "",
      events: [],
      conditions: [],
      actions: [newAction(0, begin)],
    };
  return {
    name: rule.name,
    ruleType: rule.ruleType,
    flowId: String(rule.flowId),
    regionIds: rule.regionIds.map(String),
    duFilter: rule.duFilter.map((filter, key) => ({ ...filter, type: filter.type as FilterType, key })),
    effectiveAt: rule.effectiveAt ? formatDay(rule.effectiveAt, offset) : "",
    expireDate: rule.expireDate ?? "",
    autoExecute: rule.autoExecute,
    frequency: rule.frequency ?? frequencyDefault,
    sortNo: rule.sortNo,
    description: rule.description ?? "",
    events: rule.events,
    conditions: rule.conditions.map(({ type: _type, ...row }, key) => ({ ...row, key })),
    actions: rule.actions.map(({ sources, aggregate, blanks, offset, target, overwrite }, key) => {
      const [first] = sources;
      const fixed = first?.k === "FIXED" ? String(first.value) : "";
      return {
        key,
        sources: sources.map((source) => (source.k === "FIXED" ? fixedKey : keyOf(source))),
        fixed,
        aggregate,
        blanks,
        offset,
        target: keyOf(target),
        overwrite,
      };
    }),
  };
}
