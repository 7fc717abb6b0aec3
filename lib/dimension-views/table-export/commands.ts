import "server-only";
import { createTranslator } from "use-intl/core";
import type { Ctx } from "#lib/core/ctx.ts";
import type { JobCtx } from "#lib/core/job.ts";
import type { Locale } from "#lib/core/locale.ts";
import { loadMessages } from "#lib/core/messages.ts";
import type { Outcome } from "#lib/core/task.ts";
import type { Cell } from "#lib/core/workbook-cell.ts";
import type { WriteColumn } from "#lib/core/workbook-write.ts";
import { startListExport, storeListExport } from "#lib/tasks/list-export/commands.ts";
import type { ViewRow } from "../counts/logic.ts";
import { readWholeView, type View } from "../counts/queries.ts";
import { getTab } from "../queries.ts";
import type { ExportView } from "./schema.ts";

type Text = (key: string, values?: Record<string, string | number>) => string;

const wordsOf = (locale: Locale): Text =>
  createTranslator({ locale, messages: loadMessages(locale), namespace: "dimension-views", onError: () => {} }) as unknown as Text;

/** Columns of each activity: the amounts, where they may be seen, and the rate. */
const amounts = ["applicable", "planned", "done", "delayed"] as const;

const figureColumns = (view: View) => (view.hidden ? (["rate"] as const) : ([...amounts, "rate"] as const));

/**
 * Starts an export of a tab's table as it is shown: its rows with all their figures, the totals last.
 * @throws NO_DATA, EXPORT_LIMIT, EXPORT_UNFINISHED, NOT_FOUND
 */
export async function startViewExport(ctx: Ctx, input: ExportView): Promise<{ taskId: string }> {
  const [{ tab }, view] = await Promise.all([getTab(ctx, input.tabId), readWholeView(ctx, input)]);
  return startListExport(ctx, {
    kind: "dimensionViews.export",
    title: tab.alias,
    params: input,
    total: view.rows.length,
    columns: 2 + view.activities.length * figureColumns(view).length,
  });
}

/** Writes the table of a tab. Safe to run twice. */
export async function runViewExport(job: JobCtx, input: ExportView): Promise<Outcome> {
  const t = wordsOf(job.locale);
  const [{ tab }, view] = await Promise.all([getTab(job, input.tabId), readWholeView(job, input)]);
  const shown = figureColumns(view);
  const columns: WriteColumn[] = [
    { title: view.dimension.name ?? t(`fields.${view.dimension.key}`), width: 32 },
    ...(view.hidden ? [] : [{ title: t("total"), kind: "number" as const }]),
    ...view.activities.flatMap(({ name }) =>
      shown.map((key): WriteColumn => ({ title: t(`exported.${key}`, { activity: name }), kind: "number" })),
    ),
  ];
  const cells = ({ kind, title, total, figures }: ViewRow): Cell[] => [
    kind === "value" ? title : t(`rows.${kind}`),
    ...(view.hidden ? [] : [total]),
    ...figures.flatMap((figure) => shown.map((key) => figure[key])),
  ];
  return storeListExport(job, {
    title: tab.alias,
    columns,
    rows: [...view.rows, view.totals].map(cells),
    total: view.rows.length + 1,
    lockedColumns: 1,
  });
}
