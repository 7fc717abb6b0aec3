import "server-only";
import { replaceRefs } from "#lib/attributes/config-refs/commands.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { checkRules } from "#lib/core/rule.ts";
import { refuseUnchanged } from "#lib/core/unchanged.ts";
import { type MailSettings, readSettings } from "./queries.ts";
import { EMAIL_INVALID } from "./rules.ts";
import type { SaveSettings } from "./schema.ts";

/**
 * Saves how the mails of the project are sent.
 * @throws EMAIL_INVALID, NOT_FOUND for an attribute the project does not have, NOTHING_MODIFIED, STALE
 */
export async function saveSettings(ctx: Ctx, input: SaveSettings): Promise<MailSettings> {
  const { sql, project } = ctx;
  const { senderName, replyTo, defaultSendTime, equipmentAccountAttributeId, productNameAttributeId, rowVersion } = input;
  checkRules([EMAIL_INVALID], { replyTo }, "replyTo");
  // The row of the project keeps two first savers apart; it is locked before attributes everywhere.
  await holdProject(ctx);
  const asked = [equipmentAccountAttributeId, productNameAttributeId].filter((id) => id !== null);
  const known = await sql<{ id: number }[]>`
    select id from attribute where project_id = ${project.id} and deleted_at is null and id = any(${asked}::bigint[]) for key share`;
  const missing = asked.find((id) => !known.some((row) => row.id === id));
  if (missing !== undefined) throw new AppError("NOT_FOUND", { object: String(missing) });
  const before = await readSettings(ctx);
  if (before.rowVersion !== rowVersion) throw new AppError("STALE", {}, [], before);
  const given = { senderName, replyTo, defaultSendTime, equipmentAccountAttributeId, productNameAttributeId };
  refuseUnchanged(before.rowVersion > 0 ? before : null, given);
  await sql`
    insert into rem_setting as s (project_id, sender_name, reply_to, default_send_time, equipment_account_attr_id, product_name_attr_id)
    values (${project.id}, ${senderName}, ${replyTo}, ${defaultSendTime}, ${equipmentAccountAttributeId}, ${productNameAttributeId})
    on conflict (project_id) do update set sender_name = excluded.sender_name, reply_to = excluded.reply_to, default_send_time = excluded.default_send_time,
      equipment_account_attr_id = excluded.equipment_account_attr_id, product_name_attr_id = excluded.product_name_attr_id, row_version = s.row_version + 1`;
  await replaceRefs(
    ctx,
    "REM_SETTING",
    project.id,
    asked.map((id) => ({ kind: "ATTRIBUTE", id, usage: "CONDITION" })),
  );
  const after = await readSettings(ctx);
  ctx.audit("mail settings", before, after);
  return after;
}
