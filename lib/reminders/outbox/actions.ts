"use server";
import { action } from "#lib/core/action.ts";
import { listSuffix } from "#lib/core/paging.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import * as schema from "./schema.ts";

export const listMails = action({
  address: `emailAuto/mailLog/${listSuffix}`,
  kind: "read",
  needs: "notice.find",
  input: schema.MailLogInput,
  run: queries.listMails,
});
export const getMail = action({
  address: "emailAuto/mailLog/find/{id}",
  kind: "read",
  needs: "notice.find",
  input: schema.MailId,
  errors: ["NOT_FOUND"],
  run: (ctx, { id }) => queries.getMail(ctx, id),
});
export const resendMails = action({
  address: "emailAuto/mailLog/resend",
  needs: "notice.edit",
  starts: "task",
  input: schema.MailIds,
  errors: ["MAIL_ALREADY_SENT", "WRONG_STATUS", "EMAIL_INVALID", "NOT_FOUND", "NO_SELECTION"],
  run: commands.resendMails,
});
export const cancelMails = action({
  address: "emailAuto/mailLog/cancel",
  needs: "notice.edit",
  input: schema.MailIds,
  errors: ["MAIL_ALREADY_SENT", "WRONG_STATUS", "NOT_FOUND", "NO_SELECTION"],
  run: commands.cancelMails,
});
export const recordBounce = action({
  address: "mail/bounce",
  needs: "integration.config",
  input: schema.Bounce,
  onClosed: true,
  errors: ["NOT_FOUND"],
  run: commands.recordBounce,
});
export const listOptouts = action({
  address: "mail/optout/list",
  kind: "read",
  needs: "member",
  input: schema.Nothing,
  run: queries.listOptouts,
});
export const deleteOptout = action({
  address: "mail/optout/delete",
  needs: "member",
  input: schema.OptoutId,
  errors: ["NOT_FOUND"],
  run: commands.deleteOptout,
});
export const unblockAddress = action({
  address: "mail/address/unblock",
  needs: "notice.edit",
  input: schema.BlockedAddress,
  errors: ["NOT_FOUND"],
  run: commands.unblockAddress,
});
