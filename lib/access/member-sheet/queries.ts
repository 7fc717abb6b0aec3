import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { locales } from "#lib/core/locale.ts";
import { loadMessages } from "#lib/core/messages.ts";
import type { ImportRow } from "#lib/imports/kind/logic.ts";
import { listManagers } from "../members/queries.ts";
import type { SheetColumn } from "./limits.ts";
import { type Held, heldKey, type MemberFacts, type Person, type SheetTexts } from "./logic.ts";

type Words = {
  memberExport: Record<Exclude<SheetColumn, "rowMark"> | "title", string>;
  states: Record<string, string>;
  kinds: Record<string, string>;
};

const wordsOf = (locale: Ctx["locale"]): Words => loadMessages(locale).access as unknown as Words;
const titleOf = (locale: Ctx["locale"], column: SheetColumn): string => (column === "rowMark" ? "" : wordsOf(locale).memberExport[column]);

/** Titles of the columns in the caller's language and their names in all. */
export function sheetTexts({ locale }: Pick<Ctx, "locale">): SheetTexts {
  return { title: (column) => titleOf(locale, column), names: (column) => locales.map((one) => titleOf(one, column)) };
}

/** What the workbook is called, and the words of its cells that are only shown. */
export function sheetWords({ locale }: Pick<Ctx, "locale">): {
  title: string;
  state: (state: string) => string;
  kind: (kind: string) => string;
} {
  const { memberExport, states, kinds } = wordsOf(locale);
  return { title: memberExport.title, state: (state) => states[state] ?? state, kind: (kind) => kinds[kind] ?? kind };
}

/** What the rows of a workbook name, as far as it exists. */
export async function readMemberFacts(ctx: Ctx, rows: readonly ImportRow[]): Promise<MemberFacts> {
  const { sql, project } = ctx;
  const accounts = [...new Set(rows.flatMap(({ values }) => (typeof values.account === "string" ? [values.account.toLowerCase()] : [])))];
  const [people, held, managers] = await Promise.all([
    sql<Person[]>`select id, account, active from app_user where lower(account) = any(${accounts}::text[])`,
    sql<Held[]>`
      select m.id, m.user_id as "userId", m.role, m.valid_from as "validFrom", m.valid_to as "validTo", m.row_version as "rowVersion"
      from project_member m join app_user u on u.id = m.user_id where m.project_id = ${project.id} and lower(u.account) = any(${accounts}::text[])`,
    listManagers(ctx),
  ]);
  return {
    people: new Map(people.map((person) => [person.account.toLowerCase(), person])),
    held: new Map(held.map((row) => [heldKey(row.userId, row.role), row])),
    managers: new Set(managers),
    today: ctx.today,
  };
}
