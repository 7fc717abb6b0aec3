import "server-only";
import { createTranslator } from "use-intl/core";
import type { Ctx } from "#lib/core/ctx.ts";
import { loadMessages } from "#lib/core/messages.ts";
import type { Filter } from "#lib/core/paging.ts";
import type { Cell } from "#lib/core/workbook-cell.ts";
import { duCondition, duTables } from "#lib/rollout-plan/dus/queries.ts";
import { readMilestoneDates } from "../du-dates/queries.ts";
import { type MilestoneHead, readHeads } from "../queries.ts";
import { exportSlice } from "./limits.ts";

/** Texts of the workbook in the caller's language. */
export const erpTexts = ({ locale }: Pick<Ctx, "locale">): ((key: string) => string) =>
  createTranslator({ locale, messages: loadMessages(locale), namespace: "milestones", onError: () => {} }) as unknown as (
    key: string,
  ) => string;

/** The enabled milestones among the ids, in their order. */
export async function readExported(ctx: Ctx, ids: readonly number[]): Promise<MilestoneHead[]> {
  return (await readHeads(ctx)).filter(({ id, enabled }) => enabled && ids.includes(id));
}

/** Rows of the workbook: one per DU and milestone, by code of the DU. */
export async function* streamErpRows(ctx: Ctx, milestones: readonly MilestoneHead[], filters: readonly Filter[]): AsyncGenerator<Cell[]> {
  const { sql, project } = ctx;
  const t = erpTexts(ctx);
  const dus = await sql<{ id: number; code: string; name: string }[]>`
    select du.id, du.code, du.name from ${duTables(ctx)} where ${duCondition(ctx, filters)} order by du.code collate natural_order, du.id`;
  const heads = new Map(milestones.map((milestone) => [milestone.id, milestone]));
  for (let at = 0; at < dus.length; at += exportSlice) {
    const slice = dus.slice(at, at + exportSlice);
    const found = await readMilestoneDates(
      ctx,
      slice.map(({ id }) => id),
      [...heads.keys()],
    );
    for (const { id, code, name } of slice)
      for (const { id: milestoneId, plan, actual, baseline, status } of found.get(id) ?? []) {
        const { number, nameEn, flag } = heads.get(milestoneId)!;
        yield [project.number, code, name, number, nameEn, t(`flag.${flag}`), day(plan), day(actual), day(baseline), t(`status.${status}`)];
      }
  }
}

const day = (iso: string | null): Cell => (iso === null ? null : { d: iso });
