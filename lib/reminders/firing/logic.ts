import { projectToday } from "#lib/core/clock.ts";
import type { Locale } from "#lib/core/locale.ts";
import { cellNumber } from "#lib/rollout-plan/plan-rows/logic.ts";
import type { Look } from "../findings/logic.ts";
import type { TemplateKind } from "../mail-templates/limits.ts";
import type { Frequency } from "../occurrences/schema.ts";
import type { Receivers } from "../recipients/schema.ts";
import type { RuleDate, SendRange, StoredType } from "../rules/limits.ts";
import { realtimeMinutes, realtimePerDay } from "./limits.ts";

/** How a mail names what a reminder tells of. */
export type Heading =
  | { key: "named"; name: string }
  | { key: "deviation"; region: string; activity: string; days: number }
  | { key: "rfi"; state: string; min: number; max: number }
  | { key: "rfiException"; state: string; max: number };

/** Which of its receivers a note is for, by address in lower case: those a rule has held back are told on their own. */
export type Reach = { only: ReadonlySet<string> } | { except: ReadonlySet<string> };
/** Which changes a rule tells, and whom. */
export type RulePart = { since: number; until?: number; reach: Reach | null };

/** Whether a note is for an address. */
export function reaches(reach: Reach | null, address: string): boolean {
  if (!reach) return true;
  const key = address.toLowerCase();
  return "only" in reach ? reach.only.has(key) : !reach.except.has(key);
}

/** One thing to tell: what is looked for, and whom it goes to. An RFI reminder is two of them. */
export type Note = {
  look: Look;
  heading: Heading;
  /** Owners of a row get theirs: of the activity, or of the DU and its region. */
  owners: "none" | "activity" | "du";
  /** Named receivers get only what they own. */
  onlyOwn: boolean;
  addressing: {
    receivers: Receivers;
    mailTo: readonly string[];
    ccUserIds: readonly number[];
    lang: Locale | null;
    responsibleId: number | null;
  };
  reach: Reach | null;
  /** Own words; null for the standard text, which shares a mail with other reminders. */
  own: { subject: string; content: string } | null;
  /** Has a mail of its own, as every rule with own words and every one that follows changes at once. */
  alone: boolean;
  /** Whose standard text is sent. */
  template: TemplateKind;
  /** Told by mail; else inside the product alone. */
  mail: boolean;
  notice: boolean;
};

const nobody: Receivers = { userIds: [], groupIds: [], roles: [], addresses: [] };

type RuleFacts = {
  name: string;
  type: StoredType;
  activityIds: readonly number[];
  attributeIds: readonly number[];
  dateFields: readonly RuleDate[];
  deviationDays: number | null;
  offsetDays: number | null;
  sendRange: SendRange;
  regionIds: readonly number[];
  receivers: Receivers;
  mailTo: readonly string[];
  ccUserIds: readonly number[];
  lang: Locale | null;
  subject: string | null;
  content: string | null;
  frequency: Frequency;
};

/**
 * What a mail rule tells.
 * @param slots slots of its activities
 * @param part its changes that are told, and to whom of its receivers
 */
export function noteOfRule(rule: RuleFacts, slots: readonly number[], part: RulePart, responsibleId: number): Note {
  const regionIds = rule.sendRange === "REGION" ? rule.regionIds : null;
  return {
    look: lookOfRule(rule, slots, part, regionIds),
    heading: { key: "named", name: rule.name },
    reach: part.reach,
    template: rule.type,
    owners: rule.type === "ACTUAL_TIME" ? "activity" : "none",
    onlyOwn: rule.sendRange === "OWN" && rule.type !== "ACTUAL_TIME",
    addressing: { receivers: rule.receivers, mailTo: rule.mailTo, ccUserIds: rule.ccUserIds, lang: rule.lang, responsibleId },
    own: rule.subject !== null && rule.content !== null ? { subject: rule.subject, content: rule.content } : null,
    alone: rule.subject !== null || rule.frequency.kind === "REALTIME",
    mail: true,
    notice: false,
  };
}

function lookOfRule(rule: RuleFacts, slots: readonly number[], { since, until }: RulePart, regionIds: readonly number[] | null): Look {
  const span = { since, ...(until !== undefined && { until }) };
  switch (rule.type) {
    case "ACT_DEVIATION":
      return { what: "LATE", slots, days: rule.deviationDays ?? 0, regionIds };
    case "ACTUAL_TIME":
      return { what: "LATE", slots, days: rule.offsetDays ?? 0, regionIds };
    case "CHANGE_ACT_DATE":
      return {
        what: "CHANGES",
        cells: slots.flatMap((slot) => rule.dateFields.map((field) => cellNumber(slot, field))),
        keys: [],
        regionIds,
        ...span,
      };
    case "CHANGE_COL_VALUE":
      return { what: "CHANGES", cells: [], keys: rule.attributeIds.map((id) => `a${id}`), regionIds, ...span };
    default:
      return { what: "DOCUMENTS" };
  }
}

/** What a deviation reminder tells. */
export function noteOfDeviation(
  given: { regionId: number; deviationDays: number; roles: readonly string[]; userIds: readonly number[]; groupIds: readonly number[] },
  slots: readonly number[],
  names: { region: string; activity: string },
): Note {
  return {
    look: { what: "LATE", slots, days: given.deviationDays, regionIds: [given.regionId] },
    heading: { key: "deviation", ...names, days: given.deviationDays },
    reach: null,
    template: "DEVIATION",
    owners: "none",
    onlyOwn: false,
    addressing: {
      receivers: {
        userIds: [...given.userIds],
        groupIds: [...given.groupIds],
        roles: [...given.roles] as Receivers["roles"],
        addresses: [],
      },
      mailTo: [],
      ccUserIds: [],
      lang: null,
      responsibleId: null,
    },
    own: null,
    alone: false,
    mail: true,
    notice: false,
  };
}

/**
 * What an RFI reminder tells: the owners of sites that wait, and the receivers of exceptions of those that wait too long.
 * @param until slots of what ends the wait
 */
export function notesOfRfi(
  given: { stateId: string; minDays: number; maxDays: number; remindTypes: readonly string[]; exceptionReceivers: Receivers },
  until: readonly number[],
  state: string,
  responsibleId: number,
): Note[] {
  const { stateId, minDays, maxDays } = given;
  const common = {
    reach: null,
    onlyOwn: false,
    own: null,
    alone: false,
    mail: given.remindTypes.includes("MAIL"),
    notice: given.remindTypes.includes("IN_APP"),
  };
  const addressing = (receivers: Receivers) => ({ receivers, mailTo: [], ccUserIds: [], lang: null, responsibleId });
  return [
    {
      ...common,
      look: { what: "RFI", stateId, min: minDays, max: maxDays, until },
      heading: { key: "rfi", state, min: minDays, max: maxDays },
      template: "RFI",
      owners: "du",
      addressing: addressing(nobody),
    },
    {
      ...common,
      look: { what: "RFI", stateId, min: maxDays + 1, max: null, until },
      heading: { key: "rfiException", state, max: maxDays },
      template: "RFI_EXCEPTION",
      owners: "none",
      addressing: addressing(given.exceptionReceivers),
    },
  ];
}

/** Whether the first of the changes a rule follows is old enough to be told. */
export const isSettled = (firstAt: Date, now: Date): boolean => now.getTime() - firstAt.getTime() >= realtimeMinutes * 60_000;

/** Whether somebody has had the mails of a rule that a day allows, and one of them within this hour. */
export function isSated({ mailsToday, lastAt }: { mailsToday: number; lastAt: Date }, now: Date, offset: number): boolean {
  return mailsToday >= realtimePerDay && withinHour(lastAt, now, offset);
}

/** The next full hour of the project's wall clock. */
export function nextHour(now: Date, offset: number): Date {
  const local = now.getTime() + (8 + offset) * 3_600_000;
  return new Date((Math.floor(local / 3_600_000) + 1) * 3_600_000 - (8 + offset) * 3_600_000);
}

/** Whether a moment lies in the present hour of the project's wall clock, which an offset of a quarter of an hour moves. */
export function withinHour(at: Date | null, now: Date, offset: number): boolean {
  const hour = (moment: Date) => Math.floor((moment.getTime() + (8 + offset) * 3_600_000) / 3_600_000);
  return at !== null && hour(now) <= hour(at);
}

/** The moment the project's day began. */
export function dayStart(now: Date, offset: number): Date {
  return new Date(Date.parse(`${projectToday(now, offset)}T00:00:00Z`) - (8 + offset) * 3_600_000);
}
