import "server-only";
import { blankDay } from "#lib/attributes/columns/limits.ts";
import { readAttributeColumns } from "#lib/attributes/columns/queries.ts";
import { readHidden } from "#lib/attributes/modes/queries.ts";
import { isoDay } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import type { Locale } from "#lib/core/locale.ts";
import { cellText } from "#lib/core/workbook-cell.ts";
import { attributeKey } from "#lib/rollout-plan/columns/logic.ts";
import { isDayColumn } from "#lib/rollout-plan/plan-export/logic.ts";
import { readExportFrame, readExportRows } from "#lib/rollout-plan/plan-export/queries.ts";
import type { MailTable } from "../mail-templates/logic.ts";
import { readSettings } from "../settings/queries.ts";
import { notifiedActivityColumns, notifiedDuColumns } from "./limits.ts";

/** What a notification shows beside the DUs themselves. */
export type Shown = { attributeIds: readonly number[]; activityIds: readonly number[] };

/**
 * DUs that may be written about: those with a value of each attribute the project has mapped.
 * @returns `checked` is false where the project maps none
 */
export async function readComplete(ctx: Ctx, duIds: readonly number[]): Promise<{ complete: number[]; checked: boolean }> {
  const { equipmentAccountAttributeId, productNameAttributeId } = await readSettings(ctx);
  const asked = [equipmentAccountAttributeId, productNameAttributeId].filter((id) => id !== null);
  if (asked.length === 0) return { complete: [...duIds], checked: false };
  const block = await readAttributeColumns(ctx, duIds, asked);
  const columns = asked.map((id) => block.columns.get(attributeKey(id)));
  const complete = new Set(block.duIds.filter((_, at) => columns.every((column) => column && !isBlankAt(column, at))));
  return { complete: duIds.filter((id) => complete.has(id)), checked: true };
}

type Column = NonNullable<ReturnType<Awaited<ReturnType<typeof readAttributeColumns>>["columns"]["get"]>>;

function isBlankAt(column: Column, at: number): boolean {
  const value = column.values[at] as number;
  switch (column.kind) {
    case "days":
      return value === blankDay;
    case "minutes":
      return value < 0;
    case "codes":
      return (column.texts[value]?.trim() ?? "") === "";
    default:
      return Number.isNaN(value);
  }
}

/** Attributes that neither the caller nor the given people may see. */
export async function readHiddenFor(
  ctx: Pick<Ctx, "sql" | "project" | "now">,
  user: { id: number; roles: Ctx["user"]["roles"] },
): Promise<Set<number>> {
  const [row] = await ctx.sql<{ kind: Ctx["user"]["kind"] }[]>`select kind from app_user where id = ${user.id}`;
  return readHidden({ ...ctx, user: { ...user, kind: row?.kind ?? "customer" } as Ctx["user"] });
}

/** The DUs as the rows of a mail in a language, with code and name of the first columns. */
export async function readTable(
  ctx: Ctx,
  duIds: readonly number[],
  { attributeIds, activityIds }: Shown,
  lang: Locale,
): Promise<MailTable> {
  const own = { ...ctx, locale: lang };
  const frame = await readExportFrame(own, [
    ...notifiedDuColumns,
    ...attributeIds.map((id) => `a${id}`),
    ...activityIds.flatMap((id) => notifiedActivityColumns.map((field) => `${id}:${field}`)),
  ]);
  const rows = await readExportRows(own, frame, duIds);
  return {
    head: frame.head.map(({ title }) => title),
    rows: rows.map((cells) =>
      cells.map((cell, at) => {
        const column = frame.columns[at];
        return column && isDayColumn(column) && typeof cell === "number" ? (isoDay(cell) ?? "") : cellText(cell);
      }),
    ),
  };
}
