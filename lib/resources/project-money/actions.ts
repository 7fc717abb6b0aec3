"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { Nothing, SaveCurrency, SaveRate } from "./schema.ts";

export const findCurrency = action({
  address: "projectCurrency/find",
  kind: "read",
  needs: "resource.view",
  input: Nothing,
  run: queries.getCurrency,
});

export const saveCurrency = action({
  address: "projectCurrency/save",
  needs: "resource.edit",
  input: SaveCurrency,
  run: commands.saveCurrency,
  errors: ["CURRENCY_CONFIRM", "NOTHING_MODIFIED", "STALE"],
});

export const findRate = action({ address: "clusterRate/find", kind: "read", needs: "resource.view", input: Nothing, run: queries.getRate });

export const saveRate = action({
  address: "clusterRate/save",
  needs: "resource.edit",
  input: SaveRate,
  run: commands.saveRate,
  errors: ["NOTHING_MODIFIED", "NUMBER_RANGE", "STALE"],
});
