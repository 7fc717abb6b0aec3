"use client";
import { IconArrowsExchange, IconArrowsLeftRight, IconCheck, IconPlus, IconX } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useId } from "react";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { useSession } from "#components/ui/use-session.tsx";
import { formatMinute, formatNumber } from "#lib/core/format.ts";
import type { Outcome, Side } from "#lib/imports/kind/logic.ts";
import type { PreviewCell, PreviewRow } from "#lib/imports/queries.ts";
import classes from "./import-wizard.module.css";
import type { Settling } from "./use-settlement.ts";

const icons = { new: IconPlus, changed: IconArrowsLeftRight, unchanged: IconCheck, conflict: IconArrowsExchange, rejected: IconX };

/** What becomes of a row, as glyph and word. */
export function OutcomeMark({ outcome, word = true }: { outcome: Outcome; word?: boolean }) {
  const t = useTranslations("imports");
  const Icon = icons[outcome];
  return (
    <span className={classes.outcome} data-outcome={outcome}>
      <Icon size={12} stroke={1.8} aria-hidden="true" />
      {word ? <span>{t(`outcomes.${outcome}`)}</span> : null}
    </span>
  );
}

type Props = {
  rows: readonly PreviewRow[];
  /** Columns that say which row it is, then those with changes. */
  labels: readonly { key: string; title: string }[];
  columns: readonly { key: string; title: string }[];
  busy: boolean;
  settling: Settling;
};

/** Rows of a checked file: only changed cells are tinted, refused ones carry their reason. */
export function PreviewTable({ rows, labels, columns, busy, settling }: Props) {
  const t = useTranslations("imports");
  const shown = new Set([...labels, ...columns].map((column) => column.key));
  return (
    <ScrollRegion className={classes.scroll} label={t("preview.rows")} busy={busy}>
      <table className={classes.preview}>
        <thead>
          <tr>
            <th scope="col" className={classes.number}>
              {t("preview.row")}
            </th>
            <th scope="col">{t("preview.outcome")}</th>
            {[...labels, ...columns].map((column) => (
              <th key={column.key} scope="col" title={column.title}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const elsewhere = row.problems.filter((problem) => !shown.has(problem.path));
            return (
              <tr key={row.no}>
                <td className={classes.number}>{formatNumber(row.no)}</td>
                <td title={elsewhere.map((problem) => problem.msg).join("\n")}>
                  <OutcomeMark outcome={row.outcome} />
                  {elsewhere.length > 0 ? <span className={classes.reason}>{elsewhere[0]?.msg}</span> : null}
                </td>
                {[...labels, ...columns].map((column) => (
                  <Cell
                    key={column.key}
                    row={row}
                    column={column}
                    cell={row.cells[column.key]}
                    label={labels.includes(column)}
                    settling={settling}
                  />
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

type CellProps = {
  row: PreviewRow;
  column: { key: string; title: string };
  cell: PreviewCell | undefined;
  label: boolean;
  settling: Settling;
};

function Cell({ row, column, cell, label, settling }: CellProps) {
  const isNew = row.outcome === "new";
  const t = useTranslations("imports");
  const reasons = useTranslations("imports.reasons");
  if (!cell) return <td />;
  if (cell.conflict && row.outcome === "conflict")
    return <DisputedCell row={row} column={column} conflict={cell.conflict} settling={settling} />;
  if (cell.problem)
    return (
      <td className={classes.refused} title={`${cell.text} ${cell.problem.msg}`}>
        <span className={classes.next}>{cell.text || t("preview.empty")}</span>
        <span className={classes.reason}>
          {reasons.has(cell.problem.code as never) ? reasons(cell.problem.code as never) : cell.problem.msg}
        </span>
      </td>
    );
  if (cell.next === undefined || (isNew && label)) return <td className={label ? classes.label : classes.same}>{cell.text}</td>;
  return (
    <td className={classes.change}>
      {cell.old ? <del className={classes.old}>{cell.old}</del> : <span className={classes.blank}>{t("preview.empty")}</span>}
      <span className={classes.arrow} role="img" aria-label={t("preview.becomes")}>
        →
      </span>
      {cell.next ? <span className={classes.next}>{cell.next}</span> : <span className={classes.blank}>{t("preview.empty")}</span>}
    </td>
  );
}

type DisputedProps = Pick<CellProps, "row" | "column" | "settling"> & { conflict: NonNullable<PreviewCell["conflict"]> };

/** A cell changed on both sides: the value at the export, and a choice between the present one and that of the file. */
function DisputedCell({ row, column, conflict, settling }: DisputedProps) {
  const t = useTranslations("imports");
  const { offset } = useSession();
  const name = useId();
  const shown = (value: string) => value || t("preview.empty");
  const mixed = Object.values(row.cells).some((cell) => cell.next !== undefined);
  const cell = { row: row.no, path: column.key, mixed };
  const chosen = settling.sideOf(cell);
  const tip = t("conflict.tip", {
    base: shown(conflict.base),
    theirs: shown(conflict.theirs),
    mine: shown(conflict.mine),
    by: conflict.by ?? t("conflict.somebody"),
    time: conflict.at ? formatMinute(conflict.at, offset) : "-",
  });
  const option = (side: Side, value: string, word: string) => (
    <label>
      <input type="radio" name={name} checked={chosen === side} onChange={() => settling.decide(cell, side)} />
      <span className={classes.quiet}>{word}</span>
      <span className={`${classes.choice} ${chosen === side ? classes.next : ""}`}>{shown(value)}</span>
    </label>
  );
  return (
    <td className={classes.disputed} title={tip}>
      <fieldset>
        <legend className={classes.hidden}>{t("conflict.which", { column: column.title, row: formatNumber(row.no) })}</legend>
        <del className={classes.old}>{shown(conflict.base)}</del>
        {option("theirs", conflict.theirs, t("conflict.now"))}
        {option("mine", conflict.mine, t("conflict.file"))}
      </fieldset>
    </td>
  );
}
