import type { Rule } from "#lib/core/rule.ts";
import type { ErrorCode } from "#lib/errors.ts";
import { conditionCodes } from "#lib/plan-rules/conditions/logic.ts";
import {
  actionRowsMax,
  attributesMin,
  conversions,
  eventsMax,
  type RuleType,
  sourcesMax,
  sourcesMin,
  targetDates,
  type ValueKind,
} from "#lib/plan-rules/limits.ts";
import { attributeOf, fieldKey, isPlanDate, type RuleAction, type RuleEvent, type SourceRef } from "#lib/plan-rules/logic.ts";

/** One row from sources to a target, with what its fields hold; null for fields rules cannot use here. */
export type ActionFacts = { ruleType: RuleType; action: RuleAction; kindOf: (ref: SourceRef) => ValueKind | null };

const isAct = (ref: SourceRef) => isPlanDate(ref);
const isAttr = (ref: SourceRef) => attributeOf(ref) !== null;
const isFixed = (ref: SourceRef) => ref.k === "FIXED";

/** What sources and targets each type of rule takes; any of both for rules of events. */
const shapes: Partial<Record<RuleType, { source: (ref: SourceRef) => boolean; target: (ref: SourceRef) => boolean }>> = {
  ACT_TO_ACT: { source: isAct, target: isAct },
  ACT_TO_ATTR: { source: (ref) => isAct(ref) || isFixed(ref), target: isAttr },
  ATTR_TO_ACT: { source: isAttr, target: isAct },
  ATTR_TO_ATTR: { source: (ref) => isAttr(ref) || isFixed(ref), target: isAttr },
};

const dates = (kind: ValueKind | null) => kind === "day" || kind === "datetime";

/** Rules of one row, in the order they are told. The path of each is the part of the row it is about. */
export const actionRules: readonly { part: "sources" | "target" | "offset"; rule: Rule<ActionFacts> }[] = [
  {
    part: "target",
    rule: {
      code: "RULE_TARGET_FIELD",
      broken: ({ action: { target }, ruleType, kindOf }) =>
        kindOf(target) === null ||
        (target.k === "ACT" && target.f !== "ATTR" && !(targetDates as readonly string[]).includes(target.f)) ||
        shapes[ruleType]?.target(target) === false,
    },
  },
  {
    part: "sources",
    rule: {
      code: "RULE_SOURCE_FIELD",
      broken: ({ action: { sources, target }, ruleType, kindOf }) =>
        sources.some(
          (source) =>
            kindOf(source) === null ||
            shapes[ruleType]?.source(source) === false ||
            (isFixed(source) && (!isAttr(target) || ruleType === "MULTI_ACT")),
        ) ||
        (ruleType !== "MULTI_ACT" && sources.length !== 1),
    },
  },
  {
    // [RUL-15]
    part: "target",
    rule: {
      code: "RULE_SOURCE_IS_TARGET",
      broken: ({ action: { sources, target } }) => sources.some((source) => source.k !== "FIXED" && fieldKey(source) === fieldKey(target)),
    },
  },
  {
    // [RUL-18]
    part: "sources",
    rule: {
      code: "RULE_ACTIVITIES_COUNT",
      broken: ({ action: { sources, aggregate }, ruleType, kindOf }) => {
        if (ruleType !== "MULTI_ACT") return false;
        const activities = new Set(sources.flatMap((source) => (source.k === "ACT" && dates(kindOf(source)) ? [source.a] : [])));
        const isWrong =
          activities.size !== sources.length || activities.size < sourcesMin || activities.size > sourcesMax || aggregate === null;
        return isWrong && { min: sourcesMin, max: sourcesMax };
      },
    },
  },
  {
    part: "target",
    rule: {
      code: "RULE_CONVERSION",
      broken: ({ action: { sources, target }, kindOf }) => {
        const to = kindOf(target);
        return sources.some((source) => {
          const from = kindOf(source);
          if (from === null || to === null || source.k === "FIXED") return false;
          return !conversions[from].includes(to);
        });
      },
    },
  },
  {
    part: "offset",
    rule: {
      code: "RULE_OFFSET_DATES",
      broken: ({ action: { sources, offset }, kindOf }) => offset !== 0 && sources.some((source) => !dates(kindOf(source))),
    },
  },
];

export type WholeFacts = { ruleType: RuleType; actions: readonly RuleAction[]; events: readonly RuleEvent[]; autoExecute: boolean };

const filled = ({ actions }: WholeFacts, field: string) =>
  actions.flatMap(({ target }) => (target.k === "ACT" && target.f === field ? [target.a] : []));

/** Rules over all rows of a rule. */
export const wholeRules = [
  {
    code: "RULE_ACTIONS_COUNT",
    broken: ({ ruleType, actions }) =>
      (ruleType === "ORG_TARGET" ? actions.length > 0 : actions.length === 0 || actions.length > actionRowsMax) && {
        min: ruleType === "ORG_TARGET" ? 0 : 1,
        max: ruleType === "ORG_TARGET" ? 0 : actionRowsMax,
      },
  },
  {
    // [RUL-16]
    code: "RULE_TARGET_REPEATED",
    broken: ({ actions }) => new Set(actions.map(({ target }) => fieldKey(target))).size < actions.length,
  },
  {
    // [RUL-17]
    code: "RULE_ATTRIBUTES_FEW",
    broken: ({ ruleType, actions }) => {
      if (ruleType !== "ATTR_TO_ATTR") return false;
      const named = new Set(actions.flatMap(({ sources, target }) => [...sources, target].flatMap((ref) => attributeOf(ref) ?? [])));
      return named.size < attributesMin && { min: attributesMin };
    },
  },
  {
    // [RUL-19]
    code: "RULE_ACTUAL_PAIR",
    broken: (facts) => filled(facts, "ACTUAL_START").length > 0 && filled(facts, "ACTUAL_END").length > 0,
  },
  {
    // [RUL-20]
    code: "RULE_PLAN_PAIR",
    broken: (facts) => {
      const ends = filled(facts, "PLAN_END");
      return filled(facts, "PLAN_START").some((activity) => ends.includes(activity));
    },
  },
  {
    // [RUL-21]
    code: "RULE_ACTUAL_AUTO",
    broken: (facts) =>
      (facts.autoExecute || facts.ruleType === "EXT_EVENT") &&
      (filled(facts, "ACTUAL_START").length > 0 || filled(facts, "ACTUAL_END").length > 0),
  },
  {
    code: "RULE_EVENTS",
    broken: ({ ruleType, events }) => {
      const isWrong =
        ruleType === "EXT_EVENT" ? events.length === 0 || events.length > eventsMax || !events.every(isWhole) : events.length > 0;
      return isWrong && { max: eventsMax };
    },
  },
] as const satisfies readonly Rule<WholeFacts>[];

function isWhole({ moment, activityId, attributeId, docCategory }: RuleEvent): boolean {
  if (moment === "ATTRIBUTE_CHANGED") return attributeId !== undefined;
  return moment === "DOCUMENT_PUBLISHED" ? docCategory !== undefined : activityId !== undefined;
}

/** One event of a rule names an activity of its flow, or an attribute of the project that is shown. */
export const RULE_EVENT_FIELD: Rule<{ event: RuleEvent; activities: ReadonlySet<number>; attributes: ReadonlySet<number> }> = {
  code: "RULE_EVENT_FIELD",
  broken: ({ event: { activityId, attributeId }, activities, attributes }) =>
    (activityId !== undefined && !activities.has(activityId)) || (attributeId !== undefined && !attributes.has(attributeId)),
};

/** The path at which a rule over all rows is told. */
export const wholePaths: Partial<Record<(typeof wholeRules)[number]["code"], string>> = {
  RULE_ACTUAL_AUTO: "autoExecute",
  RULE_EVENTS: "events",
};

/** A rule's name is its own in the project; case does not matter. [RUL-09] */
export const NAME_EXISTS: Rule<{ name: string; others: readonly { name: string }[] }> = {
  code: "NAME_EXISTS",
  broken: ({ name, others }) => others.some((other) => other.name.toLowerCase() === name.toLowerCase()) && { name },
};

/** A rule holds up to its last day, which does not lie before its first. */
export const DATE_ORDER: Rule<{ effectiveDay: string | null; expireDate: string | null }> = {
  code: "DATE_ORDER",
  broken: ({ effectiveDay, expireDate }) => effectiveDay !== null && expireDate !== null && effectiveDay > expireDate,
};

/** The codes of everything that can be wrong with a rule that is typed. */
export const ruleCodes: readonly ErrorCode[] = [
  ...conditionCodes,
  ...actionRules.map(({ rule }) => rule.code),
  ...[...wholeRules, RULE_EVENT_FIELD, DATE_ORDER].map(({ code }) => code),
  "NOT_FOUND",
  "RULE_DUPLICATE",
  "RULE_LOOP",
];
