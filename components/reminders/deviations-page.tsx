"use client";
import { Button } from "@mantine/core";
import { IconBellCog, IconPlus } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { useCommands } from "#components/ui/commands.ts";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { FilterChip } from "#components/ui/filter-chip.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf, refreshList } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { formatNumber, roleName } from "#lib/core/format.ts";
import type { Filter } from "#lib/core/paging.ts";
import type { DeviationMatrix, DeviationRow } from "#lib/reminders/deviations/queries.ts";
import type { ReminderChoices } from "#lib/reminders/rules/queries.ts";
import { DeviationDialog, type NewDeviation } from "./deviation-dialog.tsx";
import classes from "./reminders.module.css";
import { useTimeColumns } from "./rule-columns.tsx";
import { SwitchActions } from "./switch-actions.tsx";

const address = "emailRemind/list";
const matrixKey = "deviation-matrix";
const tabs = ["list", "matrix"] as const;
type Tab = (typeof tabs)[number];
type Place = { regionId: number; activityId: number; name: string };

/** Deviation reminders as a list and as a table of regions and activities. [REM-02] */
export function DeviationsPage({ choices }: { choices: ReminderChoices }) {
  const t = useTranslations("reminder-rules");
  const { can } = useSession();
  const client = useQueryClient();
  const [tab, setTab] = useState<Tab>("list");
  const [place, setPlace] = useState<Place | null>(null);
  const [open, setOpen] = useState<DeviationRow | NewDeviation | null>(null);
  const mayEdit = can("notice.edit");
  const commands = useMemo(() => (mayEdit ? [{ key: "new", label: t("newDeviation"), run: () => setOpen({}) }] : []), [mayEdit, t]);
  useCommands(commands);
  const refresh = async () => {
    await Promise.all([refreshList(client, address), client.invalidateQueries({ queryKey: [matrixKey] })]);
  };
  return (
    <>
      <PageBar tabs={tabs.map((key) => ({ key, label: t(`tab.${key}`) }))} tab={tab} onTab={(key) => setTab(key as Tab)}>
        {mayEdit ? (
          <Button variant="filled" leftSection={<IconPlus size={16} stroke={1.4} />} onClick={() => setOpen({})}>
            {t("newDeviation")}
          </Button>
        ) : null}
      </PageBar>
      {tab === "list" ? (
        <DeviationList place={place} mayEdit={mayEdit} onPlace={setPlace} onOpen={setOpen} onChange={refresh} />
      ) : (
        <Matrix
          mayEdit={mayEdit}
          onNew={setOpen}
          onPlace={(chosen) => {
            setPlace(chosen);
            setTab("list");
          }}
        />
      )}
      {open && mayEdit ? <DeviationDialog row={open} choices={choices} onClose={() => setOpen(null)} onSaved={refresh} /> : null}
    </>
  );
}

type ListProps = {
  place: Place | null;
  mayEdit: boolean;
  onPlace: (place: Place | null) => void;
  onOpen: (row: DeviationRow | NewDeviation) => void;
  onChange: () => Promise<void>;
};

function DeviationList({ place, mayEdit, onPlace, onOpen, onChange }: ListProps) {
  const t = useTranslations("reminder-rules");
  const common = useTranslations("common");
  const times = useTimeColumns<DeviationRow>();
  const filters = useMemo<Filter[]>(
    () =>
      place
        ? [
            { field: "region", type: "eq", values: [place.regionId] },
            { field: "activity", type: "eq", values: [place.activityId] },
          ]
        : [],
    [place],
  );
  const whom = ({ roles, people, groups }: DeviationRow) =>
    [...roles.map(roleName), ...groups.map(({ name }) => name), ...people.map(({ name }) => name)].join(", ");
  const columns: Column<DeviationRow>[] = [
    { key: "region", label: common("region"), width: 160 },
    { key: "activity", label: common("activity"), width: 180 },
    {
      key: "deviationDays",
      label: t("column.deviationDays"),
      width: 110,
      align: "right",
      render: ({ deviationDays }) => formatNumber(deviationDays),
    },
    { key: "receivers", label: t("column.receivers"), render: (row) => <span title={whom(row)}>{whom(row)}</span> },
    ...times,
  ];
  return (
    <DataTable<DeviationRow>
      label={t("tab.list")}
      address={address}
      filters={filters}
      columns={columns}
      rowKey={({ id }) => id}
      {...(mayEdit
        ? {
            onOpen,
            batch: (rows: DeviationRow[], clear: () => void) => (
              <SwitchActions
                kind="DEVIATION"
                rows={rows}
                onDone={() => {
                  clear();
                  return onChange();
                }}
              />
            ),
          }
        : {})}
      {...(place ? { bar: <FilterChip name={common("filter")} value={place.name} onDrop={() => onPlace(null)} /> } : {})}
      empty={
        <EmptyState
          icon={<IconBellCog size={28} stroke={1} aria-hidden="true" />}
          title={place ? undefined : t("empty.list")}
          text={place ? undefined : t("emptyText.list")}
        >
          {mayEdit ? <Button onClick={() => onOpen(place ?? {})}>{t("newDeviation")}</Button> : null}
        </EmptyState>
      }
    />
  );
}

type MatrixProps = { mayEdit: boolean; onNew: (place: NewDeviation) => void; onPlace: (place: Place) => void };

function Matrix({ mayEdit, onNew, onPlace }: MatrixProps) {
  const t = useTranslations("reminder-rules");
  const common = useTranslations("common");
  const project = useProjectNumber();
  const found = useQuery({
    queryKey: [matrixKey, project],
    queryFn: async ({ signal }) => dataOf(await callDoor<DeviationMatrix>("emailRemind/matrix", {}, { signal })),
    retry: false,
  });
  if (found.isError) return <ErrorPanel title={t("failed")} failed={found.error} onRetry={() => found.refetch()} />;
  if (!found.data) return null;
  const { regions, activities, cells } = found.data;
  if (regions.length === 0 || activities.length === 0)
    return (
      <EmptyState
        icon={<IconBellCog size={28} stroke={1} aria-hidden="true" />}
        title={t(regions.length === 0 ? "noRegions" : "empty.list")}
        text={regions.length === 0 ? undefined : t("emptyText.list")}
      >
        {mayEdit && regions.length > 0 ? <Button onClick={() => onNew({})}>{t("newDeviation")}</Button> : null}
      </EmptyState>
    );
  const byPlace = new Map(cells.map((cell) => [`${cell.regionId} ${cell.activityId}`, cell]));
  return (
    <ScrollRegion className={classes.scroll} label={t("tab.matrix")}>
      <table className={classes.table} aria-label={t("tab.matrix")}>
        <thead>
          <tr>
            <th scope="col">{common("region")}</th>
            {activities.map(({ id, name }) => (
              <th key={id} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {regions.map((region) => (
            <tr key={region.id}>
              <th scope="row">{region.name}</th>
              {activities.map((activity) => {
                const cell = byPlace.get(`${region.id} ${activity.id}`);
                const name = `${region.name} · ${activity.name}`;
                const days = cell?.days.map((day) => (day > 0 ? `+${day}` : String(day))).join(", ");
                return (
                  <td key={activity.id}>
                    <button
                      type="button"
                      className={classes.cell}
                      data-empty={cell ? undefined : ""}
                      disabled={!cell && !mayEdit}
                      aria-label={cell ? t("matrix.some", { name, count: cell.count, days: days ?? "" }) : t("matrix.none", { name })}
                      title={cell && cell.enabled < cell.count ? t("matrix.off", { count: cell.count - cell.enabled }) : undefined}
                      onClick={() =>
                        cell
                          ? onPlace({ regionId: region.id, activityId: activity.id, name })
                          : onNew({ regionId: region.id, activityId: activity.id })
                      }
                    >
                      {cell ? days : "+"}
                    </button>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
