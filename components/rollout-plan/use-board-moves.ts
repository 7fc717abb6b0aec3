import { useTranslations } from "next-intl";
import { useCallback, useState } from "react";
import { toast } from "#components/ui/toast.ts";
import { isoDay } from "#lib/core/clock.ts";
import { formatRange } from "#lib/core/format.ts";
import { firstDates, movedDates } from "#lib/rollout-plan/board/logic.ts";
import type { Gantt } from "#lib/rollout-plan/gantt/queries.ts";
import type { BoardItem, BoardStore } from "./board-store.ts";
import type { CalendarTables } from "./calendar-tables.ts";
import { type PlanDates, replan } from "./plan-moves.ts";
import type { PlanViewProps } from "./plan-views.ts";

type Given = { props: PlanViewProps; store: BoardStore; calendars: CalendarTables | null };

/** Planning cards anew: their rows are read first, so that the locks and rules of the grid hold for them. */
export function useBoardMoves({ props, store, calendars }: Given) {
  const { desk, planHead, lockedDates, onLockedDates } = props;
  const t = useTranslations("plan-timeline");
  const [said, setSaid] = useState("");

  /** The row of a card and its flow; nothing, and a message, where it cannot be read. */
  const read = useCallback(
    async (item: BoardItem): Promise<Gantt | null> => {
      const answer = await desk.source.readRows([item.du.id]);
      if (answer.data) return answer.data;
      toast.problem(answer.msg ?? t("failed"));
      return null;
    },
    [desk, t],
  );

  const plan = useCallback(
    (item: BoardItem, dates: PlanDates) => {
      const row = desk.source.rowOf(String(item.du.id));
      if (!row || desk.grid.readOnly) return;
      const result = replan(desk, planHead, lockedDates, row, item.activityId, dates);
      if (result.kind === "locked") {
        if (result.dates) onLockedDates(result.dates);
        else toast.note(result.refusal.cause);
        return;
      }
      const name = planHead.activities.find((activity) => activity.activityId === item.activityId)?.name ?? "";
      const range = formatRange(isoDay(dates.planStart), isoDay(dates.planEnd));
      setSaid(result.kind === "refused" ? t("refused", { name, range, cause: result.refusal.cause }) : t("moved", { name, range }));
    },
    [desk, planHead, lockedDates, onLockedDates, t],
  );

  /** Wants other dates for a card. */
  const want = useCallback(
    async (item: BoardItem, dates: PlanDates) => {
      store.know([item]);
      if (await read(item)) plan(item, dates);
    },
    [store, read, plan],
  );

  /** A card was dragged from one day to another, or onto a day where it was not planned. */
  const drop = useCallback(
    async (item: BoardItem, from: number | null, to: number) => {
      const calendar = calendars?.of(item.du.regionId);
      if (!calendar) return;
      store.know([item]);
      const answer = await read(item);
      if (!answer) return;
      const lead = answer.flows[0]?.nodes.find(([activityId]) => activityId === item.activityId)?.[1] ?? 1;
      const dates = from === null ? firstDates(calendar, to, lead) : movedDates(calendar, store.wanted(item), from, to);
      if (dates) plan(item, dates);
    },
    [calendars, store, read, plan],
  );

  return { want, drop, said };
}
