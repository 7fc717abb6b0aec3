"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { FindHomePage, QuickFind, SaveHomePage, SiteInfoInput, StoreSelection } from "./schema.ts";

export const findHomePage = action({
  address: "wbs/findHomePage",
  kind: "read",
  needs: "rollout.view",
  input: FindHomePage,
  run: queries.findHomePage,
});

export const saveHomePage = action({ address: "wbs/saveHomePage", needs: "rollout.view", input: SaveHomePage, run: commands.saveHomePage });

export const storeSelection = action({
  address: "wbs/batchInsertStorageDuForWeb/{key}",
  needs: "rollout.view",
  input: StoreSelection,
  run: commands.storeSelection,
  errors: ["TOO_MANY_DU", "DU_EMPTY"],
});

export const quickFind = action({
  address: "rolloutPlan/quickFind",
  kind: "read",
  needs: "rollout.view",
  input: QuickFind,
  run: queries.findQuickly,
});

export const siteInfo = action({
  address: "site/info/{id}",
  method: "GET",
  kind: "read",
  needs: "rollout.view",
  input: SiteInfoInput,
  run: queries.getSiteInfo,
  errors: ["NOT_FOUND"],
});
