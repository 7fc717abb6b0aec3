import "server-only";
import { readHidden } from "#lib/attributes/modes/queries.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { env } from "#lib/core/env.ts";
import { standardSendTime } from "./limits.ts";

/** How the mails of the project are sent. */
export type MailSettings = {
  senderName: string | null;
  replyTo: string | null;
  defaultSendTime: string;
  /** Attributes a DU must have a value of to be written about. */
  equipmentAccountAttributeId: number | null;
  productNameAttributeId: number | null;
  rowVersion: number;
};

/** The mail settings of the project, or what holds until they are saved. */
export async function readSettings({ sql, project }: Pick<Ctx, "sql" | "project">): Promise<MailSettings> {
  const [row] = await sql<MailSettings[]>`
    select sender_name as "senderName", reply_to as "replyTo", to_char(default_send_time, 'HH24:MI') as "defaultSendTime",
      equipment_account_attr_id as "equipmentAccountAttributeId", product_name_attr_id as "productNameAttributeId", row_version as "rowVersion"
    from rem_setting where project_id = ${project.id}`;
  return (
    row ?? {
      senderName: null,
      replyTo: null,
      defaultSendTime: standardSendTime,
      equipmentAccountAttributeId: null,
      productNameAttributeId: null,
      rowVersion: 0,
    }
  );
}

/** The mail settings with the attributes that can be chosen, and the address mails come from. */
export async function findSettings(ctx: Ctx): Promise<MailSettings & { from: string; attributes: { id: number; name: string }[] }> {
  const [settings, hidden, attributes] = await Promise.all([
    readSettings(ctx),
    readHidden(ctx),
    ctx.sql<{ id: number; name: string }[]>`
      select id, name from attribute where project_id = ${ctx.project.id} and deleted_at is null order by name collate natural_order, id`,
  ]);
  return { ...settings, from: env().MAIL_FROM, attributes: attributes.filter(({ id }) => !hidden.has(id)) };
}
