"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import {
  CountRecipients,
  DistributionId,
  DistributionIds,
  FindRecipients,
  ListDistributedRows,
  ListDistributions,
  SendDistribution,
} from "./schema.ts";

/** Distributions with what came back; whoever sends none sees those sent to him or his company. */
export const listDistributions = action({
  address: "planDistribution/list/{page}/{size}/default/{filters}",
  also: ["planDistribution/list"],
  kind: "read",
  needs: "member",
  input: ListDistributions,
  run: queries.listDistributions,
});

/** Companies and members a version can be sent to. */
export const findRecipients = action({
  address: "planDistribution/recipients",
  kind: "read",
  needs: "version.distribute",
  input: FindRecipients,
  run: queries.findRecipients,
});

/** How many DUs and activities each recipient would be told, before anything is sent. */
export const countRecipients = action({
  address: "planDistribution/count",
  kind: "read",
  needs: "version.distribute",
  input: CountRecipients,
  run: queries.countRecipients,
  errors: ["NOT_FOUND", "NO_RECIPIENT", "TOO_MANY"],
});

/** Sends a published version to members, companies and addresses outside. */
export const sendDistributions = action({
  address: "planDistribution/send",
  needs: "version.distribute",
  input: SendDistribution,
  starts: "task",
  run: commands.sendDistributions,
  errors: ["END_PAST", "NOT_FOUND", "NO_RECIPIENT", "RATE_LIMIT", "TOO_MANY", "WRONG_STATUS"],
});

export const closeDistributions = action({
  address: "planDistribution/close",
  needs: "version.distribute",
  input: DistributionIds,
  run: commands.closeDistributions,
  errors: ["DISTRIBUTION_CLOSED", "NOT_FOUND", "TOO_MANY"],
});

/** Writes once more to recipients without an answer. */
export const remindRecipients = action({
  address: "planDistribution/remind",
  needs: "version.distribute",
  input: DistributionIds,
  run: commands.remindRecipients,
  errors: ["DISTRIBUTION_CLOSED", "NOT_FOUND", "TOO_MANY"],
});

/** A recipient looks at what he was sent. */
export const openDistribution = action({
  address: "planDistribution/open",
  needs: "member",
  input: DistributionId,
  run: commands.openDistribution,
  errors: ["NOT_FOUND"],
});

/** What a distribution tells, DU by DU. */
export const listDistributedRows = action({
  address: "planDistribution/rows",
  kind: "read",
  needs: "member",
  input: ListDistributedRows,
  run: queries.listDistributedRows,
  errors: ["NOT_FOUND"],
});
