import "server-only";
import { projectTime } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { Locale } from "#lib/core/locale.ts";
import { listLibraryActivities, readPlanSeq } from "#lib/rollout-plan/plan-rows/queries.ts";
import { readDeviations } from "../deviations/queries.ts";
import { previewHours, previewReceiversMax } from "../firing/limits.ts";
import { composeMails, type Gathered, gather, readTellers, type Teller } from "../firing/queries.ts";
import { digestOf, letterTexts, writtenSection } from "../letters/queries.ts";
import { localMs, localText, nextOccurrence } from "../occurrences/logic.ts";
import type { LeftOut } from "../recipients/queries.ts";
import { readRfiReminds } from "../rfi/queries.ts";
import { type FiringFields, type MailRule, readMailRules } from "../rules/queries.ts";
import type { LookAt } from "./schema.ts";

/** What a reminder would send if its time were now. */
export type Preview = {
  /** Rows the caller may see. */
  rows: number;
  recipients: { name: string | null; address: string; lang: Locale; rows: number }[];
  recipientCount: number;
  excluded: LeftOut[];
  subject: string;
  text: string;
  /** Its next time on the project's wall clock. */
  nextLocal: string | null;
};

type Draft = { tellers: Teller[]; times: FiringFields; saved: boolean };

/** The reminder a look is about, as it is saved or as it is typed. */
async function readDraft(ctx: Ctx, input: LookAt): Promise<Draft> {
  const library = await listLibraryActivities(ctx);
  const none = { rules: [], deviations: [], rfi: [] };
  const { saved, rule, actualTime, deviation } = input;
  if (saved) {
    const options = { ids: [saved.id] };
    const found = {
      rules: saved.kind === "RULE" || saved.kind === "ACTUAL_TIME" ? await readMailRules(ctx, options) : [],
      deviations: saved.kind === "DEVIATION" ? await readDeviations(ctx, options) : [],
      rfi: saved.kind === "RFI" ? await readRfiReminds(ctx, options) : [],
    };
    const [row] = [...found.rules, ...found.deviations, ...found.rfi];
    if (!row) throw new AppError("NOT_FOUND", { object: saved.id });
    const rules = found.rules.map((given) => ({ ...given, parts: [{ since: given.watermarkSeq, reach: null }] }));
    return { tellers: await readTellers(ctx, library, { ...found, rules }), times: row, saved: true };
  }
  const typed = (times: {
    frequency: FiringFields["frequency"];
    sendTime: string | null;
    validBegin: string;
    validEnd: string;
  }): FiringFields => ({
    id: 0,
    name: "",
    ...times,
    validBegin: localMs(times.validBegin),
    validEnd: localMs(times.validEnd),
    status: "ENABLED",
    disabledReason: null,
    armedLocal: 0,
    nextLocal: null,
    rowVersion: 0,
  });
  if (deviation) {
    const times = typed(deviation);
    const places = deviation.regionId.flatMap((regionId) => deviation.activityId.map((activityId) => ({ regionId, activityId })));
    const deviations = places.map((place, at) => ({ ...times, ...deviation, ...times, ...place, id: -1 - at }));
    return { tellers: await readTellers(ctx, library, { ...none, deviations }), times, saved: false };
  }
  const given = rule ?? { ...actualOf(actualTime!), offsetDays: actualTime!.offsetDays };
  const times = typed(given);
  const typedRule: MailRule = {
    offsetDays: null,
    ...given,
    ...times,
    id: -1,
    name: given.name ?? "",
    responsibleId: ctx.user.id,
    watermarkSeq: 0,
    held: {},
    heldUntil: null,
  };
  const since = await seqBefore(ctx);
  return {
    tellers: await readTellers(ctx, library, { ...none, rules: [{ ...typedRule, parts: [{ since, reach: null }] }] }),
    times,
    saved: false,
  };
}

const actualOf = ({ offsetDays: _days, ...given }: NonNullable<LookAt["actualTime"]>) => ({
  attributeIds: [],
  dateFields: [],
  deviationDays: null,
  sendRange: "OWN" as const,
  regionIds: [],
  mailTo: [],
  ccUserIds: [],
  lang: null,
  subject: null,
  content: null,
  ...given,
  type: "ACTUAL_TIME" as const,
});

/** The change number before the hours a look at changes covers. */
async function seqBefore({ sql, project, now }: Ctx): Promise<number> {
  const [row] = await sql<{ seq: number | null }[]>`
    select max(seq) as seq from plan_batch where project_id = ${project.id} and at < ${new Date(now.getTime() - previewHours * 3_600_000)}`;
  return row?.seq ?? 0;
}

/** The mail of a look: what the caller himself would get with all rows his rights show. */
export async function lookMail(
  ctx: Ctx,
  input: LookAt,
): Promise<{ mine: Gathered; draft: Draft; subject: string; html: string; text: string; rows: number; duIds: number[] }> {
  const draft = await readDraft(ctx, input);
  const seq = await readPlanSeq(ctx);
  const mine = await gather(ctx, draft.tellers, seq, ctx.user.id);
  const lang = input.lang ?? ctx.locale;
  const told = mine.deliveries.map((delivery) => ({ ...delivery, target: { ...delivery.target, lang } }));
  const rows = told.reduce((sum, delivery) => sum + delivery.told.rows.length, 0);
  const [made] = composeMails({ ...mine, deliveries: told.map((delivery) => asMail(delivery)) }, "look");
  const t = letterTexts(lang);
  const letter = made?.mail ?? digestOf(mine.frame, [], lang, (given) => writtenSection(mine.frame, given, lang));
  const duIds = told.flatMap((delivery) => delivery.told.rows.map(({ row }) => row.duId));
  return { mine, draft, rows, duIds, subject: rows > 0 ? letter.subject : t("nothing"), html: letter.html, text: letter.text };
}

/** A look shows as a mail also what is told inside the product alone. */
const asMail = <Delivery extends Gathered["deliveries"][number]>(delivery: Delivery): Delivery => ({
  ...delivery,
  told: { ...delivery.told, note: { ...delivery.told.note, mail: true } },
});

/** What a reminder would send now, to whom, and who is left out. */
export async function previewReminder(ctx: Ctx, input: LookAt): Promise<Preview> {
  const { draft, rows, subject, text } = await lookMail(ctx, input);
  const { deliveries, found } = await gather(ctx, draft.tellers, await readPlanSeq(ctx));
  const byAddress = new Map<string, Preview["recipients"][number]>();
  for (const { target, told } of deliveries) {
    const key = target.address.toLowerCase();
    const known = byAddress.get(key) ?? { name: target.name, address: target.address, lang: target.lang, rows: 0 };
    byAddress.set(key, { ...known, rows: known.rows + told.rows.length });
  }
  const local = projectTime(ctx.now, ctx.project.tzOffset).getTime();
  const next = draft.saved && draft.times.status === "ENABLED" ? draft.times.nextLocal : nextOccurrence(draft.times, local);
  const leftOut = [...found.values()].flatMap((given) => given.leftOut);
  return {
    rows,
    recipients: [...byAddress.values()].slice(0, previewReceiversMax),
    recipientCount: byAddress.size,
    excluded: [...new Map(leftOut.map((given) => [`${given.who} ${given.reason}`, given])).values()],
    subject,
    text,
    nextLocal: next === null ? null : localText(next),
  };
}
