"use client";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { StatusGlyph } from "#components/ui/status-glyph.tsx";
import { emptyText, formatNumber } from "#lib/core/format.ts";
import type { Bucket, Order, RowKind } from "#lib/dimension-views/counts/limits.ts";
import type { Figures, ViewRow } from "#lib/dimension-views/counts/logic.ts";
import type { View } from "#lib/dimension-views/counts/queries.ts";
import { dimensionName } from "./use-tabs.ts";
import classes from "./views.module.css";

/** A number that is opened: which row, which activity, what of it. */
export type Drill = { row: RowKind; value: string | null; activityId?: number; bucket: Bucket };
export type ViewSort = { by: Order; activity?: number; dir: "asc" | "desc" };

type Props = {
  tab: { showRate: boolean; showAmount: boolean };
  view: View;
  sort?: ViewSort | null;
  /** Absent: rows keep their order. */
  onSort?: (sort: ViewSort | null) => void;
  /** Absent: numbers open nothing. */
  onDrill?: (drill: Drill) => void;
  busy: boolean;
};

/** Rate with its no-break space; nothing where nothing applies. */
export const rateText = (rate: number | null): string => (rate === null ? emptyText : `${formatNumber(rate, 1)}\u00a0%`);

/** Values in rows, the row of all pinned above them; of each activity the amount, the rate as a bar, and what is delayed. */
export function ViewTable({ tab, view, sort = null, onSort, onDrill, busy }: Props) {
  const t = useTranslations("dimension-views");
  const ui = useTranslations("ui");
  const showAmount = tab.showAmount && !view.hidden;
  const parts = [
    ...(showAmount ? (["done"] as const) : []),
    ...(tab.showRate || view.hidden ? (["rate"] as const) : []),
    ...(view.hidden ? [] : (["delayed"] as const)),
  ];
  const head = { sort, onSort };
  const row = (given: ViewRow) => {
    const name = given.kind === "value" ? given.title : t(`rows.${given.kind}`);
    const open = (bucket: Bucket, activityId?: number) => () =>
      onDrill?.({ row: given.kind, value: given.value, bucket, ...(activityId === undefined ? {} : { activityId }) });
    return (
      <tr key={`${given.kind} ${given.value}`} data-kind={given.kind}>
        <th scope="row" title={given.kind === "all" && view.several ? t("several") : undefined}>
          {name}
          {given.kind === "others" ? <small>{t("folded", { count: view.folded })}</small> : null}
          {given.kind === "all" && view.several ? <small>{t("once")}</small> : null}
        </th>
        {view.hidden ? null : (
          <td data-align="right">
            <Amount value={given.total} label={t("open.total", { name: name ?? "" })} onOpen={onDrill && open("total")} />
          </td>
        )}
        {view.activities.map(({ id, name: activity }, place) => {
          const figures = given.figures[place] as Figures;
          const label = (bucket: string) => t(`open.${bucket}`, { name: name ?? "", activity });
          return parts.map((part) => (
            <td key={`${id} ${part}`} data-align="right" data-part={part} data-first={part === parts[0] || undefined}>
              {part === "done" ? (
                <>
                  <Amount value={figures.done} label={label("done")} onOpen={onDrill && open("done", id)} />
                  <span className={classes.of}>{" / "}</span>
                  <Amount left value={figures.applicable} label={label("applicable")} onOpen={onDrill && open("applicable", id)} />
                </>
              ) : part === "rate" ? (
                <Rate rate={figures.rate} />
              ) : (
                <Delayed count={figures.delayed} label={label("delayed")} onOpen={onDrill && open("delayed", id)} />
              )}
            </td>
          ));
        })}
      </tr>
    );
  };
  return (
    <ScrollRegion className={classes.scroll} label={t("label")} busy={busy}>
      <table className={classes.table} aria-label={t("label")}>
        <thead>
          <tr>
            <Head {...head} by="value" rowSpan={2} label={dimensionName(view.dimension, t)} />
            {view.hidden ? null : <Head {...head} by="total" rowSpan={2} label={t("total")} right />}
            {view.activities.map(({ id, name }) => (
              <th key={id} scope="colgroup" colSpan={parts.length} data-first title={name}>
                {name}
              </th>
            ))}
          </tr>
          <tr>
            {view.activities.map(({ id, name }, activity) =>
              parts.map((part) => (
                <Head
                  key={`${id} ${part}`}
                  {...head}
                  by={part}
                  activity={activity}
                  label={t(`parts.${part}`)}
                  title={`${name}: ${t(`parts.${part}`)}`}
                  first={part === parts[0]}
                  right
                />
              )),
            )}
          </tr>
        </thead>
        <tbody>
          {row(view.totals)}
          {view.rows.map(row)}
        </tbody>
      </table>
      {view.rows.length === 0 ? <p className={classes.none}>{ui("table.empty")}</p> : null}
    </ScrollRegion>
  );
}

type HeadProps = {
  label: string;
  title?: string;
  by: Order;
  activity?: number;
  sort: ViewSort | null;
  onSort: ((sort: ViewSort | null) => void) | undefined;
  rowSpan?: number;
  right?: boolean;
  first?: boolean;
};

/** A head that orders: figures from the largest, then from the smallest, then as they were; values the other way about. */
function Head({ label, title, by, activity, sort, onSort, rowSpan, right, first }: HeadProps) {
  const dir = sort?.by === by && sort.activity === activity ? sort.dir : null;
  const [start, end] = by === "value" ? (["asc", "desc"] as const) : (["desc", "asc"] as const);
  const next = dir === null ? start : dir === start ? end : null;
  return (
    <th
      scope="col"
      rowSpan={rowSpan}
      title={title}
      data-align={right ? "right" : undefined}
      data-first={first || undefined}
      aria-sort={dir === "asc" ? "ascending" : dir === "desc" ? "descending" : undefined}
    >
      {onSort ? (
        <button
          type="button"
          className={classes.sort}
          aria-label={title}
          onClick={() => onSort(next && { by, dir: next, ...(activity === undefined ? {} : { activity }) })}
        >
          {label}
          {dir === "asc" ? <IconArrowUp size={12} stroke={1.7} /> : dir === "desc" ? <IconArrowDown size={12} stroke={1.7} /> : null}
        </button>
      ) : (
        label
      )}
    </th>
  );
}

type AmountProps = { value: number | null; label: string; left?: boolean; onOpen: (() => void) | undefined };

function Amount({ value, label, left = false, onOpen }: AmountProps) {
  const text = formatNumber(value);
  const side = left ? `${classes.open} ${classes.left}` : classes.open;
  if (!value || !onOpen) return <span className={side}>{text}</span>;
  return (
    <button type="button" className={side} title={label} aria-label={`${text}, ${label}`} onClick={onOpen}>
      {text}
    </button>
  );
}

function Delayed({ count, label, onOpen }: { count: number | null; label: string; onOpen: (() => void) | undefined }) {
  if (!count) return <span className={classes.off}>{formatNumber(count)}</span>;
  const inside = (
    <>
      <StatusGlyph status="delayed" size={12} />
      {formatNumber(count)}
    </>
  );
  if (!onOpen) return <span className={classes.delayed}>{inside}</span>;
  return (
    <button
      type="button"
      className={`${classes.open} ${classes.delayed}`}
      title={label}
      aria-label={`${formatNumber(count)}, ${label}`}
      onClick={onOpen}
    >
      {inside}
    </button>
  );
}

function Rate({ rate }: { rate: number | null }) {
  return (
    <span className={classes.rate}>
      <span className={classes.track} aria-hidden="true">
        <span style={{ width: `${rate ?? 0}%` }} />
      </span>
      {rateText(rate)}
    </span>
  );
}
