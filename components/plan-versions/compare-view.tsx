"use client";
import { Button, Select } from "@mantine/core";
import { IconArrowsExchange } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { ProgressBar } from "#components/ui/progress-bar.tsx";
import { lookup } from "#components/ui/query-client.ts";
import { TableFoot } from "#components/ui/table-foot.tsx";
import { useDelayed } from "#components/ui/use-delayed.ts";
import { useExport } from "#components/ui/use-export.ts";
import { useHref, useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf, useList } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { type CompareField, compareFields, currentSide } from "#lib/plan-versions/comparison/limits.ts";
import type { Comparison } from "#lib/plan-versions/comparison/queries.ts";
import type { VersionRow } from "#lib/plan-versions/queries.ts";
import { type CompareChoices, CompareFilters, type CompareNarrowing, filtersOf, noNarrowing } from "./compare-filters.tsx";
import { CompareRows } from "./compare-rows.tsx";
import { CompareSummaryBar } from "./compare-summary.tsx";
import { versionsAddress } from "./version-list.tsx";
import classes from "./versions.module.css";

/** Both sides: a version by its id, the present plan, or nothing yet. */
export type Sides = { left: number | typeof currentSide | null; right: number | typeof currentSide | null };

type Props = { sides: Sides; onSides: (sides: Sides) => void; choices: CompareChoices };

/** Any two versions, or one and the present plan, side by side: figures, shifts, and every date that differs. */
export function CompareView({ sides, onSides, choices }: Props) {
  const t = useTranslations("plan-versions");
  const common = useTranslations("common");
  const { can } = useSession();
  const project = useProjectNumber();
  const href = useHref();
  const [field, setField] = useState<CompareField>("planEnd");
  const [narrowing, setNarrowing] = useState<CompareNarrowing>(noNarrowing);
  const [page, setPage] = useState(1);
  const [size, setSize] = useState(50);
  const [startExport, exporting] = useExport("dataVersion/export");
  const versions = useList<VersionRow>({ address: versionsAddress, page: 1, size: 200, meta: lookup });
  const { left, right } = sides;
  const ready = left !== null && right !== null && left !== right;
  const asked = { left, right, fields: [field], filters: filtersOf(narrowing) };
  const found = useQuery({
    queryKey: ["compare", project, asked, page, size],
    queryFn: async ({ signal }) => dataOf(await callDoor<Comparison>("dataVersion/compare", { ...asked, page, size }, { signal })),
    enabled: ready,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const slow = useDelayed(found.isFetching);
  const change = (given: Partial<CompareNarrowing>) => {
    setNarrowing((before) => ({ ...before, ...given }));
    setPage(1);
  };
  const data = [
    { value: currentSide, label: t("current") },
    ...(versions.data?.records ?? []).map(({ id, code, name }) => ({ value: String(id), label: `${code} ${name}` })),
  ];
  const picker = (side: keyof Sides) => (
    <Select
      size="xs"
      w={260}
      searchable
      aria-label={t(`compare.${side}`)}
      placeholder={t(`compare.${side}`)}
      data={data}
      value={sides[side] === null ? null : String(sides[side])}
      onChange={(value) => {
        onSides({ ...sides, [side]: value === null || value === currentSide ? value : Number(value) });
        setPage(1);
      }}
    />
  );
  const result = ready ? found.data : undefined;
  return (
    <div className={classes.view}>
      <div className={classes.pickers} role="toolbar" aria-label={t("compare.label")}>
        {picker("left")}
        <Button
          aria-label={t("compare.swap")}
          title={t("compare.swap")}
          onClick={() => {
            onSides({ left: right, right: left });
            setPage(1);
          }}
        >
          <IconArrowsExchange size={16} stroke={1.4} />
        </Button>
        {picker("right")}
        <Select
          size="xs"
          w={140}
          aria-label={t("compare.field")}
          allowDeselect={false}
          data={compareFields.map((value) => ({ value, label: common(value) }))}
          value={field}
          onChange={(value) => {
            setField(value as CompareField);
            setPage(1);
          }}
        />
        <CompareFilters narrowing={narrowing} choices={choices} onChange={change} />
        <div className={classes.last}>
          {typeof left === "number" && right === currentSide ? (
            <Button component={Link} href={href("rolloutPlan", { query: { compare: String(left) } })} prefetch={false}>
              {t("compare.inPlan")}
            </Button>
          ) : null}
          {can("rollout.export") ? (
            <Button disabled={!result || result.total === 0} loading={exporting} onClick={() => void startExport(asked)}>
              {common("export")}
            </Button>
          ) : null}
        </div>
      </div>
      {!ready ? <EmptyState title={t("compare.choose")} text={left !== null && left === right ? t("compare.same") : undefined} /> : null}
      {ready && found.isError ? <ErrorPanel title={t("compare.failed")} failed={found.error} onRetry={() => found.refetch()} /> : null}
      {ready && !result && !found.isError && slow ? (
        <div className={classes.busy}>
          <p role="status">{t("compare.running")}</p>
          <ProgressBar done={0} total={null} label={t("compare.running")} large />
        </div>
      ) : null}
      {result ? (
        <>
          <CompareSummaryBar summary={result.summary} kinds={narrowing.kinds} onKinds={(kinds) => change({ kinds })} />
          <CompareRows rows={result.records} busy={found.isFetching} />
          {result.total > 0 ? (
            <TableFoot
              page={page}
              size={size}
              total={result.total}
              onPage={setPage}
              onSize={(next) => {
                setSize(next);
                setPage(1);
              }}
            />
          ) : null}
        </>
      ) : null}
    </div>
  );
}
