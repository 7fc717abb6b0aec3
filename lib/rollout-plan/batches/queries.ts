import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { checkRules } from "#lib/core/rule.ts";
import { rfcRules } from "./rules.ts";

/** Names of people by id. */
export async function readNames(ctx: Pick<Ctx, "sql">, userIds: readonly number[]): Promise<Map<number, string>> {
  if (userIds.length === 0) return new Map();
  const rows = await ctx.sql<{ id: number; name: string }[]>`select id, name from app_user where id = any(${[...userIds]}::bigint[])`;
  return new Map(rows.map((row) => [row.id, row.name]));
}

/** The RFC numbers DUs carry, none among them as null. */
export async function readRfcNumbers({ sql }: Ctx, duIds: readonly number[]): Promise<Set<string | null>> {
  const rows = await sql<{ rfcNumber: string | null }[]>`
    select distinct rfc_number as "rfcNumber" from du where id = any(${[...duIds]}::bigint[])`;
  return new Set(rows.map((row) => row.rfcNumber));
}

/** Refuses DUs whose plan dates are to be set together though their RFC numbers differ. @throws RFC_DIFFERS */
export async function demandOneRfcNumber(ctx: Ctx, duIds: readonly number[]): Promise<void> {
  checkRules(rfcRules, { rfcNumbers: await readRfcNumbers(ctx, duIds), planDate: true });
}
