"use client";
import { Button, SegmentedControl } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconCalendarEvent, IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { useQueries } from "@tanstack/react-query";
import { useLocale, useTranslations } from "next-intl";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { asGrid, asRow, asRowHead } from "#components/grid/grid-roles.ts";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { dayAt, dayLeft, daysOver, type TimeScale, timeAxis, timeScales } from "#components/ui/time-axis.ts";
import chart from "#components/ui/time-chart.module.css";
import { TimeTicks } from "#components/ui/time-ticks.tsx";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { formatNumber } from "#lib/core/format.ts";
import { type GanttGroup, ganttGroups } from "#lib/planning-engine/outputs/limits.ts";
import type { Gantt, GanttRow } from "#lib/planning-engine/outputs/schema.ts";
import { SearchField } from "./bar-fields.tsx";
import { Bones } from "./bones.tsx";
import { GanttLine } from "./gantt-line.tsx";
import { GanttTip } from "./gantt-tip.tsx";
import { type LaneLines, laneLines, lineOf, nearestBar, tilesOf } from "./lane-lines.ts";
import common from "./outputs.module.css";
import classes from "./plan-gantt.module.css";
import { useOutput } from "./use-output.ts";

const lineHeight = 28;
const headHeight = 48;
const listWidth = 260;
const tileRows = 100;
/** Lines and pixels drawn beyond what is seen. */
const overLines = 10;
const overPixels = 600;
/** Days around the first and last one that are shown too, and the width days fill at least. */
const margin = 7;
const axisRoom = 2_000;
const address = "engine/output/find/gantt";

type Place = { top: number; left: number; width: number; height: number };
/** The bar one looks at: its line, and its number there; -1 the line itself. */
export type ActiveBar = { line: number; bar: number };
type Props = { runId: number; today: number; start: { group: GanttGroup; search: string } | null; onOpen: (duId: number) => void };

/** The plan of a run along time, its lines under regions, clusters or pools of teams; a bar names what holds it where it is. */
export function PlanGantt({ runId, today, start, onOpen }: Props) {
  const t = useTranslations("outputs.gantt");
  const scales = useTranslations("outputs.scale");
  const grid = useTranslations("grid");
  const locale = useLocale();
  const id = useId();
  const [group, setGroup] = useState<GanttGroup>(start?.group ?? "region");
  const [typed, setTyped] = useState(start?.search ?? "");
  const [search] = useDebouncedValue(typed.trim(), 300);
  const [wished, setWished] = useState<TimeScale | null>(null);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [active, setActive] = useState<ActiveBar | null>(null);
  const [hovered, setHovered] = useState<ActiveBar | null>(null);
  const [isIn, setIsIn] = useState(false);
  const [place, setPlace] = useState<Place>({ top: 0, left: 0, width: 1_600, height: 900 });
  const scroller = useRef<HTMLDivElement>(null);

  const input = { runId, group, ...(search ? { search } : {}) };
  const head = useOutput<Gantt>(address, { ...input, from: 0, count: tileRows });
  const data = head.data;
  const lines = useMemo(() => laneLines(data?.groups ?? [], folded), [data?.groups, folded]);
  const firstLine = Math.max(0, Math.floor(place.top / lineHeight) - overLines);
  const lastLine = Math.min(lines.total - 1, Math.ceil((place.top + place.height) / lineHeight) + overLines);
  const { rowOf, readAgain } = useGanttRows(input, data, lines, firstLine, lastLine);

  const [from, to] = [(data?.firstDay || today) - margin, (data?.lastDay || today) + margin];
  const scale = wished ?? (to - from <= 60 ? "day" : to - from <= 260 ? "week" : to - from <= 800 ? "month" : "quarter");
  const axis = useMemo(() => timeAxis(scale, from, Math.max(to, from + daysOver(scale, axisRoom))), [scale, from, to]);

  // Nothing of another grouping is where it was.
  // biome-ignore lint/correctness/useExhaustiveDependencies: begins anew with each of them
  useEffect(() => {
    setActive(null);
    setHovered(null);
    if (scroller.current) scroller.current.scrollTop = 0;
  }, [runId, group, search]);
  useEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const moved = () => {
      setHovered(null);
      setPlace((before) => {
        // In steps, so that few frames of a scroll draw lines anew.
        const top = Math.floor(box.scrollTop / (4 * lineHeight)) * 4 * lineHeight;
        const left = Math.floor(box.scrollLeft / 300) * 300;
        const { clientWidth: width, clientHeight: height } = box;
        return before.top === top && before.left === left && before.width === width && before.height === height
          ? before
          : { top, left, width, height };
      });
    };
    moved();
    box.addEventListener("scroll", moved, { passive: true });
    const watcher = new ResizeObserver(moved);
    watcher.observe(box);
    return () => {
      box.removeEventListener("scroll", moved);
      watcher.disconnect();
    };
  });

  const reveal = ({ line, bar }: ActiveBar) => {
    const box = scroller.current;
    if (!box) return;
    const top = line * lineHeight;
    const room = box.clientHeight - headHeight - lineHeight;
    if (top < box.scrollTop) box.scrollTop = top;
    else if (top > box.scrollTop + room) box.scrollTop = top - room;
    const at = lineOf(lines, line)?.row;
    const shown = typeof at === "number" ? rowOf(at)?.bars[bar] : undefined;
    if (!shown) return;
    const left = dayLeft(axis, shown.startDay);
    if (left < box.scrollLeft || left > box.scrollLeft + box.clientWidth - listWidth - 80) box.scrollLeft = Math.max(0, left - 120);
  };
  const barsAt = (line: number) => {
    const at = lineOf(lines, line)?.row;
    return typeof at === "number" ? (rowOf(at)?.bars ?? []) : [];
  };
  const fold = (line: number, closes?: boolean) => {
    const found = lineOf(lines, line);
    const name = found && lines.lanes[found.lane]?.name;
    if (name === undefined || name === null || found?.row !== null) return;
    const next = new Set(folded);
    if (closes ?? !folded.has(name)) next.add(name);
    else next.delete(name);
    setFolded(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const now = active ?? { line: Math.ceil(place.top / lineHeight), bar: -1 };
    const bars = barsAt(now.line);
    const isHead = lineOf(lines, now.line)?.row === null;
    const go = (line: number) => {
      const clamped = Math.max(0, Math.min(lines.total - 1, line));
      const day = bars[now.bar]?.startDay ?? dayAt(axis, (scroller.current?.scrollLeft ?? 0) + 80);
      return { line: clamped, bar: nearestBar(barsAt(clamped), day) };
    };
    const page = Math.max(1, Math.floor((place.height - headHeight) / lineHeight) - 1);
    let next: ActiveBar | null = null;
    if (event.key === "ArrowDown") next = active ? go(now.line + 1) : now;
    else if (event.key === "ArrowUp") next = go(now.line - 1);
    else if (event.key === "PageDown") next = go(now.line + page);
    else if (event.key === "PageUp") next = go(now.line - page);
    else if (event.key === "Home") next = go(0);
    else if (event.key === "End") next = go(lines.total - 1);
    else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      if (isHead) fold(now.line, event.key === "ArrowLeft");
      else next = { line: now.line, bar: Math.max(0, Math.min(bars.length - 1, now.bar + (event.key === "ArrowLeft" ? -1 : 1))) };
    } else if (event.key === "Enter" || event.key === " ") {
      const bar = bars[now.bar];
      if (isHead) fold(now.line);
      else if (bar) onOpen(bar.duId);
    } else if (event.key === "Escape" && active) setActive(null);
    else return;
    event.preventDefault();
    setHovered(null);
    if (!next) return;
    setActive(next);
    reveal(next);
  };

  const looked = hovered ?? (isIn ? active : null);
  const lookedRow = looked ? lineOf(lines, looked.line)?.row : null;
  const tipRow = typeof lookedRow === "number" ? rowOf(lookedRow) : undefined;
  const tipBar = looked ? tipRow?.bars[looked.bar] : undefined;
  const drawnFrom = dayAt(axis, place.left - overPixels);
  const drawnTo = dayAt(axis, place.left + place.width + overPixels);
  const shown = Array.from({ length: Math.max(0, lastLine - firstLine + 1) }, (_, at) => firstLine + at);
  const lineId = (line: number, bar: number) => `${id}-${line}-${bar}`;
  const asWhole = {
    ...asGrid(t("label"), lines.total, -1, true),
    "aria-describedby": `${id}-keys`,
    "aria-activedescendant": active && active.line >= firstLine && active.line <= lastLine ? lineId(active.line, active.bar) : undefined,
    tabIndex: 0,
    onKeyDown,
    onFocus: () => setIsIn(true),
    onBlur: () => setIsIn(false),
    onPointerLeave: () => setHovered(null),
  };
  return (
    <div className={`${chart.frame} ${classes.frame}`}>
      <div className={chart.bar} role="toolbar" aria-label={t("label")}>
        <SegmentedControl
          size="xs"
          aria-label={t("by")}
          data={ganttGroups.map((value) => ({ value, label: t(`group.${value}`) }))}
          value={group}
          onChange={(value) => setGroup(value as GanttGroup)}
        />
        <SegmentedControl
          size="xs"
          aria-label={scales("label")}
          data={timeScales.map((value) => ({ value, label: scales(value) }))}
          value={scale}
          onChange={(value) => setWished(value as TimeScale)}
        />
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconCalendarEvent size={16} stroke={1.4} />}
          onClick={() => {
            if (scroller.current) scroller.current.scrollLeft = Math.max(0, dayLeft(axis, data?.firstDay || today) - 40);
          }}
        >
          {t("toStart")}
        </Button>
        <SearchField label={t("search")} hint={t("searchHint")} value={typed} onChange={setTyped} />
        <span className={chart.count} aria-live="polite">
          {data ? t(group === "team" ? "teams" : "dus", { count: data.total }) : ""}
        </span>
        <ul className={classes.legend}>
          {(["team", "plain", "fixed", "due"] as const).map((kind) => (
            <li key={kind}>
              <span className={classes.sample} data-kind={kind} aria-hidden="true" />
              {t(`legend.${kind}`)}
            </li>
          ))}
        </ul>
      </div>
      {readAgain ? (
        <div className={common.notice} data-tone="warn" role="alert">
          <span>{grid("rowsFailed")}</span>
          <Button size="compact-xs" onClick={readAgain}>
            {grid("retry")}
          </Button>
        </div>
      ) : null}
      {head.isError ? (
        <ErrorPanel title={t("failed")} failed={head.error} onRetry={() => void head.refetch()} />
      ) : !data ? (
        <Bones />
      ) : data.total === 0 ? (
        <EmptyState title={search ? undefined : group === "cluster" ? t("noClusters") : group === "team" ? t("noTeams") : undefined} />
      ) : (
        <div ref={scroller} className={`${chart.scroller} ${chart.ring}`} {...asWhole}>
          <div className={chart.content} style={{ width: listWidth + axis.width, height: headHeight + lines.total * lineHeight }}>
            <div className={chart.head} aria-hidden="true">
              <div className={classes.corner}>{t(`column.${group}`)}</div>
              <div className={chart.ticks}>
                <TimeTicks axis={axis} from={drawnFrom} to={drawnTo} locale={locale} />
              </div>
            </div>
            <div
              className={classes.today}
              style={{ left: listWidth + dayLeft(axis, today), height: lines.total * lineHeight }}
              aria-hidden="true"
            />
            {shown.map((line) => {
              const found = lineOf(lines, line);
              if (!found) return null;
              const lane = lines.lanes[found.lane];
              if (found.row === null)
                return (
                  <div
                    key={`head ${lane?.name}`}
                    id={lineId(line, -1)}
                    className={classes.lane}
                    {...{ ...asRow(line + 1), onClick: () => fold(line) }}
                    data-active={isIn && active?.line === line ? true : undefined}
                    style={{ top: headHeight + line * lineHeight, width: listWidth + axis.width }}
                  >
                    <div className={classes.laneName} {...{ ...asRowHead(1), "aria-expanded": !folded.has(lane?.name ?? "") }}>
                      {folded.has(lane?.name ?? "") ? (
                        <IconChevronRight size={14} stroke={1.7} aria-hidden="true" />
                      ) : (
                        <IconChevronDown size={14} stroke={1.7} aria-hidden="true" />
                      )}
                      <b>{lane?.name || t(`noGroup.${group}`)}</b>
                      <span>{formatNumber(lane?.rows)}</span>
                    </div>
                  </div>
                );
              return (
                <GanttLine
                  key={`row ${found.row}`}
                  row={rowOf(found.row)}
                  isTeam={group === "team"}
                  axis={axis}
                  top={headHeight + line * lineHeight}
                  from={drawnFrom}
                  to={drawnTo}
                  rowIndex={line + 1}
                  idOf={(bar) => lineId(line, bar)}
                  active={isIn && active?.line === line ? active.bar : null}
                  onHover={(bar) => setHovered(bar === null ? null : { line, bar })}
                  onPick={(bar) => {
                    setActive({ line, bar });
                    setHovered(null);
                  }}
                  onOpen={onOpen}
                />
              );
            })}
          </div>
        </div>
      )}
      {looked && tipRow && tipBar && data && scroller.current ? (
        <GanttTip
          key={`${tipBar.duId} ${tipBar.position}`}
          runId={runId}
          bar={tipBar}
          gantt={data}
          box={scroller.current}
          left={listWidth + dayLeft(axis, tipBar.startDay)}
          top={headHeight + looked.line * lineHeight}
          isLate={tipRow.lateDays > 0 && group !== "team" ? tipRow.lateDays : 0}
        />
      ) : null}
      <p id={`${id}-keys`} className={common.keys}>
        {t("keys")}
      </p>
    </div>
  );
}

/** Rows of the lines in sight, read tile by tile, a row that has not come yet is undefined; and how to read again those that could not be read. */
function useGanttRows(
  input: object,
  head: Gantt | undefined,
  lines: LaneLines,
  from: number,
  to: number,
): { rowOf: (row: number) => GanttRow | undefined; readAgain: (() => void) | undefined } {
  const project = useProjectNumber();
  const tiles = useMemo(() => tilesOf(lines, from, to, tileRows), [lines, from, to]);
  const found = useQueries({
    queries: tiles.map((tile) => ({
      queryKey: ["output", project, address, { ...input, from: tile * tileRows, count: tileRows }],
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        dataOf(await callDoor<Gantt>(address, { ...input, from: tile * tileRows, count: tileRows }, { signal })),
      enabled: head !== undefined,
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
    })),
  });
  const byTile = new Map(tiles.map((tile, at) => [tile, found[at]?.data?.rows]));
  const failed = found.filter(({ isError, data }) => isError && !data);
  return {
    rowOf: (row) => byTile.get(Math.floor(row / tileRows))?.[row % tileRows],
    readAgain: head && failed.length > 0 ? () => failed.forEach(({ refetch }) => void refetch()) : undefined,
  };
}
