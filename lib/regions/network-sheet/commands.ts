import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import type { CheckedRow, ImportKind, ImportRow, ImportRun, WriteFrame } from "#lib/imports/kind/logic.ts";
import { checkedRow, networkFields, networkWork } from "./logic.ts";
import { readNetworkFacts, sheetTexts } from "./queries.ts";
import { NetworkSheetOptions } from "./schema.ts";

/** The import of network regions: new ones come unmapped where the file names no delivery region; what it leaves out stays. */
export const networkRegionImport: ImportKind = {
  options: NetworkSheetOptions,
  fields: async (ctx) => networkFields(sheetTexts(ctx)),
  choices: async () => [],
  fallbacks: [],
  labels: ["networkRegion", "region"],
  open: (): ImportRun => {
    const seen = new Map<string, number>();
    return {
      check: async (ctx, rows) => {
        const facts = await readNetworkFacts(ctx);
        return rows.map((row) => checkedRow(networkWork(row, facts, seen)));
      },
      write: writeRows,
    };
  },
};

async function writeRows(
  ctx: Ctx,
  rows: readonly ImportRow[],
  frame: WriteFrame,
): Promise<{ written: CheckedRow[]; rejected: CheckedRow[] }> {
  await holdProject(ctx);
  const { sql, project } = ctx;
  const facts = await readNetworkFacts(ctx);
  const seen = new Map<string, number>();
  const works = rows.map((row) => networkWork(row, facts, seen));
  const rejected = works.filter(({ problems }) => problems.length > 0).map(checkedRow);
  const accepted = works.filter(({ problems, changes }) => problems.length === 0 && changes.length > 0);
  if (accepted.length === 0 || (frame.whole && rejected.length > 0)) return { written: [], rejected };
  await frame.step(0.5);
  const given = accepted.map(({ stored, name, region }) => ({ id: stored?.id ?? null, name, regionId: region?.id ?? null }));
  await sql`
    update network_region n set region_id = coalesce(g."regionId", n.region_id), row_version = n.row_version + 1
    from jsonb_to_recordset(${sql.json(given as never)}) as g(id bigint, "regionId" bigint) where n.id = g.id`;
  await sql`
    insert into network_region (project_id, name, source, region_id)
    select ${project.id}, g.name, 'IMPORT', g."regionId"
    from jsonb_to_recordset(${sql.json(given as never)}) as g(id bigint, name text, "regionId" bigint) where g.id is null`;
  ctx.audit(
    `task ${frame.taskId}`,
    null,
    { kind: "networkRegions", rows: given.map(({ name, regionId }) => ({ name, regionId })) },
    "config_changed",
  );
  return { written: accepted.map(checkedRow), rejected };
}
