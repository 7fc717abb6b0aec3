import { useTranslations } from "next-intl";
import { type RefObject, useCallback, useMemo } from "react";
import type { TimeAxis } from "#components/ui/time-axis.ts";
import { isoDay } from "#lib/core/clock.ts";
import { formatRange, formatShare } from "#lib/core/format.ts";
import { isWorkingDay, type WorkingDays } from "#lib/scheduling/calendar/logic.ts";
import type { LineLook } from "./gantt-content.ts";
import { activityBar, duBar, type GanttFlows, type GanttLine } from "./gantt-model.ts";
import { statusTone, type WantedValues } from "./plan-cells.ts";
import { columnKey } from "./plan-keys.ts";
import type { PlanDates } from "./plan-moves.ts";
import { tileValue } from "./plan-tile.ts";
import type { PlanViewProps } from "./plan-views.ts";

/** Free days of a calendar as a picture of one pixel a day, to be stretched over the axis; `skin` says whose colour it takes. */
export function shadeImage(axis: TimeAxis, calendar: WorkingDays, _skin: string): string {
  const canvas = document.createElement("canvas");
  canvas.width = axis.last - axis.first + 1;
  canvas.height = 1;
  const context = canvas.getContext("2d");
  if (!context) return "none";
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--weekend");
  for (let day = axis.first; day <= axis.last; day++) if (!isWorkingDay(calendar, day)) context.fillRect(day - axis.first, 0, 1, 1);
  return `url("${canvas.toDataURL()}")`;
}

const nothing: LineLook = {
  name: "",
  more: "",
  expanded: null,
  tone: null,
  state: "",
  end: "",
  isDone: false,
  slip: "",
  slipTone: null,
  spoken: "",
  bar: null,
  du: null,
  mark: null,
};

const slipText = (slip: number | null) => (slip === null ? "" : slip > 0 ? `+${slip}` : String(slip));
const slipTone = (slip: number | null) => (slip === null || slip === 0 ? null : slip > 0 ? "over" : "under");

/** How a line is drawn from its row, with unsaved dates and those of a bar that is being dragged. */
export function useLineLook(
  { desk, planHead, cells }: PlanViewProps,
  flows: GanttFlows,
  folded: ReadonlySet<number>,
  preview: RefObject<(GanttLine & { dates: PlanDates }) | null>,
): (line: GanttLine) => LineLook {
  const t = useTranslations("plan-timeline");
  const plan = useTranslations("plan-grid");
  const names = useMemo(() => new Map(planHead.activities.map((activity) => [activity.activityId, activity.name])), [planHead]);
  return useCallback(
    ({ duId, activityId }: GanttLine): LineLook => {
      const row = desk.source.rowOf(String(duId));
      if (!row) return nothing;
      const dragged = preview.current?.duId === duId ? preview.current : null;
      const kept = desk.source.wantedValues(row);
      const wanted: WantedValues | undefined = dragged
        ? (key) => {
            if (key === columnKey("planStart", dragged.activityId)) return isoDay(dragged.dates.planStart);
            if (key === columnKey("planEnd", dragged.activityId)) return isoDay(dragged.dates.planEnd);
            return kept?.(key);
          }
        : kept;
      if (activityId === null) {
        const du = duBar(cells, flows, row, wanted);
        const [code, name] = ["code", "name"].map((key) => String(tileValue(row, key) ?? "")) as [string, string];
        const state = formatShare(du.done, du.applicable, 0);
        const end = isoDay(du.planEnd) ?? "";
        return {
          ...nothing,
          name: code,
          more: name,
          expanded: !folded.has(duId),
          state,
          end,
          slip: slipText(du.slip),
          slipTone: slipTone(du.slip),
          spoken: t("spoken.du", { code, name, state, end: end || t("spoken.none") }),
          du,
        };
      }
      const bar = activityBar(cells, flows, row, activityId, wanted);
      const name = names.get(activityId) ?? "";
      const state = plan(`status.${bar.status}`);
      const edits = (["planStart", "planEnd"] as const).flatMap(
        (field) => desk.edits.get(String(duId), columnKey(field, activityId)) ?? [],
      );
      const range = (from: number, to: number) => (from || to ? formatRange(isoDay(from), isoDay(to)) : t("spoken.none"));
      const mark = edits.some((edit) => edit.refusal) ? "refused" : edits.some((edit) => edit.conflict) ? "conflict" : "dirty";
      return {
        ...nothing,
        name,
        tone: statusTone(bar.status),
        state,
        end: isoDay(bar.actualEnd || bar.planEnd) ?? "",
        isDone: bar.actualEnd !== 0,
        slip: slipText(bar.slip),
        slipTone: slipTone(bar.slip),
        spoken: [
          t("spoken.activity", { name, state, plan: range(bar.planStart, bar.planEnd) }),
          ...(bar.actualStart || bar.actualEnd ? [t("spoken.actual", { range: range(bar.actualStart, bar.actualEnd) })] : []),
          ...(bar.baselineEnd ? [t("spoken.baseline", { range: range(bar.baselineStart, bar.baselineEnd) })] : []),
          ...(edits.length > 0 ? [t(`spoken.${mark}`), ...edits.flatMap((edit) => edit.refusal?.cause ?? [])] : []),
        ].join(", "),
        bar,
        mark: edits.length > 0 ? mark : null,
      };
    },
    [desk, names, cells, flows, folded, preview, t, plan],
  );
}
