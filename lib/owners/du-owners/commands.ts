import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Params, type Problem } from "#lib/core/error.ts";
import { errorText } from "#lib/core/texts.ts";
import type { ErrorCode } from "#lib/errors.ts";
import { raisePlanSeq } from "#lib/rollout-plan/plan-log/commands.ts";
import { judgeAccounts, readOwners } from "../people/queries.ts";
import type { DuOwnerKind } from "./limits.ts";
import { findDuOwners, ownersKey } from "./queries.ts";
import type { SaveDuOwners } from "./schema.ts";

/** Owners that were left as they are, and why. */
export type RefusedOwners = { duId: number; ownerKind: DuOwnerKind; code: ErrorCode; params: Params; msg: string };

/**
 * Sets owners of DUs, each row by itself; people who were owners before may stay, whatever has become of them.
 * @throws the first refusal when nothing could be saved: DU_NOT_FOUND, STALE, OWNER_NOT_RESOURCE
 */
export async function saveDuOwners(ctx: Ctx, { rows }: SaveDuOwners): Promise<{ saved: number; failed: RefusedOwners[] }> {
  const { codes, held } = await findDuOwners(
    ctx,
    "owner.duEdit",
    rows.map(({ duId }) => duId),
    { lock: true },
  );
  const people = await readOwners(ctx, [...held.values()].flat());
  const ids = new Map([...people.values()].map(({ account, userId }) => [account.toLowerCase(), userId]));
  const idOf = (account: string) => ids.get(account.trim().toLowerCase());
  const present = (row: { duId: number; ownerKind: string }) => held.get(ownersKey(row.duId, row.ownerKind)) ?? [];
  const added = (row: SaveDuOwners["rows"][number]) => row.accounts.filter((account) => !present(row).includes(idOf(account) ?? 0));
  const judged = await judgeAccounts(ctx, [...new Set(rows.flatMap(added))]);
  const refuse = (row: SaveDuOwners["rows"][number]): { code: ErrorCode; params: Params } | null => {
    if (!codes.has(row.duId)) return { code: "DU_NOT_FOUND", params: { code: row.duId } };
    const accounts = present(row).map((id) => people.get(id)!.account);
    if (row.base && !isSame(row.base, accounts)) return { code: "STALE", params: {} };
    const bad = judged.refuse(added(row));
    return bad && { code: "OWNER_NOT_RESOURCE", params: bad };
  };
  const failed: RefusedOwners[] = [];
  const problems: Problem[] = [];
  const written = new Map<string, OwnersRow>();
  rows.forEach((row, at) => {
    const refused = refuse(row);
    if (refused) {
      failed.push({ duId: row.duId, ownerKind: row.ownerKind, ...refused, msg: errorText(ctx.locale, refused.code, refused.params) });
      problems.push({ path: `rows.${at}.accounts`, ...refused });
      return;
    }
    const userIds = [...new Set(row.accounts.map((account) => idOf(account) ?? judged.ids.get(account)!))];
    written.set(ownersKey(row.duId, row.ownerKind), { duId: row.duId, kind: row.ownerKind, userIds });
  });
  const [first] = problems;
  if (written.size === 0 && first) throw new AppError(first.code, first.params, problems);
  await writeDuOwners(ctx, [...written.values()], held, codes);
  return { saved: written.size, failed };
}

const isSame = (a: readonly string[], b: readonly string[]) =>
  [...a]
    .map((text) => text.toLowerCase())
    .sort()
    .join(" ") ===
  [...b]
    .map((text) => text.toLowerCase())
    .sort()
    .join(" ");

/** Owners of one kind of a DU as they are to be. */
export type OwnersRow = { duId: number; kind: DuOwnerKind; userIds: readonly number[] };

/** Writes owners of locked DUs in two statements and tells open plans, which may be edited by others now. */
export async function writeDuOwners(
  ctx: Ctx,
  rows: readonly OwnersRow[],
  held: ReadonlyMap<string, readonly number[]>,
  codes: ReadonlyMap<number, string>,
): Promise<void> {
  const { sql } = ctx;
  const changed = rows.filter(({ duId, kind, userIds }) => {
    const before = held.get(ownersKey(duId, kind)) ?? [];
    return before.length !== userIds.length || userIds.some((id) => !before.includes(id));
  });
  if (changed.length > 0) {
    const given = sql`jsonb_to_recordset(${sql.json(changed as never)}) as n("duId" bigint, kind text, "userIds" jsonb)`;
    await sql`
      delete from du_owner o using ${given} where o.du_id = n."duId" and o.owner_kind = n.kind and not n."userIds" @> to_jsonb(o.user_id)`;
    await sql`
      insert into du_owner (du_id, owner_kind, user_id) select n."duId", n.kind, u.id::bigint from ${given}, jsonb_array_elements_text(n."userIds") u(id)
      order by 1, 2, 3 on conflict do nothing`;
    await raisePlanSeq(
      ctx,
      changed.map(({ duId }) => duId),
    );
  }
  ctx.audit(
    "DU owners",
    changed.map(({ duId, kind }) => ({ du: codes.get(duId), kind, userIds: held.get(ownersKey(duId, kind)) ?? [] })),
    changed.map(({ duId, kind, userIds }) => ({ du: codes.get(duId), kind, userIds })),
    "config_changed",
  );
}
