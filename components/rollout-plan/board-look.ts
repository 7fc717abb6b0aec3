import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { isoDay, weekday } from "#lib/core/clock.ts";
import { formatRange } from "#lib/core/format.ts";
import { activityStatus } from "#lib/rollout-plan/plan-rows/logic.ts";
import type { BoardContent, CardLook } from "./board-content.ts";
import type { BoardOptions } from "./board-options.ts";
import type { BoardItem, BoardStore } from "./board-store.ts";
import { statusTone } from "./plan-cells.ts";
import { columnKey } from "./plan-keys.ts";
import type { PlanDates } from "./plan-moves.ts";
import type { PlanViewProps } from "./plan-views.ts";

/** Share of a lane's number up to which it is fine, and up to which it is full. */
const fineShare = 0.9;
const fullShare = 1;

type Given = { props: PlanViewProps; store: BoardStore; options: BoardOptions; columns: readonly { from: number; to: number }[] };
type Look = Omit<BoardContent, "layout"> & { nameOf: (activityId: number) => string };

/** How lanes, cells and cards are drawn. */
export function useBoardLook({ props, store, options, columns }: Given): Look {
  const { desk, planHead, cells } = props;
  const t = useTranslations("plan-timeline");
  const plan = useTranslations("plan-grid");
  return useMemo(() => {
    const names = new Map(planHead.activities.map((activity) => [activity.activityId, activity.name]));
    const nameOf = (activityId: number) => names.get(activityId) ?? "";
    const max = options.capacity[options.unit];
    const titleOf = (lane: number) => store.lanes[lane]?.title ?? t(`none.${options.groupBy}`);
    // What is said of a card takes longer to put together than to draw; an item is another object once it was read anew.
    const looks = new WeakMap<BoardItem, CardLook & PlanDates>();
    const card = (item: BoardItem): CardLook => {
      const dates = store.wanted(item);
      const known = looks.get(item);
      const edits = (["planStart", "planEnd"] as const).flatMap(
        (field) => desk.edits.get(String(item.du.id), columnKey(field, item.activityId)) ?? [],
      );
      if (known && edits.length === 0 && known.planStart === dates.planStart && known.planEnd === dates.planEnd) return known;
      const end = dates.planEnd || dates.planStart;
      const status = activityStatus(item.state, end, 0, cells.today);
      const mark = edits.some((edit) => edit.refusal) ? "refused" : edits.some((edit) => edit.conflict) ? "conflict" : "dirty";
      const range = formatRange(isoDay(dates.planStart || dates.planEnd), isoDay(end));
      const spoken = t("card", {
        activity: nameOf(item.activityId),
        code: item.du.code,
        name: item.du.name,
        state: plan(`status.${status}`),
        range,
      });
      const more = edits.length > 0 ? [t(`spoken.${mark}`), ...edits.flatMap((edit) => edit.refusal?.cause ?? [])] : [];
      const look = {
        key: item.key,
        tone: statusTone(status),
        code: item.du.code,
        name: nameOf(item.activityId),
        spoken: [spoken, ...more].join(", "),
        mark: edits.length > 0 ? mark : null,
        planStart: dates.planStart,
        planEnd: dates.planEnd,
      } as const;
      if (edits.length === 0) looks.set(item, look);
      return look;
    };
    return {
      nameOf,
      more: (count) => t("cell.more", { count }),
      lane: (at) => {
        const id = store.lanes[at]?.id ?? 0;
        let most = 0;
        let hidden = false;
        for (const { from, to } of columns) {
          const load = store.load(id, from, to);
          if (load === null) hidden = true;
          else most = Math.max(most, load);
        }
        const share = hidden || max === null ? null : most / max;
        return {
          title: titleOf(at),
          note: hidden ? "" : max === null ? t("most", { count: most }) : t("capacity.within", { load: most, max }),
          share,
          tone: share === null ? null : share <= fineShare ? "ok" : share <= fullShare ? "warn" : "danger",
        };
      },
      cell: (lane, at) => {
        const days = columns[at] as { from: number; to: number };
        const id = store.lanes[lane]?.id ?? 0;
        const items = store.cards(id, days.from, days.to);
        const count = store.number(id, days.from, days.to);
        const load = store.load(id, days.from, days.to);
        const over = max !== null && load !== null && load > max;
        const range = days.from === days.to ? (isoDay(days.from) ?? "") : formatRange(isoDay(days.from), isoDay(days.to));
        const number = items?.length ?? count;
        return {
          cards: items?.map(card) ?? null,
          count,
          spoken: [
            titleOf(lane),
            range,
            number === null ? t("cell.loading") : t("cell.count", { count: number }),
            ...(over ? [t("capacity.over", { load: load as number, max: max as number })] : []),
          ].join(", "),
          over: over ? `${load} / ${max}` : null,
          isFree: options.unit === "day" && (weekday(days.from) === 0 || weekday(days.from) === 6),
          isToday: days.from <= cells.today && days.to >= cells.today,
        };
      },
    };
  }, [desk, planHead, cells, store, options, columns, t, plan]);
}
