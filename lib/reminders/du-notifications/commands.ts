import "server-only";
import { createTranslator } from "use-intl/core";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import type { Locale } from "#lib/core/locale.ts";
import { loadMessages } from "#lib/core/messages.ts";
import { brokenRules } from "#lib/core/rule.ts";
import { errorText } from "#lib/core/texts.ts";
import { listPlanAttributes } from "#lib/rollout-plan/columns/queries.ts";
import { listLibraryActivities } from "#lib/rollout-plan/plan-rows/queries.ts";
import { renderTemplate, type Values } from "../mail-templates/logic.ts";
import { type NewMail, queueMails } from "../outbox/commands.ts";
import { isAddress } from "../outbox/logic.ts";
import { readDirectory, readViews, type Target, targetsOf } from "../recipients/queries.ts";
import { EMAIL_INVALID, TOO_MANY_RECIPIENTS } from "../recipients/rules.ts";
import { findMissing } from "../rules/queries.ts";
import { CC_UNKNOWN } from "../rules/rules.ts";
import { readComplete, readHiddenFor, readTable } from "./queries.ts";
import { NO_DU_MEETS, RECIPIENT_EMPTY, TOO_MANY_ACTIVITIES, TOO_MANY_ATTRIBUTES, TOO_MANY_DU } from "./rules.ts";
import type { SendDuNotification } from "./schema.ts";

/** What a notification did. */
export type DuNotificationSent = {
  /** Mails that were made. */
  sent: number;
  /** DUs left out, for want of an equipment account or a product name. */
  excluded: number;
  excludedDuIds: number[];
  /** What the sender should know: that DUs were left out, or that the project does not say which attributes to look at. */
  message: string | null;
};

/**
 * Writes to addresses and people about chosen DUs, each in the language and with the DUs and attributes that concern him; addresses outside see what the
 * sender sees.
 * @throws TOO_MANY_DU, TOO_MANY_COLUMNS, RECIPIENT_EMPTY, EMAIL_INVALID with the wrong addresses, TOO_MANY_RECIPIENTS, CC_UNKNOWN, DU_NOT_FOUND, NOT_FOUND for
 * an attribute or activity, NO_DU_MEETS
 */
export async function sendDuNotification(ctx: Ctx, input: SendDuNotification): Promise<DuNotificationSent> {
  await demandValid(ctx, input);
  const { complete, checked } = await readComplete(ctx, input.duIds);
  const [none] = brokenRules([NO_DU_MEETS], { left: complete.length }, "duIds");
  if (none) throw new AppError(none.code, {}, [none]);
  const kept = new Set(complete);
  const excludedDuIds = input.duIds.filter((id) => !kept.has(id));
  const mails = await composeMails(ctx, input, complete);
  await queueMails(ctx, mails);
  ctx.audit("DU notification", null, {
    requestId: input.requestId,
    duIds: complete,
    excludedDuIds,
    addresses: mails.map(({ to }) => to.address),
  });
  const message =
    excludedDuIds.length > 0
      ? errorText(ctx.locale, "DU_INCOMPLETE", { count: excludedDuIds.length })
      : checked
        ? null
        : errorText(ctx.locale, "DU_NOT_CHECKED");
  return { sent: mails.length, excluded: excludedDuIds.length, excludedDuIds, message };
}

async function demandValid(ctx: Ctx, input: SendDuNotification): Promise<void> {
  const { duIds, attributeIds, activityIds, addresses, ccUserIds } = input;
  const gone = await findMissing(ctx, { activityIds, attributeIds, regionIds: [], userIds: [], groupIds: [], ccUserIds });
  const problems: Problem[] = [
    ...brokenRules([TOO_MANY_DU], { duIds }, "duIds"),
    ...brokenRules([TOO_MANY_ATTRIBUTES], { attributeIds }, "attributeIds"),
    ...brokenRules([TOO_MANY_ACTIVITIES], { activityIds }, "activityIds"),
    ...brokenRules([RECIPIENT_EMPTY, EMAIL_INVALID, TOO_MANY_RECIPIENTS], { addresses }, "addresses"),
    ...brokenRules([CC_UNKNOWN], { unknown: gone.ccUserIds }, "ccUserIds"),
  ];
  const [first] = problems;
  if (first) throw new AppError(first.code, first.params, problems, { wrong: addresses.filter((address) => !isAddress(address)) });
  const seen = new Set((await listPlanAttributes(ctx)).filter(({ level }) => level === "DU").map(({ id }) => id));
  const missing = gone.activityIds[0] ?? attributeIds.find((id) => !seen.has(id));
  if (missing !== undefined) throw new AppError("NOT_FOUND", { object: String(missing) });
  const reached = await ctx.sql<{ id: number }[]>`
    select du.id from du where ${ctx.scope.where("rollout.view")} and du.id = any(${duIds}::bigint[])`;
  const known = new Set(reached.map(({ id }) => id));
  const strange = duIds.find((id) => !known.has(id));
  if (strange !== undefined) throw new AppError("DU_NOT_FOUND", { code: strange });
}

/** One mail for each receiver; those who see the same in the same language share its words. */
async function composeMails(ctx: Ctx, input: SendDuNotification, duIds: readonly number[]): Promise<NewMail[]> {
  const { user } = ctx;
  const addressing = {
    receivers: { userIds: [], groupIds: [], roles: [], addresses: input.addresses },
    mailTo: [],
    ccUserIds: input.ccUserIds,
    lang: input.lang ?? ctx.locale,
    responsibleId: user.id,
  };
  const directory = await readDirectory(ctx, [addressing], []);
  const { targets } = targetsOf(directory, addressing, "du.notification");
  const views = await readViews(
    ctx,
    directory,
    targets.map(({ viewerId }) => viewerId),
    duIds,
    false,
  );
  const seenBy = async ({ userId, viewerId }: Target) => {
    // Addresses outside see what the sender sees, and that he has just proved.
    if (userId === null) return { dus: duIds, attributeIds: input.attributeIds };
    const view = views.get(viewerId);
    const hidden =
      input.attributeIds.length > 0
        ? await readHiddenFor(ctx, { id: userId, roles: directory.people.get(userId)?.roles ?? [] })
        : new Set();
    return { dus: duIds.filter((id) => view?.sees(id)), attributeIds: input.attributeIds.filter((id) => !hidden.has(id)) };
  };
  const written = new Map<string, Promise<Written>>();
  const mails: NewMail[] = [];
  for (const target of targets) {
    const { dus, attributeIds } = await seenBy(target);
    if (dus.length === 0) continue;
    const key = JSON.stringify([target.lang, dus, attributeIds]);
    const words = written.get(key) ?? write(ctx, input, { duIds: dus, attributeIds, lang: target.lang });
    written.set(key, words);
    mails.push({
      kind: "du.notification",
      event: `${user.id} ${input.requestId}`,
      to: { userId: target.userId, address: target.address, lang: target.lang, ...(target.name && { name: target.name }) },
      cc: target.cc,
      responsibleId: user.id,
      viewerId: target.viewerId,
      attributeIds,
      duIds: dus,
      ...(await words),
    });
  }
  return mails;
}

type Written = { subject: string; html: string; text: string };

async function write(
  ctx: Ctx,
  { subject, content, activityIds }: SendDuNotification,
  { duIds, attributeIds, lang }: { duIds: readonly number[]; attributeIds: readonly number[]; lang: Locale },
): Promise<Written> {
  const [table, library] = await Promise.all([readTable(ctx, duIds, { attributeIds, activityIds }, lang), listLibraryActivities(ctx)]);
  const t = createTranslator({
    locale: lang,
    messages: loadMessages(lang),
    namespace: "reminders",
    onError: () => {},
  }) as unknown as (key: string, values?: Record<string, string | number>) => string;
  const column = (at: number) => [...new Set(table.rows.map((cells) => String(cells[at] ?? "")))].join(", ");
  const values: Values = {
    duCode: column(0),
    duName: column(1),
    activity: activityIds.flatMap((id) => library.find((one) => one.id === id)?.name ?? []).join(", "),
    project: `${ctx.project.number} ${ctx.project.name}`,
  };
  return renderTemplate({ subject, body: content }, values, {
    table,
    lang,
    foot: t("notification.foot", { name: ctx.user.name, number: ctx.project.number }),
    cut: (total, shown) => t("template.cut", { total, shown }),
  });
}
