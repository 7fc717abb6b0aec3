import "server-only";
import { createTranslator } from "use-intl/core";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Params, type Problem } from "#lib/core/error.ts";
import type { Locale } from "#lib/core/locale.ts";
import { loadMessages } from "#lib/core/messages.ts";
import { validAccounts } from "#lib/resources/pool/queries.ts";
import { type Owner, refusedAccounts } from "./logic.ts";

type Texts = (key: string, values?: Record<string, string | number>) => string;

/** Texts of owners in a language. */
export function ownerTexts(lang: Locale): Texts {
  return createTranslator({ locale: lang, messages: loadMessages(lang), namespace: "owners", onError: () => {} }) as unknown as Texts;
}

type PoolCtx = Pick<Ctx, "sql" | "project" | "today">;

/** People by id with their validity as owners, in one statement for the people and one for the pool. */
export async function readOwners(ctx: PoolCtx, userIds: readonly number[]): Promise<Map<number, Owner>> {
  if (userIds.length === 0) return new Map();
  const people = await ctx.sql<Omit<Owner, "invalid">[]>`
    select id as "userId", account, name from app_user where id = any(${[...new Set(userIds)]}::bigint[])`;
  const { invalid } = await validAccounts(
    ctx,
    people.map(({ account }) => account),
  );
  const reasons = new Map(invalid.map(({ account, reason }) => [account, reason]));
  return new Map(people.map((person) => [person.userId, { ...person, invalid: reasons.get(person.account) ?? null }]));
}

/** What a refusal says about accounts that cannot be owners, null when all can. @param ids gets the people of those that can, by the account as it was given */
export async function judgeAccounts(
  ctx: PoolCtx & Pick<Ctx, "locale">,
  accounts: readonly string[],
): Promise<{ ids: Map<string, number>; refuse: (given: readonly string[]) => Params | null }> {
  const { valid, invalid } = await validAccounts(ctx, accounts);
  const byAccount = new Map(valid.map(({ account, userId }) => [account.toLowerCase(), userId]));
  const ids = new Map(
    accounts.flatMap((given) => {
      const id = byAccount.get(given.trim().toLowerCase());
      return id === undefined ? [] : [[given, id] as const];
    }),
  );
  const t = ownerTexts(ctx.locale);
  const refuse = (given: readonly string[]) => {
    const bad = invalid.filter(({ account }) => given.includes(account));
    return bad.length === 0 ? null : { accounts: refusedAccounts(bad, (reason) => t(`invalidReason.${reason}`)) };
  };
  return { ids, refuse };
}

/** Ids of people who may be owners, in the order given. @throws OWNER_NOT_RESOURCE at the path, naming each who may not with the reason */
export async function getOwnerIds(ctx: PoolCtx & Pick<Ctx, "locale">, accounts: readonly string[], path: string): Promise<number[]> {
  const { ids, refuse } = await judgeAccounts(ctx, accounts);
  const refused = refuse(accounts);
  const problem: Problem | null = refused && { path, code: "OWNER_NOT_RESOURCE", params: refused };
  if (problem) throw new AppError(problem.code, problem.params, [problem]);
  return [...new Set(accounts.map((account) => ids.get(account)!))];
}
