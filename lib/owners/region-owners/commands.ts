import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Params, type Problem } from "#lib/core/error.ts";
import { errorText } from "#lib/core/texts.ts";
import type { ErrorCode } from "#lib/errors.ts";
import { raisePlanSeq } from "#lib/rollout-plan/plan-log/commands.ts";
import { judgeAccounts, readOwners } from "../people/queries.ts";
import { findRegionOwners } from "./queries.ts";
import type { SaveRegionOwners } from "./schema.ts";

/** Owners that were left as they are, and why. */
export type RefusedRegion = { regionId: number; code: ErrorCode; params: Params; msg: string };

type Row = SaveRegionOwners["rows"][number];

/**
 * Sets owners of regions, each row by itself; people who were owners before may stay, whatever has become of them.
 * @throws the first refusal when nothing could be saved: NOT_FOUND, NO_PERMISSION, STALE, OWNER_NOT_RESOURCE
 */
export async function saveRegionOwners(ctx: Ctx, { rows }: SaveRegionOwners): Promise<{ saved: number; failed: RefusedRegion[] }> {
  const regions = await findRegionOwners(
    ctx,
    rows.map(({ regionId }) => regionId),
    { lock: true },
  );
  const people = await readOwners(
    ctx,
    [...regions.values()].flatMap(({ userIds }) => userIds),
  );
  const ids = new Map([...people.values()].map(({ account, userId }) => [account.toLowerCase(), userId]));
  const idOf = (account: string) => ids.get(account.trim().toLowerCase());
  const added = ({ regionId, accounts }: Row) => accounts.filter((account) => !regions.get(regionId)?.userIds.includes(idOf(account) ?? 0));
  const judged = await judgeAccounts(ctx, [...new Set(rows.flatMap(added))]);
  const refuse = (row: Row): { code: ErrorCode; params: Params } | null => {
    const region = regions.get(row.regionId);
    if (!region) return { code: "NOT_FOUND", params: { object: row.regionId } };
    if (!ctx.can("owner.duEdit", { regionId: row.regionId })) return { code: "NO_PERMISSION", params: { right: "owner.duEdit" } };
    const accounts = region.userIds.map((id) => people.get(id)!.account.toLowerCase());
    if (
      row.base &&
      row.base
        .map((account) => account.toLowerCase())
        .sort()
        .join(" ") !== accounts.sort().join(" ")
    )
      return { code: "STALE", params: {} };
    const bad = judged.refuse(added(row));
    return bad && { code: "OWNER_NOT_RESOURCE", params: bad };
  };
  const failed: RefusedRegion[] = [];
  const problems: Problem[] = [];
  const written = new Map<number, number[]>();
  rows.forEach((row, at) => {
    const refused = refuse(row);
    if (!refused) {
      written.set(row.regionId, [...new Set(row.accounts.map((account) => idOf(account) ?? judged.ids.get(account)!))]);
      return;
    }
    failed.push({ regionId: row.regionId, ...refused, msg: errorText(ctx.locale, refused.code, refused.params) });
    problems.push({ path: `rows.${at}.accounts`, ...refused });
  });
  const [first] = problems;
  if (written.size === 0 && first) throw new AppError(first.code, first.params, problems);
  await writeRegionOwners(
    ctx,
    [...written].map(([regionId, userIds]) => ({ regionId, userIds })),
    regions,
  );
  return { saved: written.size, failed };
}

/** Writes owners of locked regions in two statements and tells open plans, which may be edited by others now. */
export async function writeRegionOwners(
  ctx: Ctx,
  rows: readonly { regionId: number; userIds: readonly number[] }[],
  regions: ReadonlyMap<number, { name: string; userIds: readonly number[] }>,
): Promise<void> {
  const { sql } = ctx;
  const changed = rows.filter(({ regionId, userIds }) => {
    const before = regions.get(regionId)!.userIds;
    return before.length !== userIds.length || userIds.some((id) => !before.includes(id));
  });
  if (changed.length > 0) {
    const given = sql`jsonb_to_recordset(${sql.json(changed as never)}) as n("regionId" bigint, "userIds" jsonb)`;
    await sql`delete from region_owner o using ${given} where o.region_id = n."regionId" and not n."userIds" @> to_jsonb(o.user_id)`;
    await sql`
      insert into region_owner (region_id, user_id) select n."regionId", u.id::bigint from ${given}, jsonb_array_elements_text(n."userIds") u(id)
      order by 1, 2 on conflict do nothing`;
    await raisePlanSeq(ctx, null);
  }
  ctx.audit(
    "region owners",
    changed.map(({ regionId }) => ({ region: regions.get(regionId)!.name, userIds: regions.get(regionId)!.userIds })),
    changed.map(({ regionId, userIds }) => ({ region: regions.get(regionId)!.name, userIds })),
    "config_changed",
  );
}
