import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { locales } from "#lib/core/locale.ts";
import { loadMessages } from "#lib/core/messages.ts";
import { type ImportRow, markOf } from "#lib/imports/kind/logic.ts";
import { nameKey, useText } from "../graph/logic.ts";
import { findActivityUse, type LeavingActivity, readGraphs } from "../graph/queries.ts";
import { readActivities } from "../library/queries.ts";
import type { SheetColumn } from "./limits.ts";
import { leavingKey, type SheetFacts, type SheetFlow, type SheetTexts } from "./logic.ts";

type Words = { title: string; column: Record<SheetColumn | "library", string>; flag: { yes: string; no: string }; unlinked: string };

const wordsOf = (locale: Ctx["locale"]): Words => (loadMessages(locale)["activity-flows"] as unknown as { sheet: Words }).sheet;

/** Words of the workbook in the caller's language, names of columns in all languages. */
export function sheetTexts({ locale }: Pick<Ctx, "locale">): SheetTexts {
  const own = wordsOf(locale);
  const all = locales.map(wordsOf);
  return {
    column: (key) => own.column[key],
    columnNames: (key) => all.map((words) => words.column[key]),
    flag: (value) => (value ? own.flag.yes : own.flag.no),
    unlinked: own.unlinked,
  };
}

/** What the workbook is called. */
export const sheetTitle = ({ locale }: Pick<Ctx, "locale">): string => wordsOf(locale).title;

/**
 * Flows of the project as they are being edited, by id or by name, in the order of their names: of a released flow its working copy where one is open.
 * @param wanted names in the form of `nameKey`; ids of flows or of their working copies
 */
export async function readSheetFlows(
  ctx: Ctx,
  wanted: { ids: readonly number[] } | { names: readonly string[] },
): Promise<(SheetFlow & { copyId: number | null })[]> {
  const { sql, project } = ctx;
  const chosen =
    "ids" in wanted
      ? sql`(f.id = any(${[...wanted.ids]}::bigint[]) or w.id = any(${[...wanted.ids]}::bigint[]))`
      : sql`lower(f.name) = any(${[...wanted.names]}::text[])`;
  const heads = await sql<
    (Pick<SheetFlow, "flowId" | "name" | "status"> & { rowVersion: number; copyId: number | null; copyVersion: number | null })[]
  >`
    select f.id as "flowId", f.name, f.status, f.row_version as "rowVersion", w.id as "copyId", w.row_version as "copyVersion"
    from activity_flow f left join activity_flow w on w.draft_of = f.id
    where f.project_id = ${project.id} and f.draft_of is null and ${chosen} order by f.name collate natural_order, f.id`;
  const graphs = await readGraphs(
    ctx,
    heads.map(({ flowId, copyId }) => copyId ?? flowId),
  );
  const library = await readActivities(ctx, [
    ...new Set([...graphs.values()].flatMap(({ nodes }) => nodes.flatMap((node) => node.activityId ?? []))),
  ]);
  return heads.map(({ rowVersion, copyVersion, ...head }) => {
    const { nodes, relations } = graphs.get(head.copyId ?? head.flowId)!;
    return {
      ...head,
      revision: markOf(
        { id: head.flowId, rowVersion },
        ...(head.copyId === null ? [] : [{ id: head.copyId, rowVersion: copyVersion as number }]),
      ),
      nodes: nodes.map(({ originNodeId, ...node }) => ({
        ...node,
        code: node.activityId === null ? null : (library.get(node.activityId)?.code ?? null),
        released: head.status === "released" && (head.copyId === null || originNodeId !== null),
      })),
      relations,
    };
  });
}

/** What a check of the rows needs to know, in a fixed number of statements. */
export async function readSheetFacts(ctx: Ctx, rows: readonly ImportRow[]): Promise<SheetFacts> {
  const { sql, project } = ctx;
  const keysOf = (column: SheetColumn) => [...new Set(rows.map(({ values }) => nameKey(String(values[column] ?? ""))))].filter(Boolean);
  const flows = await readSheetFlows(ctx, { names: keysOf("flow") });
  const known = await sql<{ id: number; code: string; name: string; standard: boolean }[]>`
    select id, code, name, project_id is null as standard from activity_library
    where (project_id = ${project.id} or project_id is null) and disabled_at is null
      and (lower(code) = any(${keysOf("code")}::text[]) or lower(name) = any(${keysOf("name")}::text[]))`;
  const keys = ({ code, name }: { code: string; name: string }) => [`code ${nameKey(code)}`, `name ${nameKey(name)}`];
  return {
    flows: new Map(flows.map((flow) => [nameKey(flow.name), flow])),
    library: new Map(known.filter(({ standard }) => !standard).flatMap((row) => keys(row).map((key) => [key, row.id] as const))),
    standard: new Set(known.filter(({ standard }) => standard).flatMap(keys)),
    mayRemoveReleased: ctx.can("flow.releaseNodeDelete"),
    used: new Map(),
  };
}

/** Of activities that would leave their flows those that cannot, with what holds them, by `leavingKey`. */
export async function readHeld(ctx: Ctx, leaving: readonly LeavingActivity[]): Promise<Map<string, string>> {
  const used = await findActivityUse(ctx, leaving);
  return new Map(used.map((use) => [leavingKey(use.flowId, use.activityId), useText(use)]));
}
