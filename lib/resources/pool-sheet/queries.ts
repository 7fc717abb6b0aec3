import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { locales } from "#lib/core/locale.ts";
import { loadMessages } from "#lib/core/messages.ts";
import type { ImportRow } from "#lib/imports/kind/logic.ts";
import type { ResourceStatus, ResourceType } from "../pool/limits.ts";
import { findEditable } from "../pool/queries.ts";
import type { SheetColumn } from "./limits.ts";
import type { PoolFacts, SheetTexts, StoredPerson } from "./logic.ts";

type Words = {
  sheet: Record<SheetColumn | "title", string>;
  type: Record<ResourceType, string>;
  state: Record<ResourceStatus, string>;
};
const wordsOf = (locale: Ctx["locale"]): Words => loadMessages(locale).resources as unknown as Words;

/** Titles of the columns in the caller's language and their names in all. */
export function sheetTexts({ locale }: Pick<Ctx, "locale">): SheetTexts {
  const titleOf = (one: Ctx["locale"], column: SheetColumn) => (column === "rowMark" ? "" : wordsOf(one).sheet[column]);
  return {
    title: (column) => titleOf(locale, column),
    names: (column) => locales.map((one) => titleOf(one, column)),
    typeNames: (type) => locales.map((one) => wordsOf(one).type[type]),
  };
}

/** What the workbook is called, and the words of its cells. */
export function sheetWords({ locale }: Pick<Ctx, "locale">): {
  title: string;
  type: (type: ResourceType) => string;
  status: (status: ResourceStatus) => string;
} {
  const { sheet, type, state } = wordsOf(locale);
  return { title: sheet.title, type: (key) => type[key], status: (key) => state[key] };
}

type PersonRow = Omit<StoredPerson, "editable"> & { key: string };

/** Whom the rows name, as far as they exist. */
export async function readPoolFacts(ctx: Ctx, rows: readonly ImportRow[]): Promise<PoolFacts> {
  const { sql, project } = ctx;
  const accounts = [
    ...new Set(rows.flatMap(({ values }) => (typeof values.account === "string" ? [values.account.trim().toLowerCase()] : []))),
  ];
  const [known, people] = await Promise.all([
    sql<{ key: string }[]>`select lower(account) as key from app_user where active and lower(account) = any(${accounts}::text[])`,
    sql<PersonRow[]>`
      select lower(u.account) as key, r.id, r.row_version as "rowVersion", r.type, r.contractor, r.phone, r.auth_start::text as "authStart", r.auth_end::text as "authEnd",
        r.visa_type as "visaType", r.visa_start::text as "visaStart", r.visa_end::text as "visaEnd", r.skills
      from resource r join app_user u on u.id = r.user_id where r.project_id = ${project.id} and lower(u.account) = any(${accounts}::text[])`,
  ]);
  const editable = await findEditable(
    ctx,
    people.map(({ id }) => id),
  );
  return {
    accounts: new Set(known.map(({ key }) => key)),
    people: new Map(
      people.map(({ key, ...person }) => [key, { ...person, editable: editable === "all" || editable.has(person.id) } as StoredPerson]),
    ),
    mayAdd: editable === "all",
  };
}
