"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { NoInput, RevokeFeed } from "./schema.ts";

/** The person's calendar feeds of the project. */
export const listFeeds = action({
  address: "feed/list",
  kind: "read",
  needs: "rollout.view",
  input: NoInput,
  run: (ctx) => queries.listFeeds(ctx),
});

/** A new secret address; it is shown once. */
export const createFeed = action({
  address: "feed/create",
  needs: "rollout.view",
  input: NoInput,
  errors: ["SESSION_REQUIRED", "TOO_MANY"],
  run: (ctx) => commands.createFeed(ctx),
});

/** Ends a secret address at once. */
export const revokeFeed = action({
  address: "feed/revoke",
  needs: "rollout.view",
  input: RevokeFeed,
  errors: ["NOT_FOUND"],
  run: commands.revokeFeed,
});
