import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { checkDeviation } from "../deviations/commands.ts";
import { queueMail } from "../outbox/commands.ts";
import { checkRule } from "../rules/commands.ts";
import { lookMail, type Preview, previewReminder } from "./queries.ts";
import type { LookAt } from "./schema.ts";

/** What is typed has to be right before it is looked at: nothing of another project is shown. */
async function checkTyped(ctx: Ctx, { rule, actualTime, deviation }: LookAt): Promise<void> {
  if (rule) await checkRule(ctx, { ...rule, offsetDays: null }, rule.id ?? null);
  if (deviation) await checkDeviation(ctx, deviation);
  if (actualTime)
    await checkRule(
      ctx,
      {
        ...actualTime,
        // A name that is left out is made at the save.
        name: actualTime.name ?? crypto.randomUUID(),
        type: "ACTUAL_TIME",
        attributeIds: [],
        dateFields: [],
        deviationDays: null,
        sendRange: "OWN",
        regionIds: [],
        mailTo: [],
        ccUserIds: [],
        lang: null,
        subject: null,
        content: null,
      },
      actualTime.id ?? null,
    );
}

/**
 * What a reminder would send now, to whom, and who is left out; it writes nothing.
 * @throws what saving it would refuse
 */
export async function preview(ctx: Ctx, input: LookAt): Promise<Preview> {
  await checkTyped(ctx, input);
  return previewReminder(ctx, input);
}

/**
 * Sends a reminder's mail of this moment to the caller alone.
 * @throws RECIPIENT_EMPTY when the caller has no address, and what saving it would refuse
 */
export async function sendTest(ctx: Ctx, input: LookAt): Promise<{ sent: string; rows: number }> {
  await checkTyped(ctx, input);
  const { user } = ctx;
  if (user.email.trim() === "") throw new AppError("RECIPIENT_EMPTY");
  const { subject, html, text, rows, duIds } = await lookMail(ctx, input);
  await queueMail(ctx, {
    kind: "reminder.test",
    event: ctx.requestId,
    to: { userId: user.id, address: user.email, name: user.name, lang: input.lang ?? ctx.locale },
    subject,
    html,
    text,
    duIds,
  });
  ctx.audit("reminder test", null, { to: user.email, rows, saved: input.saved ?? null });
  return { sent: user.email, rows };
}
