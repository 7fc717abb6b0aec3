import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { locales } from "#lib/core/locale.ts";
import { loadMessages } from "#lib/core/messages.ts";
import { nameKey } from "#lib/imports/kind/logic.ts";
import type { SheetColumn } from "./limits.ts";
import type { Named, NetworkFacts, SheetTexts } from "./logic.ts";

const titleOf = (locale: Ctx["locale"], column: SheetColumn): string =>
  (loadMessages(locale).regions as unknown as { sheet: Record<SheetColumn, string> }).sheet[column];

/** Titles of the columns in the caller's language and their names in all. */
export function sheetTexts({ locale }: Pick<Ctx, "locale">): SheetTexts {
  return { title: (column) => titleOf(locale, column), names: (column) => locales.map((one) => titleOf(one, column)) };
}

/** The network regions and the delivery regions in use of the project. */
export async function readNetworkFacts({ sql, project }: Pick<Ctx, "sql" | "project">): Promise<NetworkFacts> {
  const [networks, regions] = await Promise.all([
    sql<(Named & { region: string | null })[]>`
      select n.id, n.name, r.name as region from network_region n left join delivery_region r on r.id = n.region_id where n.project_id = ${project.id}`,
    sql<Named[]>`select id, name from delivery_region where project_id = ${project.id} and deleted_at is null and status = 'ACTIVE'`,
  ]);
  return {
    networks: new Map(networks.map((row) => [nameKey(row.name), row])),
    regions: new Map(regions.map((row) => [nameKey(row.name), row])),
  };
}
