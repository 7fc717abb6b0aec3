"use server";
import { action } from "#lib/core/action.ts";
import { listSuffix } from "#lib/core/paging.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { DecideIntroduction, Introduce, ListIntroductions, WithdrawIntroduction } from "./schema.ts";

export const listIntroductions = action({
  address: `resource/introduce/${listSuffix}`,
  kind: "read",
  needs: ["subcon.introduce", "subcon.approve"],
  input: ListIntroductions,
  run: queries.listIntroductions,
});

export const introduce = action({
  address: "resource/introduce",
  needs: "subcon.introduce",
  input: Introduce,
  run: commands.introduce,
  errors: ["ACCOUNT_MISSING", "DPA_EXPIRED", "IN_POOL", "NOT_FOUND", "NO_PERMISSION", "TOO_MANY", "WRONG_STATUS"],
});

export const decideIntroduction = action({
  address: "resource/introduce/approve",
  needs: "subcon.approve",
  input: DecideIntroduction,
  run: commands.decideIntroduction,
  errors: ["DPA_EXPIRED", "NOT_FOUND", "REASON_REQUIRED", "WRONG_STATUS"],
});

export const withdrawIntroduction = action({
  address: "resource/introduce/withdraw",
  needs: "subcon.introduce",
  input: WithdrawIntroduction,
  run: commands.withdrawIntroduction,
  errors: ["NOT_FOUND", "NO_PERMISSION", "WRONG_STATUS"],
});
