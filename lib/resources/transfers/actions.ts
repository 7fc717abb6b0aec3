"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import { TransferResource } from "./schema.ts";

export const transferResource = action({
  address: "resource/transfer",
  needs: "resource.transfer",
  input: TransferResource,
  run: commands.transferResource,
  errors: ["NOT_FOUND", "OWNER_NOT_RESOURCE", "SAME_OWNER", "TRANSFER_ROLE", "WRONG_STATUS"],
});
