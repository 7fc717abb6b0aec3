"use client";
import { useTranslations } from "next-intl";
import { emptyText, formatNumber } from "#lib/core/format.ts";
import type { ChangeKind } from "#lib/plan-versions/comparison/limits.ts";
import type { CompareSummary, ShiftBar } from "#lib/plan-versions/comparison/logic.ts";
import { signed } from "./compare-rows.tsx";
import classes from "./versions.module.css";

type Props = { summary: CompareSummary; kinds: readonly ChangeKind[]; onKinds: (kinds: readonly ChangeKind[]) => void };

const tiles = ["later", "earlier", "added", "removed"] as const;

/** Figures of a comparison, each choosing its rows, and the shifts in working days as bars. */
export function CompareSummaryBar({ summary, kinds, onKinds }: Props) {
  const t = useTranslations("plan-versions.compare");
  return (
    <div className={classes.summary}>
      <div className={classes.tiles} role="toolbar" aria-label={t("summary")}>
        <button type="button" className={classes.tile} aria-pressed={kinds.length === 0} onClick={() => onKinds([])}>
          <span>{t("kind.all")}</span>
          <strong>{formatNumber(summary.changed + summary.added + summary.removed)}</strong>
        </button>
        {tiles.map((kind) => {
          const pressed = kinds.length === 1 && kinds[0] === kind;
          return (
            <button
              key={kind}
              type="button"
              className={classes.tile}
              data-kind={kind}
              aria-pressed={pressed}
              onClick={() => onKinds(pressed ? [] : [kind])}
            >
              <span>{t(`kind.${kind}`)}</span>
              <strong>{formatNumber(summary[kind])}</strong>
            </button>
          );
        })}
        <dl className={classes.figures}>
          <div>
            <dt>{t("median")}</dt>
            <dd>{summary.medianDays === null ? emptyText : signed(summary.medianDays)}</dd>
          </div>
          <div>
            <dt>{t("dus")}</dt>
            <dd>{formatNumber(summary.dus)}</dd>
          </div>
        </dl>
      </div>
      <Histogram bars={summary.histogram} />
    </div>
  );
}

/** How many dates moved by how many working days; each bar says its figure. */
function Histogram({ bars }: { bars: readonly ShiftBar[] }) {
  const t = useTranslations("plan-versions.compare");
  const most = Math.max(1, ...bars.map(({ count }) => count));
  const label = ({ from, to }: ShiftBar) =>
    from === null
      ? `≤ ${signed(to as number)}`
      : to === null
        ? `≥ ${signed(from)}`
        : from === to
          ? signed(from)
          : `${signed(from)}…${signed(to)}`;
  return (
    <figure className={classes.histogram}>
      <figcaption>{t("histogram")}</figcaption>
      <ol>
        {bars.map((bar) => {
          const side = (bar.to ?? 1) < 0 ? "earlier" : (bar.from ?? -1) > 0 ? "later" : "same";
          return (
            <li key={label(bar)} data-kind={side}>
              <span className={classes.count}>{bar.count > 0 ? formatNumber(bar.count) : ""}</span>
              <span className={classes.bar} style={{ height: `${Math.round((bar.count / most) * 44)}px` }} aria-hidden="true" />
              <span className={classes.shift}>{label(bar)}</span>
            </li>
          );
        })}
      </ol>
    </figure>
  );
}
