"use client";

import { Button, NumberInput, SegmentedControl } from "@mantine/core";
import { IconCalendarEvent, IconChevronLeft, IconChevronRight, IconInbox } from "@tabler/icons-react";
import { useLocale, useTranslations } from "next-intl";
import { type CSSProperties, type KeyboardEvent, useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "react";
import { asColumnHead, asRow, asRows } from "#components/grid/grid-roles.ts";
import { useGlyphImages } from "#components/grid/use-glyph-images.ts";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import chart from "#components/ui/time-chart.module.css";
import { toast } from "#components/ui/toast.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { isoDay, weekday } from "#lib/core/clock.ts";
import { formatNumber, formatRange, formatWeek } from "#lib/core/format.ts";
import { boardCardsMax, boardDaysMax, boardGroups, unscheduledMax } from "#lib/rollout-plan/board/limits.ts";
import { shiftedDates } from "#lib/rollout-plan/board/logic.ts";
import type { Board } from "#lib/rollout-plan/board/queries.ts";
import styles from "./board.module.css";
import type { BoardContent, BoardPlace } from "./board-content.ts";
import { useBoardDrag } from "./board-drag.ts";
import { boardKey } from "./board-keys.ts";
import { boardHead, boardLayout, laneHead, laneHeight } from "./board-layout.ts";
import { BoardLists } from "./board-lists.tsx";
import { useBoardLook } from "./board-look.ts";
import { type BoardOptions, boardUnits, capacityMax, readBoardOptions } from "./board-options.ts";
import { BoardPainter } from "./board-painter.ts";
import { type BoardItem, boardColumns, boardItems } from "./board-store.ts";
import { PlanDayDialog } from "./plan-day-dialog.tsx";
import type { PlanViewProps } from "./plan-views.ts";
import { useBoardMoves } from "./use-board-moves.ts";
import { useBoardStore } from "./use-board-store.ts";
import { useViewData } from "./use-view-data.ts";

/** How long the board rests before the cards in sight are read. */
const restMs = 80;

/** The activities that are to be done, in lanes over days or weeks: moving them plans them anew. */
export function BoardView(props: PlanViewProps) {
  const { desk, cells, queryId, empty, onOptions, onExpired } = props;
  const t = useTranslations("plan-timeline");
  const common = useTranslations("common");
  const locale = useLocale();
  const id = useId();
  const options = useMemo(() => readBoardOptions(props.options), [props.options]);
  const change = (part: Partial<BoardOptions>) => onOptions({ ...options, ...part });
  const { groupBy, unit } = options;
  // Another range is looked at once; who comes back finds the present one.
  const [begun, setBegun] = useState<number | null>(null);
  const first = begun ?? cells.today - weekday(cells.today);
  const last = first + boardDaysMax - 1;
  const [from, to] = [isoDay(first) as string, isoDay(last) as string];
  const { data, failed, retry } = useViewData<Board>(props, "rolloutPlan/board", { from, to, groupBy });
  const board = data && data.from === from && data.to === to && data.groupBy === groupBy ? data : null;

  const [active, setActive] = useState<BoardPlace | null>(null);
  const [asking, setAsking] = useState<BoardItem | null>(null);
  const [listed, setListed] = useState<{ title: string; items: readonly BoardItem[] } | null>(null);
  const [waiting, setWaiting] = useState(false);
  const scroller = useRef<HTMLDivElement>(null);
  useGlyphImages(scroller);
  const body = useRef<HTMLDivElement>(null);
  const painter = useRef<BoardPainter | null>(null);

  /** Cards of some lanes and days; null, and a message that offers to ask again, where they could not be read. */
  const read = useCallback(
    async (lanes: readonly number[], fromDay: number, toDay: number, onRetry: () => void) => {
      const input = { from: isoDay(fromDay), to: isoDay(toDay), groupBy, queryId, lanes, counts: false };
      const answer = await callDoor<Board>("rolloutPlan/board", input, { reading: true });
      if (answer.code === "QUERY_EXPIRED") onExpired();
      else if (!answer.data)
        toast.problem(answer.msg ?? t("failed"), { id: "plan-board", actions: [{ label: common("retry"), run: onRetry }] });
      return answer.data ?? null;
    },
    [groupBy, queryId, onExpired, t, common],
  );
  const onRetry = useRef<() => void>(() => {});
  const ask = useCallback(
    (lanes: readonly number[], fromDay: number, toDay: number) => read(lanes, fromDay, toDay, () => onRetry.current()),
    [read],
  );
  const { store, calendars, version } = useBoardStore({ desk, board, ask, first, last, key: `${queryId} ${groupBy} ${from}` });
  onRetry.current = () => store.retry();
  const unscheduled = useMemo(() => (board?.unscheduled ? boardItems(board.dus, board.unscheduled.cards) : []), [board]);
  useEffect(() => store.know(unscheduled), [store, unscheduled]);

  const columns = useMemo(() => boardColumns(unit, first, last), [unit, first, last]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the store changes behind its version.
  const fullest = useMemo(
    () =>
      store.lanes.map(({ id: lane }) => {
        let most: number | null = 0;
        for (const column of columns) {
          const number = store.number(lane, column.from, column.to);
          most = number === null || most === null ? null : Math.max(most, number);
        }
        return most;
      }),
    [store, columns, version],
  );
  const fullestKey = fullest.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key holds the heights.
  const layout = useMemo(() => boardLayout(unit, columns, fullest), [unit, columns, fullestKey]);
  const look = useBoardLook({ props, store, options, columns });
  const content = useMemo<BoardContent>(() => ({ layout, ...look }), [layout, look]);

  useLayoutEffect(() => {
    if (!scroller.current || !body.current) return;
    const made = new BoardPainter(scroller.current, body.current, styles, id);
    painter.current = made;
    const resized = new ResizeObserver(() => made.repaint());
    resized.observe(scroller.current);
    return () => {
      resized.disconnect();
      made.stop();
    };
  }, [id]);

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const need = (again = false) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      if (again) store.retry();
      const seen = painter.current?.seen();
      if (!seen || seen.lastLane < 0) return;
      const lanes = store.lanes.slice(seen.firstLane, seen.lastLane + 1).map((lane) => lane.id);
      store.need(lanes, columns[seen.firstColumn]?.from ?? first, columns[seen.lastColumn]?.to ?? last);
    }, restMs);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: what stands where changes behind the version.
  useLayoutEffect(() => {
    if (!painter.current) return;
    painter.current.active = active;
    painter.current.setContent(content);
    need();
  }, [content, active, version]);

  // The board opens where today is.
  const opened = useRef("");
  useLayoutEffect(() => {
    const key = `${unit} ${first}`;
    if (!scroller.current || opened.current === key || layout.rooms.length === 0) return;
    opened.current = key;
    const at = columns.findIndex((column) => column.from <= cells.today && column.to >= cells.today);
    scroller.current.scrollLeft = Math.max(0, at) * layout.columnWidth;
    painter.current?.scrolled(true);
  }, [unit, first, columns, layout, cells]);

  const moves = useBoardMoves({ props, store, calendars });
  const reveal = (place: BoardPlace) => {
    const element = scroller.current;
    if (!element) return;
    const top = layout.tops[place.lane] ?? 0;
    const room = element.clientHeight - boardHead;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + laneHeight(layout, place.lane) > element.scrollTop + room)
      element.scrollTop = Math.min(top, top + laneHeight(layout, place.lane) - room);
    const left = place.column * layout.columnWidth;
    const wide = element.clientWidth - laneHead;
    if (left < element.scrollLeft) element.scrollLeft = left;
    else if (left + layout.columnWidth > element.scrollLeft + wide) element.scrollLeft = left + layout.columnWidth - wide;
  };
  const go = (place: BoardPlace) => {
    reveal(place);
    painter.current?.scrolled(true);
    setActive(place);
  };
  const cardsAt = ({ lane, column }: Pick<BoardPlace, "lane" | "column">) => {
    const days = columns[column];
    const given = store.lanes[lane];
    return days && given ? (store.cards(given.id, days.from, days.to) ?? []) : [];
  };
  const itemAt = (place: BoardPlace | null) => (place && place.at >= 0 ? cardsAt(place)[place.at] : undefined);
  /** Where a card stands after a move, so that the keyboard follows it. */
  const placeOf = (item: BoardItem, lane: number): BoardPlace | null => {
    const now = store.standingOf(item.key);
    const column = now ? columns.findIndex((one) => one.to >= now.from && one.from <= now.from) : -1;
    if (column < 0) return null;
    return { lane, column, at: cardsAt({ lane, column }).findIndex((one) => one.key === item.key) };
  };
  const openList = (place: BoardPlace) => {
    const days = columns[place.column];
    const lane = store.lanes[place.lane];
    if (!days || !lane) return;
    const range = days.from === days.to ? (isoDay(days.from) ?? "") : formatRange(isoDay(days.from), isoDay(days.to));
    const title = t("list.title", { lane: lane.title ?? t(`none.${groupBy}`), range });
    const given = store.cards(lane.id, days.from, days.to);
    if (given && given.length > 0) return setListed({ title, items: given });
    if (store.number(lane.id, days.from, days.to) === 0) return;
    // Numbers stand where cards were too many to be read unasked.
    void read([lane.id], days.from, days.to, () => openList(place)).then((answer) => {
      if (!answer) return;
      if (answer.cards) setListed({ title, items: boardItems(answer.dus, answer.cards) });
      else toast.note(t("list.tooMany", { max: formatNumber(boardCardsMax) }));
    });
  };
  const toToday = () => {
    if (begun !== null) return setBegun(null);
    const at = columns.findIndex((column) => column.from <= cells.today && column.to >= cells.today);
    if (scroller.current) scroller.current.scrollLeft = Math.max(0, at) * layout.columnWidth;
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const done = boardKey(event, {
      place: active,
      layout,
      countAt: (place) => cardsAt(place).length,
      go,
      shift: (days) => {
        const item = itemAt(active);
        const calendar = item && calendars?.of(item.du.regionId);
        const dates = item && calendar ? shiftedDates(calendar, store.wanted(item), days) : null;
        if (!item || !dates || !active) return;
        void moves.want(item, dates).then(() => {
          const place = placeOf(item, active.lane);
          if (place) go(place);
        });
      },
      open: () => {
        const item = itemAt(active);
        if (item) setAsking(item);
      },
      list: () => active && openList(active),
      toToday,
      undo: () => desk.edits.undo(),
      redo: () => desk.edits.redo(),
    });
    if (done) event.preventDefault();
  };

  const drag = useBoardDrag({
    scroller,
    layout,
    styles,
    readOnly: desk.grid.readOnly,
    itemOf: (key) => store.item(key),
    onDrop: (item, fromColumn, toColumn) => {
      const target = columns[toColumn];
      const grabbed = fromColumn === null ? null : columns[fromColumn];
      if (target) void moves.drop(item, grabbed?.from ?? null, target.from);
    },
    onChoose: setActive,
    onOpen: setAsking,
    onList: openList,
  });

  const shownLanes = store.lanes.length;
  const waits = unscheduled.filter((item) => store.standingOf(item.key) === null);
  const step = (days: number) => setBegun(first + days);
  const columnText = ({ from: day }: { from: number }) => {
    const date = new Date(Date.parse(`${isoDay(day)}T00:00:00Z`));
    if (unit === "week") return { upper: isoDay(day) ?? "", lower: formatWeek(isoDay(day + (weekday(day) === 0 ? 1 : 0)) ?? "").slice(5) };
    const name = new Intl.DateTimeFormat(locale, { weekday: "short", timeZone: "UTC" }).format(date);
    return { upper: name, lower: isoDay(day) ?? "" };
  };
  return (
    <div className={chart.frame}>
      <div className={chart.bar}>
        <SegmentedControl
          size="xs"
          aria-label={t("group.label")}
          data={boardGroups.map((value) => ({ value, label: t(`group.${value}`) }))}
          value={groupBy}
          onChange={(value) => change({ groupBy: value as BoardOptions["groupBy"] })}
        />
        <SegmentedControl
          size="xs"
          aria-label={t("unit.label")}
          data={boardUnits.map((value) => ({ value, label: t(`unit.${value}`) }))}
          value={unit}
          onChange={(value) => change({ unit: value as BoardOptions["unit"] })}
        />
        <Button.Group>
          <Button variant="default" aria-label={t("range.earlier")} onClick={() => step(-28)}>
            <IconChevronLeft size={16} stroke={1.4} />
          </Button>
          <Button variant="default" leftSection={<IconCalendarEvent size={16} stroke={1.4} />} onClick={toToday}>
            {t("toToday")}
          </Button>
          <Button variant="default" aria-label={t("range.later")} onClick={() => step(28)}>
            <IconChevronRight size={16} stroke={1.4} />
          </Button>
        </Button.Group>
        <span className={chart.count}>{formatRange(from, to)}</span>
        <label className={styles.capacity} htmlFor={`${id}-capacity`}>
          <span>{t("capacity.label")}</span>
          <NumberInput
            id={`${id}-capacity`}
            w={96}
            size="xs"
            min={1}
            max={capacityMax}
            allowDecimal={false}
            placeholder={t("capacity.none")}
            value={options.capacity[unit] ?? ""}
            onChange={(value) =>
              change({
                capacity: { ...options.capacity, [unit]: typeof value === "number" && value >= 1 ? Math.min(value, capacityMax) : null },
              })
            }
          />
          <span>{t(`capacity.${unit}`)}</span>
        </label>
        <span className={chart.grow} />
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconInbox size={16} stroke={1.4} />}
          aria-expanded={waiting}
          onClick={() => setWaiting(!waiting)}
        >
          {!board
            ? t("unscheduled.title")
            : board.unscheduled?.more
              ? t("unscheduled.openMore", { count: unscheduledMax })
              : t("unscheduled.open", { count: formatNumber(waits.length) })}
        </Button>
      </div>
      {failed && !board ? <ErrorPanel title={t("failed")} failed={failed} onRetry={() => void retry()} /> : null}
      {empty}
      <div className={styles.middle} hidden={Boolean(empty) || (failed !== null && !board)}>
        {/* biome-ignore lint/a11y/useSemanticElements: lanes and days come and go as it is scrolled, which a table does not allow. */}
        <div
          ref={scroller}
          className={`${chart.scroller} ${chart.ring}`}
          role="grid"
          aria-label={t("board")}
          aria-rowcount={shownLanes + 1}
          aria-colcount={columns.length + 1}
          aria-describedby={`${id}-keys`}
          aria-activedescendant={
            active
              ? active.at < 0
                ? `${id}-${active.lane}-${active.column}`
                : `${id}-${active.lane}-${active.column}-${active.at}`
              : undefined
          }
          aria-busy={!board}
          tabIndex={0}
          onKeyDown={(event) => drag.onKeyDown(event) || onKeyDown(event)}
          onScroll={() => {
            painter.current?.scrolled();
            need(true);
          }}
          onFocus={() => {
            if (active || shownLanes === 0) return;
            const column = painter.current?.seen().firstColumn ?? 0;
            setActive({ lane: 0, column, at: cardsAt({ lane: 0, column }).length > 0 ? 0 : -1 });
          }}
          {...drag.handlers}
        >
          <div
            className={chart.content}
            style={
              { width: laneHead + layout.width, height: boardHead + layout.height, "--column": `${layout.columnWidth}px` } as CSSProperties
            }
          >
            <div className={chart.head} {...asRows}>
              <div className={styles.headRow} {...asRow(1)}>
                <span className={styles.corner} {...asColumnHead(1)}>
                  {t(`group.${groupBy}`)}
                </span>
                {columns.map((column, at) => {
                  const { upper, lower } = columnText(column);
                  const isToday = column.from <= cells.today && column.to >= cells.today;
                  return (
                    <span
                      key={column.from}
                      className={`${styles.columnHead} ${isToday ? styles.now : ""}`}
                      style={{ width: layout.columnWidth }}
                      {...asColumnHead(at + 2)}
                    >
                      <small>{upper}</small>
                      {lower}
                    </span>
                  );
                })}
              </div>
            </div>
            <div ref={body} className={styles.body} {...asRows} />
          </div>
        </div>
        <BoardLists
          waiting={waiting}
          loading={!board}
          waits={waits}
          more={board?.unscheduled?.more ?? false}
          listed={listed}
          nameOf={look.nameOf}
          readOnly={desk.grid.readOnly}
          onGrab={drag.grab}
          onAsk={setAsking}
          onCloseList={() => setListed(null)}
        />
      </div>
      <span id={`${id}-keys`} hidden>
        {t("boardKeys")}
      </span>
      <p className="visually-hidden" role="status">
        {moves.said}
      </p>
      {asking && calendars ? (
        <PlanDayDialog
          title={`${asking.du.code} · ${look.nameOf(asking.activityId)}`}
          dates={store.wanted(asking)}
          calendar={calendars.of(asking.du.regionId)}
          onClose={() => {
            setAsking(null);
            scroller.current?.focus();
          }}
          onWant={(dates) => void moves.want(asking, dates)}
        />
      ) : null}
    </div>
  );
}
