"use client";
import { Button, Select, Switch } from "@mantine/core";
import { IconChartLine, IconPlus } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import plain from "#components/ui/plain-table.module.css";
import { lookup } from "#components/ui/query-client.ts";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { useSession } from "#components/ui/use-session.tsx";
import { emptyText, formatNumber } from "#lib/core/format.ts";
import type { CapacityWeek } from "#lib/resources/capacity/logic.ts";
import type { CapacityRow, CompanyConfig } from "#lib/resources/capacity/queries.ts";
import type { CompanyType } from "#lib/resources/subcontractors/queries.ts";
import { CapacityChart } from "./capacity-chart.tsx";
import { CapacityDialog } from "./capacity-dialog.tsx";
import { useSubcontractorTabs } from "./subcontractor-tabs.ts";
import classes from "./subcontractors.module.css";
import { refreshFound, useFound } from "./use-found.ts";
import { WeekTable } from "./week-table.tsx";

const configs = "subconConfig/getSubconConfigByProject";
const weeks = "subconConfig/weeks";
const everybody = "0";
type Region = { id: number; name: string };

/** How much a company can do week by week, against what the plan asks of it. [RES-08] */
export function CapacityPage({ regions }: { regions: readonly Region[] }) {
  const t = useTranslations("subcontractors");
  const common = useTranslations("common");
  const { can } = useSession();
  const client = useQueryClient();
  const tabs = useSubcontractorTabs();
  const found = useFound<{ defaults: CompanyConfig; companies: CompanyConfig[] }>(configs);
  const types = useFound<CompanyType[]>("subconType/find", {}, { meta: lookup });
  const [company, setCompany] = useState(everybody);
  const [at, setAt] = useState(0);
  const [asTable, setAsTable] = useState(false);
  const [open, setOpen] = useState<{ at: number | null } | null>(null);
  const all = found.data ? [found.data.defaults, ...found.data.companies] : [];
  const config = all.find(({ subcontractorId }) => String(subcontractorId ?? everybody) === company) ?? all[0];
  const rows = config?.capacity ?? [];
  const row = rows[Math.min(at, rows.length - 1)];
  const compared = useFound<{ weeks: CapacityWeek[] }>(
    weeks,
    { subcontractorId: config?.subcontractorId ?? null, regionId: row?.regionId ?? null, subconTypeId: row?.subconTypeId ?? null },
    { enabled: row !== undefined },
  );
  const nameOf = ({ regionId, subconTypeId }: CapacityRow) => {
    const region = regions.find(({ id }) => id === regionId)?.name ?? t("capacity.allRegions");
    const type = subconTypeId === null ? t("capacity.allTypes") : (types.data?.find(({ id }) => id === subconTypeId)?.name ?? emptyText);
    return `${region} / ${type}`;
  };
  const mayEdit = can("capacity.edit");
  return (
    <>
      <PageBar tabs={tabs} tab="capacity">
        {mayEdit && config ? (
          <Button variant="filled" leftSection={<IconPlus size={14} stroke={1.7} />} onClick={() => setOpen({ at: null })}>
            {t("capacity.new")}
          </Button>
        ) : null}
      </PageBar>
      <div className={classes.state} role="toolbar" aria-label={t("tab.capacity")}>
        <Select
          size="xs"
          w={240}
          searchable
          allowDeselect={false}
          aria-label={common("subcontractor")}
          data={all.map(({ subcontractorId, code, name }) => ({
            value: String(subcontractorId ?? everybody),
            label: subcontractorId === null ? t("defaults") : `${code} ${name}`,
          }))}
          value={config ? company : null}
          onChange={(value) => {
            setCompany(value ?? everybody);
            setAt(0);
          }}
        />
        <Switch size="xs" label={t("capacity.asTable")} checked={asTable} onChange={(event) => setAsTable(event.currentTarget.checked)} />
      </div>
      {found.isError ? <ErrorPanel title={t("failed")} failed={found.error} onRetry={() => found.refetch()} /> : null}
      {found.isSuccess && rows.length === 0 ? (
        <EmptyState icon={<IconChartLine size={28} stroke={1} aria-hidden="true" />} title={t("capacity.empty")}>
          {mayEdit ? <Button onClick={() => setOpen({ at: null })}>{t("capacity.new")}</Button> : null}
        </EmptyState>
      ) : null}
      {row && compared.isError && !compared.data ? (
        <ErrorPanel title={t("capacity.failed")} failed={compared.error} onRetry={() => compared.refetch()} />
      ) : null}
      {found.isPending || (row && compared.isPending) ? <div aria-busy="true" /> : null}
      {row && compared.data && !asTable ? <CapacityChart label={nameOf(row)} weeks={compared.data.weeks} /> : null}
      {row && compared.data && asTable ? <WeekTable weeks={compared.data.weeks} /> : null}
      {rows.length > 0 && !asTable ? (
        <ScrollRegion label={t("capacity.label")} className={plain.scroll} busy={found.isFetching}>
          <table className={`${plain.table} ${classes.table}`}>
            <thead>
              <tr>
                <th scope="col">{t("capacity.place")}</th>
                {(
                  [
                    "baseline",
                    "lowerLimit",
                    "upperCap",
                    "leadTimeWeeks",
                    "increasePeriodWeeks",
                    "increasePerCycle",
                    "weeklyAdded",
                    "redundancyRatio",
                  ] as const
                ).map((key) => (
                  <th key={key} scope="col" data-align="right">
                    {t(`capacity.field.${key}`)}
                  </th>
                ))}
                <th scope="col">{t("capacity.field.startWeek")}</th>
                <th scope="col">
                  <span className="visually-hidden">{t("verbs")}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((one, index) => (
                <tr key={one.id}>
                  <th scope="row">{nameOf(one)}</th>
                  {(
                    [
                      "baseline",
                      "lowerLimit",
                      "upperCap",
                      "leadTimeWeeks",
                      "increasePeriodWeeks",
                      "increasePerCycle",
                      "weeklyAdded",
                      "redundancyRatio",
                    ] as const
                  ).map((key) => (
                    <td key={key} data-align="right">
                      {formatNumber(one[key])}
                    </td>
                  ))}
                  <td>{one.startWeek}</td>
                  <td>
                    <div className={classes.verbs}>
                      <Button
                        size="xs"
                        aria-pressed={one === row}
                        onClick={() => setAt(index)}
                        aria-label={t("capacity.showOf", { name: nameOf(one) })}
                      >
                        {common("show")}
                      </Button>
                      {mayEdit ? (
                        <Button size="xs" onClick={() => setOpen({ at: index })} aria-label={t("editOf", { name: nameOf(one) })}>
                          {common("edit")}
                        </Button>
                      ) : null}
                    </div>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      ) : null}
      {open && config ? (
        <CapacityDialog
          config={config}
          at={open.at}
          regions={regions}
          types={types.data ?? []}
          onSaved={() => {
            setOpen(null);
            void Promise.all([refreshFound(client, configs), refreshFound(client, weeks)]);
          }}
          onClose={() => setOpen(null)}
        />
      ) : null}
    </>
  );
}
