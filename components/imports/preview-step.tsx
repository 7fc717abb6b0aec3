"use client";
import { Checkbox, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { TableFoot } from "#components/ui/table-foot.tsx";
import { useList } from "#components/ui/use-list.ts";
import { formatNumber } from "#lib/core/format.ts";
import type { Filter } from "#lib/core/paging.ts";
import type { Outcome } from "#lib/imports/kind/logic.ts";
import { importKinds } from "#lib/imports/limits.ts";
import type { PreviewResult } from "#lib/imports/logic.ts";
import type { PreviewRow } from "#lib/imports/queries.ts";
import classes from "./import-wizard.module.css";
import { PreviewPanel } from "./preview-panel.tsx";
import { OutcomeMark, PreviewTable } from "./preview-table.tsx";
import type { Settling } from "./use-settlement.ts";

const views = {
  all: [],
  touched: ["new", "changed", "conflict", "rejected"],
  new: ["new"],
  changed: ["changed"],
  conflict: ["conflict"],
  rejected: ["rejected"],
} as const satisfies Record<string, readonly Outcome[]>;
type View = keyof typeof views;

type Props = {
  taskId: string;
  result: PreviewResult;
  whole: boolean;
  onWhole: (whole: boolean) => void;
  reason: string;
  onReason: (reason: string) => void;
  reasonMissing: boolean;
  settling: Settling;
};

/** Third step: what the file would do, before anything is written. */
export function PreviewStep({ taskId, result, settling, ...applying }: Props) {
  const t = useTranslations("imports");
  const [view, setView] = useState<View>("touched");
  const [code, setCode] = useState<string | null>(null);
  const [narrow, setNarrow] = useState(true);
  const [search, setSearch] = useState("");
  const [searched] = useDebouncedValue(search.trim(), 250);
  const [place, setPlace] = useState({ page: 1, size: 100 });

  const filters = useMemo<Filter[]>(
    () => [
      { field: "task", type: "eq", values: [taskId] },
      ...(views[view].length > 0 ? [{ field: "outcome", type: "in" as const, values: [...views[view]] }] : []),
      ...(code ? [{ field: "code", type: "eq" as const, values: [code] }] : []),
      ...(searched ? [{ field: "search", type: "like" as const, values: [searched] }] : []),
    ],
    [taskId, view, code, searched],
  );
  const list = useList<PreviewRow>({ address: "import/rows/list", ...place, filters });
  const look = (change: () => void) => {
    change();
    setPlace((before) => ({ ...before, page: 1 }));
  };
  const { counts } = result;
  const touched = new Set([...result.changed, ...result.refused, ...result.disputed].map(({ key }) => key));
  const labels = result.columns.filter((column) => result.labels.includes(column.key));
  const others = result.columns.filter((column) => !result.labels.includes(column.key));
  const shown = narrow ? others.filter((column) => touched.has(column.key)) : others;
  // Among refused rows the refused columns come first.
  const refused = new Set(result.refused.map(({ key }) => key));
  const columns = view === "rejected" ? shown.toSorted((a, b) => Number(refused.has(b.key)) - Number(refused.has(a.key))) : shown;
  const numbers: Record<View, number> = {
    all: result.rows,
    touched: counts.new + counts.changed + counts.conflict + counts.rejected,
    new: counts.new,
    changed: counts.changed,
    conflict: counts.conflict,
    rejected: counts.rejected,
  };
  return (
    <div className={classes.body}>
      <div className={classes.left}>
        <Tiles result={result} />
        <div className={classes.bar}>
          <fieldset className={classes.segments}>
            <legend className={classes.hidden}>{t("preview.view")}</legend>
            {(Object.keys(views) as View[])
              .filter((key) => shows(result, key))
              .map((key) => (
                <button key={key} type="button" aria-pressed={view === key} onClick={() => look(() => setView(key))}>
                  {t(`views.${key}`)} {formatNumber(numbers[key])}
                </button>
              ))}
          </fieldset>
          <span className={classes.grow} />
          <Checkbox
            size="xs"
            className={classes.control}
            label={
              <>
                {t("preview.narrow")}{" "}
                <span className={classes.quiet}>{`${columns.length + labels.length} / ${result.columns.length}`}</span>
              </>
            }
            checked={narrow}
            onChange={(event) => setNarrow(event.currentTarget.checked)}
          />
          <TextInput
            className={classes.search}
            vars={() => ({ wrapper: { "--input-height": "28px" } })}
            aria-label={t("preview.search")}
            placeholder={labels.map((column) => column.title).join(" / ")}
            leftSection={<IconSearch size={16} stroke={1.4} aria-hidden="true" />}
            value={search}
            onChange={(event) => look(() => setSearch(event.currentTarget.value))}
          />
        </div>
        {list.error ? (
          <ErrorPanel title={t("preview.failed")} failed={list.error} onRetry={() => list.refetch()} />
        ) : list.data && list.data.records.length === 0 ? (
          <EmptyState title={t(view === "touched" && numbers.touched === 0 ? "preview.same" : "preview.none")} />
        ) : (
          <PreviewTable rows={list.data?.records ?? []} labels={labels} columns={columns} busy={list.isFetching} settling={settling} />
        )}
        {list.data && list.data.total > 0 ? (
          <TableFoot
            {...place}
            total={list.data.total}
            onPage={(page) => setPlace((before) => ({ ...before, page }))}
            onSize={(size) => setPlace({ page: 1, size })}
          />
        ) : null}
      </div>
      <PreviewPanel
        taskId={taskId}
        result={result}
        code={code}
        onCode={(next) =>
          look(() => {
            setCode(next);
            if (next) setView("rejected");
          })
        }
        onConflicts={() => look(() => setView("conflict"))}
        settling={settling}
        {...applying}
      />
    </div>
  );
}

// New rows cannot come back with an export, and nothing else is ever in conflict.
const shows = (result: PreviewResult, key: View | Outcome): boolean =>
  key === "new" ? !importKinds[result.kind].needsMeta : key === "conflict" ? importKinds[result.kind].needsMeta : true;

/** The outcome of a file in four figures. */
export function Tiles({ result }: { result: PreviewResult }) {
  const t = useTranslations("imports");
  const { counts, changedCells, rejectedCells, conflictCells } = result;
  const tiles: [Outcome, string][] = [
    ["new", t("tiles.new")],
    ["changed", t("tiles.changed", { cells: changedCells })],
    ["conflict", t("tiles.conflict", { cells: conflictCells })],
    ["unchanged", t("tiles.unchanged")],
    ["rejected", t("tiles.rejected", { cells: rejectedCells })],
  ];
  return (
    <dl className={classes.tiles}>
      {tiles
        .filter(([outcome]) => shows(result, outcome))
        .map(([outcome, label]) => (
          <div key={outcome}>
            <dd>{formatNumber(counts[outcome])}</dd>
            <dt>
              <OutcomeMark outcome={outcome} word={false} />
              {label}
            </dt>
          </div>
        ))}
    </dl>
  );
}
