import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { type Replacement, replaceOwner } from "#lib/owners/replacement/commands.ts";
import { replaceFields } from "#lib/owners/replacement/limits.ts";
import { receiverRoles } from "../pool/limits.ts";
import { readResources } from "../pool/queries.ts";
import type { TransferResource } from "./schema.ts";

/**
 * Hands over everything a person owns in the project to a PM, TD or TL of it, or counts it per field. [RES-41]
 * @throws NOT_FOUND, WRONG_STATUS, TRANSFER_ROLE, OWNER_NOT_RESOURCE, SAME_OWNER
 */
export async function transferResource(ctx: Ctx, { resourceId, receiver, dryRun }: TransferResource): Promise<Replacement> {
  const { sql, project, today } = ctx;
  const [person] = await readResources(ctx, [resourceId]);
  if (!person) throw new AppError("NOT_FOUND", { object: resourceId });
  if (person.status !== "ACTIVE") throw new AppError("WRONG_STATUS", { status: person.status });
  const [holds] = await sql<{ one: number }[]>`
    select 1 as one from project_member m join app_user u on u.id = m.user_id
    where m.project_id = ${project.id} and lower(u.account) = ${receiver.toLowerCase()} and m.role = any(${[...receiverRoles]}::text[])
      and m.valid_from <= ${today} and (m.valid_to is null or m.valid_to >= ${today}) limit 1`;
  if (!holds)
    throw new AppError("TRANSFER_ROLE", { account: receiver }, [
      { path: "receiver", code: "TRANSFER_ROLE", params: { account: receiver } },
    ]);
  return replaceOwner(ctx, {
    oldOwner: person.account,
    newOwners: [receiver],
    scope: { flowIds: [], regionIds: [], duIds: [] },
    fields: [...replaceFields],
    dryRun,
    includeDispatched: true,
  });
}
