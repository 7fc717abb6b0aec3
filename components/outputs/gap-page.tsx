"use client";
import { Button, SegmentedControl } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconPackage } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { LinkButton } from "#components/ui/link-button.tsx";
import listFrame from "#components/ui/list-frame.module.css";
import { PageBar } from "#components/ui/page-bar.tsx";
import plain from "#components/ui/plain-table.module.css";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { TableFoot } from "#components/ui/table-foot.tsx";
import { useHref } from "#components/ui/use-href.ts";
import { emptyText, formatNumber } from "#lib/core/format.ts";
import type { Filter } from "#lib/core/paging.ts";
import type { GapRow, MaterialGap } from "#lib/planning-engine/outputs/schema.ts";
import type { RunHead } from "#lib/planning-engine/runs/schema.ts";
import { BarSelect, SearchField } from "./bar-fields.tsx";
import { Bones } from "./bones.tsx";
import { DuDrawer } from "./du-drawer.tsx";
import { GapPareto } from "./gap-pareto.tsx";
import { GapReason } from "./gap-reason.tsx";
import classes from "./outputs.module.css";
import { RunFactsView } from "./run-facts.tsx";
import { RunFrame } from "./run-frame.tsx";
import { RunPickers } from "./run-pickers.tsx";
import { useOutput } from "./use-output.ts";
import { usePaging } from "./use-paging.ts";
import { useRunChoice } from "./use-run-choice.ts";

const tabs = ["short", "waiting"] as const;
type Tab = (typeof tabs)[number];
const shortReasons = ["none_left", "no_supply", "wrong_region"] as const;
const sorts = ["needDate", "shortQty", "duCode", "itemCode"] as const;

/** Which DU is short of which item, or had to wait for it, and when it would be covered. [ENG-05] */
export function GapPage() {
  const t = useTranslations("outputs.gaps");
  const all = useTranslations("outputs");
  const choice = useRunChoice();
  const [tab, setTab] = useState<Tab>("short");
  return (
    <>
      <PageBar
        tabs={choice.run?.hasOutput ? tabs.map((key) => ({ key, label: t(`tab.${key}`) })) : []}
        tab={tab}
        onTab={(key) => setTab(key as Tab)}
      />
      {choice.version && choice.run ? (
        <div className={classes.state} role="toolbar" aria-label={all("which")}>
          <RunPickers choice={choice} />
        </div>
      ) : null}
      <RunFrame choice={choice} failed={(run) => <RunFactsView run={run} onOpenDu={undefined} />}>
        {(run) => <GapView key={`${run.id} ${tab}`} run={run} tab={tab} />}
      </RunFrame>
    </>
  );
}

function GapView({ run, tab }: { run: RunHead; tab: Tab }) {
  const t = useTranslations("outputs.gaps");
  const common = useTranslations("common");
  const href = useHref();
  const [look, setLook] = useState<"rows" | "items">("rows");
  const [search, setSearch] = useState("");
  const [sought] = useDebouncedValue(search.trim(), 300);
  const [item, setItem] = useState<string | null>(null);
  const [reason, setReason] = useState("");
  const [sort, setSort] = useState<(typeof sorts)[number]>("needDate");
  const { page, size, first, foot } = usePaging();
  const [duId, setDuId] = useState<number | null>(null);
  const filters: Filter[] = [
    { field: "reason", type: "in", values: tab === "waiting" ? ["late"] : reason ? [reason] : [...shortReasons] },
    ...(sought ? [{ field: "search", type: "like" as const, values: [sought] }] : []),
    ...(item === null ? [] : [{ field: "item", type: "eq" as const, values: [item] }]),
  ];
  const found = useOutput<MaterialGap>("engine/output/find/outputPlan/materialgap", {
    runId: run.id,
    page,
    size,
    filters,
    sort: [{ field: sort, dir: sort === "shortQty" ? "desc" : "asc" }],
  });
  const narrowed = sought !== "" || item !== null || reason !== "";
  if (found.isError) return <ErrorPanel title={t("failed")} failed={found.error} onRetry={() => void found.refetch()} />;
  const data = found.data;
  const columns = ["duCode", "itemCode", "needDate", "shortQty"] as const;
  return (
    <div className={`${listFrame.page} ${classes.screen}`}>
      <div className={listFrame.bar}>
        <SegmentedControl
          size="xs"
          aria-label={t("look")}
          data={(["rows", "items"] as const).map((value) => ({ value, label: t(`looks.${value}`) }))}
          value={look}
          onChange={(value) => setLook(value as "rows")}
        />
        <SearchField
          label={t("search")}
          hint={t("searchHint")}
          value={search}
          onChange={(text) => {
            setSearch(text);
            first();
          }}
        />
        {tab === "short" ? (
          <BarSelect
            label={common("reason")}
            value={reason}
            data={[{ value: "", label: t("everyReason") }, ...shortReasons.map((value) => ({ value, label: t(`reason.${value}`) }))]}
            onChange={(chosen) => {
              setReason(chosen);
              first();
            }}
          />
        ) : null}
        <BarSelect
          label={t("sort")}
          value={sort}
          data={(tab === "short" ? sorts : sorts.filter((name) => name !== "shortQty")).map((value) => ({
            value,
            label: t(`sorts.${value}`),
          }))}
          onChange={(chosen) => {
            setSort(chosen as "needDate");
            first();
          }}
        />
        {item === null ? null : (
          <Button size="compact-sm" onClick={() => setItem(null)}>
            {t("onlyItem", { item })}
          </Button>
        )}
        <span className={classes.count} aria-live="polite">
          {data ? t("count", { rows: data.total, items: data.totals.length }) : ""}
        </span>
      </div>
      {!data ? (
        <Bones />
      ) : data.records.length === 0 ? (
        <EmptyState
          icon={<IconPackage size={28} stroke={1} aria-hidden="true" />}
          title={narrowed ? undefined : t(tab === "short" ? "noShort" : "noWaiting")}
        >
          {narrowed ? null : (
            <LinkButton href={href("materialPlan", { query: { versionId: String(run.versionId), runId: String(run.id) } })}>
              {t("toPlan")}
            </LinkButton>
          )}
        </EmptyState>
      ) : look === "items" ? (
        <GapPareto
          totals={data.totals}
          by={tab === "short" ? "shortQty" : "dus"}
          onItem={(code) => {
            setItem(code);
            setLook("rows");
            first();
          }}
        />
      ) : (
        <>
          <ScrollRegion className={plain.scroll} label={t("label")} busy={found.isFetching}>
            <table className={`${plain.table} ${classes.dense}`} aria-label={t("label")}>
              <thead>
                <tr>
                  <th scope="col" aria-sort={sort === columns[0] ? "ascending" : undefined}>
                    {common("du")}
                  </th>
                  <th scope="col">{common("name")}</th>
                  <th scope="col">{common("region")}</th>
                  <th scope="col">{t("item")}</th>
                  <th scope="col" data-align="right">
                    {t("required")}
                  </th>
                  {tab === "short" ? (
                    <>
                      <th scope="col" data-align="right">
                        {t("covered")}
                      </th>
                      <th scope="col" data-align="right">
                        {t("short")}
                      </th>
                    </>
                  ) : null}
                  <th scope="col">{t(tab === "short" ? "need" : "wanted")}</th>
                  <th scope="col">{t(tab === "short" ? "cover" : "came")}</th>
                  <th scope="col">{tab === "short" ? common("reason") : t("waited")}</th>
                </tr>
              </thead>
              <tbody>
                {data.records.map((row) => (
                  <tr key={`${row.duId} ${row.itemCode}`}>
                    <th scope="row">
                      <button type="button" className={classes.link} onClick={() => setDuId(row.duId)}>
                        {row.duCode}
                      </button>
                    </th>
                    <td title={row.duName}>{row.duName}</td>
                    <td>{row.region ?? emptyText}</td>
                    <td>{row.itemCode}</td>
                    <td data-align="right">{formatNumber(row.requiredQty)}</td>
                    {tab === "short" ? (
                      <>
                        <td data-align="right">{formatNumber(row.coveredQty)}</td>
                        <td data-align="right" className={classes.bad}>
                          {formatNumber(row.shortQty)}
                        </td>
                      </>
                    ) : null}
                    <td>{row.needDate}</td>
                    <td>{row.coverDate ?? (tab === "short" ? t("noCover") : emptyText)}</td>
                    <td>{tab === "short" ? <GapReason reason={row.reason} /> : common("days", { count: waitedDays(row) })}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollRegion>
          <TableFoot {...foot} total={data.total} />
        </>
      )}
      {duId === null ? null : <DuDrawer runId={run.id} duId={duId} onOpenDu={setDuId} onClose={() => setDuId(null)} />}
    </div>
  );
}

/** Days from the earliest start by its predecessors to the last piece that came. */
function waitedDays({ needDate, coverDate }: GapRow): number {
  return coverDate === null ? 0 : Math.max(0, Math.round((Date.parse(coverDate) - Date.parse(needDate)) / 86_400_000));
}
