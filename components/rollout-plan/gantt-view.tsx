"use client";

import { Button, Checkbox, SegmentedControl } from "@mantine/core";
import { IconCalendarCog, IconCalendarEvent } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { type KeyboardEvent, useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "react";
import { asRows } from "#components/grid/grid-roles.ts";
import { useGlyphImages } from "#components/grid/use-glyph-images.ts";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { Kbd } from "#components/ui/kbd.tsx";
import { dayLeft, daysOver, timeAxis, timeScales } from "#components/ui/time-axis.ts";
import chart from "#components/ui/time-chart.module.css";
import { toast } from "#components/ui/toast.ts";
import { useSkin } from "#components/ui/use-skin.ts";
import { isoDay } from "#lib/core/clock.ts";
import type { Answer } from "#lib/core/error.ts";
import { formatNumber, formatRange } from "#lib/core/format.ts";
import { ownAnswer } from "#lib/core/own-answer.ts";
import { ganttDusMax } from "#lib/rollout-plan/gantt/limits.ts";
import type { Gantt } from "#lib/rollout-plan/gantt/queries.ts";
import { CalendarTables } from "./calendar-tables.ts";
import styles from "./gantt.module.css";
import { arrowsOf } from "./gantt-arrows.ts";
import { bindingOf } from "./gantt-binding.ts";
import { type GanttContent, ganttHead, lineHeight, listWidth } from "./gantt-content.ts";
import { GanttHead } from "./gantt-head.tsx";
import { ganttKey, useGanttPointer } from "./gantt-input.ts";
import { shadeImage, useLineLook } from "./gantt-look.ts";
import { GanttFlows, type GanttLine, ganttLines, ganttSpan } from "./gantt-model.ts";
import { type GanttOptions, readGanttOptions } from "./gantt-options.ts";
import { GanttPainter } from "./gantt-painter.ts";
import { GanttTip } from "./gantt-tip.tsx";
import { PlanDayDialog } from "./plan-day-dialog.tsx";
import { type PlanDates, planDatesOf, replan } from "./plan-moves.ts";
import type { PlanViewProps } from "./plan-views.ts";

/** Room of the tool tip, in pixels. */
const tipRoom = 150;
const tipWidth = 300;
/** Days go on at least so far, so that they fill a wide screen, in pixels. */
const axisRoom = 2_200;
/** Days around the first and last one that are shown too. */
const margin = 14;

type Loaded = { asked: string; ids: readonly number[]; gantt: Gantt };

/** Rows of the chosen DUs, at most so many; of the first ones of the question where none are chosen. */
function useGanttRows({ desk, queryId, moved }: PlanViewProps) {
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [failed, setFailed] = useState<Answer | null>(null);
  const [again, setAgain] = useState(0);
  const { source, grid } = desk;
  const chosen = grid.rows.list;
  const all = useMemo(
    () =>
      chosen.length > 0
        ? chosen.map(Number).sort((a, b) => (source.indexOf(String(a)) ?? 0) - (source.indexOf(String(b)) ?? 0))
        : source.query.duIds,
    [chosen, source, source.query.duIds],
  );
  const key = all?.slice(0, ganttDusMax).join() ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when the plan has moved, and when asked to.
  useEffect(() => {
    if (queryId === null) return;
    const control = new AbortController();
    const read = async () => {
      let ids = key === "" ? [] : key?.split(",").map(Number);
      if (!ids) {
        // How many there are is not told: the first ones are those that come.
        if (again > 0) source.retry(0);
        const isRead = await source.ensureRange(0, ganttDusMax - 1);
        if (control.signal.aborted) return;
        if (!isRead && source.failures().length > 0) {
          setLoaded(null);
          return setFailed(ownAnswer("SERVICE_ERROR"));
        }
        ids = Array.from({ length: ganttDusMax }, (_, at) => Number(source.rowKey(at) ?? 0)).filter(Boolean);
      }
      if (ids.length === 0) {
        setFailed(null);
        return setLoaded(null);
      }
      const asked = ids.join();
      const answer = await source.readRows(ids, control.signal);
      if (answer.status === 499) return;
      const { data } = answer;
      setFailed(data ? null : answer);
      // The rows of other DUs would be taken for those that were asked for.
      setLoaded((before) => (data ? { asked, ids: data.duIds, gantt: data } : before?.asked === asked ? before : null));
    };
    void read();
    return () => control.abort();
  }, [source, key, moved, again, queryId]);
  return { loaded, failed, retry: () => setAgain((count) => count + 1), of: all?.length ?? null, isChosen: chosen.length > 0 };
}

/** The chosen DUs along time: plan, baseline and actual bars, relations of the DU under the pointer, and moving by pointer and key. */
export function GanttView(props: PlanViewProps) {
  const { desk, planHead, cells, empty, lockedDates, onLockedDates, entries, onEntry, onOptions } = props;
  const t = useTranslations("plan-timeline");
  const id = useId();
  const { skin } = useSkin();
  const { loaded, failed, retry, of, isChosen } = useGanttRows(props);
  const options = useMemo(() => readGanttOptions(props.options), [props.options]);
  const change = (part: Partial<GanttOptions>) => onOptions({ ...options, ...part });
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set());
  const [active, setActive] = useState<GanttLine | null>(null);
  const [hovered, setHovered] = useState<number | null>(null);
  const [rested, setRested] = useState<{ line: GanttLine; x: number } | null>(null);
  const [said, setSaid] = useState("");
  const [asking, setAsking] = useState<GanttLine | null>(null);
  const scroller = useRef<HTMLDivElement>(null);
  useGlyphImages(scroller);
  const body = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const shades = useRef<HTMLDivElement>(null);
  const tracks = useRef<HTMLDivElement>(null);
  const arrows = useRef<SVGSVGElement>(null);
  const painter = useRef<GanttPainter | null>(null);
  const preview = useRef<(GanttLine & { dates: PlanDates }) | null>(null);

  const { rowOf } = useRows(props);
  const flows = useMemo(() => new GanttFlows(planHead, loaded?.gantt.flows ?? []), [planHead, loaded]);
  const calendars = useMemo(() => new CalendarTables(loaded?.gantt.calendars ?? []), [loaded]);
  const regions = useMemo(() => new Map(loaded?.ids.map((duId, at) => [duId, loaded.gantt.regions[at] ?? null])), [loaded]);
  const rows = useMemo(() => loaded?.ids.flatMap((duId) => rowOf(duId) ?? []) ?? [], [loaded, rowOf]);
  const lines = useMemo(() => ganttLines(rows, cells, flows, folded), [rows, cells, flows, folded]);
  const span = useMemo(() => ganttSpan(rows, cells.today), [rows, cells]);
  const axis = useMemo(() => {
    const first = span.first - margin;
    return timeAxis(options.scale, first, Math.max(span.last + 2 * margin, first + daysOver(options.scale, axisRoom)));
  }, [options.scale, span.first, span.last]);
  const look = useLineLook(props, flows, folded, preview);
  const content = useMemo<GanttContent>(() => {
    const images = new Map<number | null, string>();
    return {
      lines,
      axis,
      today: cells.today,
      options,
      look,
      shade: (duId) => {
        const region = regions.get(duId) ?? null;
        const key = calendars.keyOf(region);
        const image = images.get(key) ?? shadeImage(axis, calendars.of(region), skin);
        images.set(key, image);
        return image;
      },
    };
  }, [lines, axis, cells, options, look, calendars, regions, skin]);
  const activeAt = active ? lines.findIndex((line) => line.duId === active.duId && line.activityId === active.activityId) : -1;

  useLayoutEffect(() => {
    if (!scroller.current || !body.current || !list.current || !shades.current || !tracks.current || !arrows.current) return;
    const made = new GanttPainter(
      {
        scroller: scroller.current,
        rows: body.current,
        list: list.current,
        shades: shades.current,
        tracks: tracks.current,
        arrows: arrows.current,
      },
      styles,
      id,
    );
    painter.current = made;
    const resized = new ResizeObserver(() => made.repaint());
    resized.observe(scroller.current);
    return () => {
      resized.disconnect();
      made.stop();
    };
  }, [id]);

  useLayoutEffect(() => {
    if (!painter.current) return;
    painter.current.chosen = activeAt;
    painter.current.setContent(content);
  }, [content, activeAt]);

  // The days in the middle stay there when the scale changes; at first that is today.
  const shown = useRef<typeof axis | null>(null);
  const isEmpty = rows.length === 0;
  useLayoutEffect(() => {
    const element = scroller.current;
    const before = shown.current;
    if (!element || isEmpty || before === axis) return;
    const room = element.clientWidth - listWidth;
    const middle = before ? before.first + (element.scrollLeft + room / 2) / before.dayWidth : cells.today + room / 6 / axis.dayWidth;
    shown.current = axis;
    element.scrollLeft = dayLeft(axis, middle) - room / 2;
    painter.current?.scrolled(true);
  }, [axis, isEmpty, cells]);

  useEffect(() => {
    let frame = 0;
    const repaint = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => painter.current?.repaint());
    };
    const stops = [desk.edits.subscribe(repaint), desk.source.subscribe(repaint)];
    return () => {
      cancelAnimationFrame(frame);
      for (const stop of stops) stop();
    };
  }, [desk]);

  const arrowDu = hovered ?? active?.duId ?? null;
  const drawArrows = useCallback(() => {
    const drawer = painter.current;
    const row = arrowDu === null ? undefined : rowOf(arrowDu);
    if (!drawer) return;
    if (!options.relations || !row || arrowDu === null) return drawer.drawArrows([]);
    const selected = active?.duId === arrowDu ? active.activityId : null;
    drawer.drawArrows(arrowsOf(flows.relationsOf(row), (activityId) => drawer.placeOf(arrowDu, activityId), selected));
  }, [arrowDu, active, options.relations, flows, rowOf]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: bars move with the content.
  useEffect(() => {
    drawArrows();
    return desk.edits.subscribe(drawArrows);
  }, [drawArrows, content, desk]);

  /** Wants other dates; what comes of it is said, and a lock that may be passed opens its dialog. */
  const want = (line: GanttLine, dates: PlanDates) => {
    const row = rowOf(line.duId);
    if (!row || line.activityId === null || desk.grid.readOnly) return;
    const result = replan(desk, planHead, lockedDates, row, line.activityId, dates);
    if (result.kind === "locked") {
      if (result.dates) onLockedDates(result.dates);
      else toast.note(result.refusal.cause);
      return;
    }
    const range = formatRange(isoDay(dates.planStart), isoDay(dates.planEnd));
    const name = planHead.activities.find((activity) => activity.activityId === line.activityId)?.name ?? "";
    setSaid(result.kind === "refused" ? t("refused", { name, range, cause: result.refusal.cause }) : t("moved", { name, range }));
  };
  const datesOf = (line: GanttLine): PlanDates => {
    const row = rowOf(line.duId);
    return row && line.activityId !== null ? planDatesOf(desk, row, line.activityId) : { planStart: 0, planEnd: 0 };
  };
  const calendarOf = (line: GanttLine) => calendars.of(regions.get(line.duId) ?? null);
  const fold = (duId: number) =>
    setFolded((before) => new Set(before.has(duId) ? [...before].filter((one) => one !== duId) : [...before, duId]));

  const reveal = (at: number) => {
    const element = scroller.current;
    if (!element || at < 0) return;
    const top = at * lineHeight;
    const room = element.clientHeight - ganttHead;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + lineHeight > element.scrollTop + room) element.scrollTop = top + lineHeight - room;
  };
  const go = (at: number) => {
    const line = lines[Math.min(lines.length - 1, Math.max(0, at))];
    if (!line) return;
    reveal(lines.indexOf(line));
    painter.current?.scrolled(true);
    setActive(line);
  };
  const toToday = () => {
    const element = scroller.current;
    if (element) element.scrollLeft = dayLeft(axis, cells.today) - (element.clientWidth - listWidth) / 3;
  };
  const pointer = useGanttPointer({
    scroller,
    lines,
    axis,
    styles,
    readOnly: desk.grid.readOnly,
    barOf: (line) => look(line).bar,
    datesOf,
    calendarOf,
    onPreview: (line, dates) => {
      preview.current = line && dates ? { ...line, dates } : null;
      painter.current?.repaint();
    },
    onWant: want,
    onChoose: setActive,
    onHover: setHovered,
    onRest: (line, x) => setRested(line && { line, x }),
    onFold: fold,
  });

  const onKeyDown = (event: KeyboardEvent) => {
    if (pointer.onKeyDown(event)) return;
    const done = ganttKey(event, {
      at: activeAt,
      line: active,
      page: Math.floor(((scroller.current?.clientHeight ?? 0) - ganttHead) / lineHeight),
      count: lines.length,
      isFolded: active !== null && folded.has(active.duId),
      datesOf,
      calendarOf,
      go,
      fold,
      want,
      ask: setAsking,
      toToday,
      undo: () => desk.edits.undo(),
      redo: () => desk.edits.redo(),
    });
    if (done) event.preventDefault();
  };

  const schedule = entries.find((entry) => entry.key === "schedule");
  const scheduleFrom = () => {
    if (!active || active.activityId === null || !schedule) return;
    const { planStart, planEnd } = datesOf(active);
    onEntry(schedule, {
      selection: { duIds: [active.duId] },
      anchor: { activityId: active.activityId, start: isoDay(planStart), end: isoDay(planEnd) },
    });
  };
  /** What the bar under the pointer stands for. */
  const tip = () => {
    const row = rested && rowOf(rested.line.duId);
    const element = scroller.current;
    if (!row || !element || rested.line.activityId === null) return null;
    const { activityId } = rested.line;
    const at = lines.findIndex((line) => line.duId === row.duId && line.activityId === activityId);
    const { bar, name, state } = look(rested.line);
    if (!bar || at < 0) return null;
    const daysOf = (id: number) => {
      const line = lines.find((one) => one.duId === row.duId && one.activityId === id);
      return line ? look(line).bar : null;
    };
    const binding = bindingOf(activityId, flows.relationsOf(row), daysOf, calendarOf(rested.line), bar.milestone);
    const top = element.offsetTop + ganttHead + at * lineHeight - element.scrollTop;
    const isAbove = top + lineHeight + tipRoom > element.offsetTop + element.clientHeight;
    const left = Math.min(rested.x - element.getBoundingClientRect().left + 12, element.clientWidth - tipWidth);
    const boundBy = planHead.activities.find((activity) => activity.activityId === binding?.pre)?.name ?? "";
    return (
      <GanttTip
        name={name}
        state={state}
        bar={bar}
        binding={binding}
        boundBy={boundBy}
        place={{ left, top: isAbove ? top - 4 : top + lineHeight + 4, isAbove }}
      />
    );
  };
  const cut = of !== null && of > ganttDusMax;
  const askedRow = asking && rowOf(asking.duId);
  return (
    <div className={`${chart.frame} ${styles.frame}`} aria-busy={!loaded && !failed && !empty}>
      <div className={chart.bar}>
        <SegmentedControl
          size="xs"
          aria-label={t("scale.label")}
          data={timeScales.map((value) => ({ value, label: t(`scale.${value}`) }))}
          value={options.scale}
          onChange={(value) => change({ scale: value as GanttOptions["scale"] })}
        />
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconCalendarEvent size={16} stroke={1.4} />}
          rightSection={<Kbd>T</Kbd>}
          onClick={toToday}
        >
          {t("toToday")}
        </Button>
        {(["baseline", "relations", "free"] as const).map((name) => (
          <Checkbox
            key={name}
            size="xs"
            label={t(`options.${name}`)}
            checked={options[name]}
            onChange={(event) => change({ [name]: event.currentTarget.checked })}
          />
        ))}
        {schedule && (
          <Button
            leftSection={<IconCalendarCog size={16} stroke={1.4} />}
            disabled={!active || active.activityId === null}
            onClick={scheduleFrom}
          >
            {t("scheduleFrom")}
          </Button>
        )}
        <span className={chart.grow} />
        <span className={styles.note} role="status">
          {!loaded
            ? ""
            : cut
              ? t("first", { max: ganttDusMax, count: formatNumber(of) })
              : isChosen
                ? t("chosen", { count: rows.length })
                : t("shown", { count: rows.length })}
        </span>
      </div>
      {failed && rows.length === 0 ? <ErrorPanel title={t("failed")} failed={failed} onRetry={retry} /> : null}
      {rows.length === 0 && !failed ? empty : null}
      <div
        ref={scroller}
        className={chart.scroller}
        hidden={rows.length === 0}
        role="treegrid"
        aria-label={t("gantt")}
        aria-rowcount={lines.length + 1}
        aria-colcount={4}
        aria-activedescendant={activeAt >= 0 ? `${id}-${activeAt}` : undefined}
        aria-describedby={`${id}-keys`}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onFocus={() => active === null && lines[0] && setActive(lines[0])}
        onScroll={() => {
          painter.current?.scrolled();
          if (rested) setRested(null);
        }}
        {...pointer.handlers}
      >
        <div className={chart.content} style={{ width: listWidth + axis.width, height: ganttHead + lines.length * lineHeight }}>
          <GanttHead axis={axis} today={cells.today} scroller={scroller} />
          <div ref={body} className={styles.rows} role="presentation">
            <div ref={list} className={styles.list} {...asRows} />
            <div className={styles.field} aria-hidden="true" style={{ width: axis.width, height: lines.length * lineHeight }}>
              <div ref={shades} />
              <div ref={tracks} />
              <svg ref={arrows} className={styles.arrows} aria-hidden="true" />
              <div className={styles.today} style={{ left: dayLeft(axis, cells.today) + axis.dayWidth / 2 }} />
            </div>
          </div>
        </div>
      </div>
      {tip()}
      <span id={`${id}-keys`} hidden>
        {t("ganttKeys")}
      </span>
      <p className="visually-hidden" role="status">
        {said}
      </p>
      {asking && askedRow && asking.activityId !== null ? (
        <PlanDayDialog
          title={`${desk.duCode(String(asking.duId))} · ${planHead.activities.find((one) => one.activityId === asking.activityId)?.name ?? ""}`}
          dates={datesOf(asking)}
          calendar={calendarOf(asking)}
          onClose={() => {
            setAsking(null);
            scroller.current?.focus();
          }}
          onWant={(dates) => want(asking, dates)}
        />
      ) : null}
    </div>
  );
}

/** Rows by DU, the same function until they are read anew. */
function useRows({ desk }: PlanViewProps) {
  const rowOf = useCallback((duId: number) => desk.source.rowOf(String(duId)), [desk]);
  return { rowOf };
}
