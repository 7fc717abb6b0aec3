"use client";
import { Button, Checkbox } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type CSSProperties, type KeyboardEvent, useRef, useState } from "react";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { TableFoot } from "#components/ui/table-foot.tsx";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { emptyText, formatNumber, formatRange } from "#lib/core/format.ts";
import type { Page } from "#lib/core/paging.ts";
import type { PreviewAnswer } from "#lib/scheduling/commands.ts";
import { type PreviewTab, previewTabs } from "#lib/scheduling/limits.ts";
import type { PreviewFindingRow, PreviewMoveRow } from "#lib/scheduling/queries.ts";
import classes from "./schedule.module.css";

type Props = {
  preview: PreviewAnswer;
  /** The settings have changed since. */
  outdated: boolean;
  excluded: ReadonlySet<number>;
  onExclude: (excluded: ReadonlySet<number>) => void;
};

/** What a run would do: figures, then every move, refusal and warning in pages. DUs can be unticked among the moves. */
export function PreviewResult({ preview, outdated, excluded, onExclude }: Props) {
  const t = useTranslations("scheduling.schedule");
  const { counts, previewId } = preview;
  const [tab, setTab] = useState<PreviewTab>(counts.moves === 0 && counts.refused > 0 ? "refused" : "moves");
  const [page, setPage] = useState(1);
  const [size, setSize] = useState(100);
  const list = useRef<HTMLDivElement>(null);
  const project = useProjectNumber();
  const rows = useQuery({
    queryKey: ["schedule-preview", project, previewId, tab, page, size],
    queryFn: async ({ signal }) =>
      dataOf(
        await callDoor<Page<PreviewMoveRow | PreviewFindingRow>>(
          "rollout/schedule/previewRows",
          { previewId, tab, page, size },
          { signal },
        ),
      ),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const choose = (next: PreviewTab) => {
    setTab(next);
    setPage(1);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const next = previewTabs[(previewTabs.indexOf(tab) + step + previewTabs.length) % previewTabs.length]!;
    choose(next);
    list.current?.querySelector<HTMLButtonElement>(`[data-tab="${next}"]`)?.focus();
  };
  const tabCounts: Record<PreviewTab, number> = { moves: counts.moves, refused: counts.refused, warnings: counts.warnings };

  return (
    <div className={classes.result} data-outdated={outdated || undefined}>
      <div className={classes.head}>
        <dl className={classes.tiles} aria-live="polite">
          {(["moved", "moves", "unchanged", "refused", "warnings"] as const).map((name) => (
            <div key={name} className={classes.tile}>
              <dt>{t(`tiles.${name}`)}</dt>
              <dd>{formatNumber(counts[name])}</dd>
            </div>
          ))}
        </dl>
        <p className={classes.unwritten}>{outdated ? t("outdated") : t("unwritten")}</p>
      </div>
      <div className={classes.tabs} role="tablist" aria-label={t("tabs")} ref={list} tabIndex={-1} onKeyDown={onKeyDown}>
        {previewTabs.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            data-tab={name}
            className={classes.tab}
            aria-selected={name === tab}
            tabIndex={name === tab ? 0 : -1}
            onClick={() => choose(name)}
          >
            {t(`tab.${name}`)}
            <small>{formatNumber(tabCounts[name])}</small>
          </button>
        ))}
        {excluded.size > 0 ? (
          <p className={classes.excluded}>
            {t("excluded", { count: excluded.size })}
            <Button variant="subtle" color="gray" onClick={() => onExclude(new Set())}>
              {t("includeAll")}
            </Button>
          </p>
        ) : null}
      </div>
      <ScrollRegion className={classes.rows} role="tabpanel" label={t(`tab.${tab}`)} busy={rows.isFetching}>
        {rows.isError ? (
          <ErrorPanel title={t("rowsFailed")} failed={rows.error} onRetry={() => rows.refetch()} />
        ) : tabCounts[tab] === 0 ? (
          <EmptyState title={t(`none.${tab}`)} />
        ) : tab === "moves" ? (
          <MoveTable rows={moves(rows.data?.records)} excluded={excluded} onExclude={onExclude} />
        ) : (
          <FindingTable rows={findings(rows.data?.records)} />
        )}
      </ScrollRegion>
      {tabCounts[tab] > 0 ? (
        <TableFoot
          page={page}
          size={size}
          total={tabCounts[tab]}
          onPage={setPage}
          onSize={(next) => {
            setSize(next);
            setPage(1);
          }}
        />
      ) : null}
    </div>
  );
}

type Rows = readonly (PreviewMoveRow | PreviewFindingRow)[] | undefined;
// While another tab is read, the rows of the one before are still there.
const moves = (rows: Rows) => (rows ?? []).filter((row): row is PreviewMoveRow => "newStart" in row);
const findings = (rows: Rows) => (rows ?? []).filter((row): row is PreviewFindingRow => "code" in row);

function MoveTable({ rows, excluded, onExclude }: { rows: readonly PreviewMoveRow[] } & Pick<Props, "excluded" | "onExclude">) {
  const t = useTranslations("scheduling.schedule");
  const spans = new Map<number, { from: number; to: number }>();
  for (const row of rows) {
    const days = [row.oldStart, row.oldEnd, row.newStart, row.newEnd].flatMap((day) => (day ? [dayOf(day)] : []));
    const span = spans.get(row.duId);
    spans.set(row.duId, { from: Math.min(span?.from ?? days[0]!, ...days), to: Math.max(span?.to ?? days[0]!, ...days) });
  }
  const toggle = (duId: number) => {
    const next = new Set(excluded);
    if (!next.delete(duId)) next.add(duId);
    onExclude(next);
  };
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">{t("column.du")}</th>
          <th scope="col">{t("column.activity")}</th>
          <th scope="col">{t("column.old")}</th>
          <th scope="col">{t("column.new")}</th>
          <th scope="col" data-align="right">
            {t("column.days")}
          </th>
          <th scope="col" className={classes.barColumn}>
            {t("column.bar")}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => {
          const first = rows[at - 1]?.duId !== row.duId;
          return (
            <tr key={`${row.duId} ${row.activityId}`} data-first={first || undefined} data-out={excluded.has(row.duId) || undefined}>
              <td>
                {first ? (
                  <Checkbox
                    size="xs"
                    classNames={{ label: classes.check ?? "" }}
                    label={row.duCode}
                    aria-label={t("include", { code: row.duCode })}
                    checked={!excluded.has(row.duId)}
                    onChange={() => toggle(row.duId)}
                  />
                ) : null}
              </td>
              <td title={row.activityName}>{row.activityName}</td>
              <td className={classes.old}>{planText(row.oldStart, row.oldEnd)}</td>
              <td>{planText(row.newStart, row.newEnd)}</td>
              <td data-align="right">
                {row.days === null ? emptyText : row.days > 0 ? `+${formatNumber(row.days)}` : formatNumber(row.days)}
              </td>
              <td>
                <MoveBars row={row} span={spans.get(row.duId)!} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** Plan dates of an activity; a single day stands alone. */
const planText = (start: string | null, end: string | null) => (start !== null && start === end ? start : formatRange(start, end));

const dayOf = (iso: string) => Date.parse(`${iso}T00:00:00Z`) / 86_400_000;

/** Old plan hollow, new plan solid, on the time the DU's moves on this page take. */
function MoveBars({ row, span }: { row: PreviewMoveRow; span: { from: number; to: number } }) {
  const t = useTranslations("scheduling.schedule");
  const days = span.to - span.from + 1;
  const place = (start: string | null, end: string | null): CSSProperties | undefined => {
    const from = start ?? end;
    const to = end ?? start;
    if (!from || !to) return undefined;
    return { left: `${((dayOf(from) - span.from) / days) * 100}%`, width: `${((dayOf(to) - dayOf(from) + 1) / days) * 100}%` };
  };
  const before = place(row.oldStart, row.oldEnd);
  const label = t("bar", { oldRange: planText(row.oldStart, row.oldEnd), newRange: planText(row.newStart, row.newEnd) });
  return (
    <span className={classes.bars} role="img" aria-label={label}>
      {before ? <span className={classes.oldBar} style={before} /> : null}
      <span className={classes.newBar} style={place(row.newStart, row.newEnd)} />
    </span>
  );
}

/** Refusals or warnings, each with its reason; also those of an apply. */
export function FindingTable({
  rows,
}: {
  rows: readonly Pick<PreviewFindingRow, "duId" | "duCode" | "activityId" | "activityName" | "text">[];
}) {
  const t = useTranslations("scheduling.schedule");
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">{t("column.du")}</th>
          <th scope="col">{t("column.activity")}</th>
          <th scope="col">{t("column.reason")}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr key={at} data-first={rows[at - 1]?.duId !== row.duId || undefined}>
            <td>{row.duCode ?? t("unknownDu", { id: row.duId })}</td>
            <td>{row.activityName ?? t("wholeDu")}</td>
            <td className={classes.wrap}>{row.text}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
