"use client";
import { Button, Checkbox, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Tag } from "#components/ui/status-tag.tsx";
import { useExport } from "#components/ui/use-export.ts";
import { refreshList, useList } from "#components/ui/use-list.ts";
import { formatNumber } from "#lib/core/format.ts";
import type { Filter } from "#lib/core/paging.ts";
import { saveRegionOwners } from "#lib/owners/region-owners/actions.ts";
import type { RegionOwnersPage, RegionOwnersRow } from "#lib/owners/region-owners/queries.ts";
import classes from "./owners.module.css";
import { OwnersDialog } from "./owners-dialog.tsx";
import { PersonChips } from "./person-chips.tsx";

const address = "regionConfig/list";
const typingMs = 300;

/** Regions with their owners; those without any stand out and are counted. [OWN-11] */
export function RegionsTab({ mayEdit }: { mayEdit: boolean }) {
  const t = useTranslations("owners");
  const common = useTranslations("common");
  const client = useQueryClient();
  const [text, setText] = useState("");
  const [searched] = useDebouncedValue(text.trim(), typingMs);
  const [onlyBlank, setOnlyBlank] = useState(false);
  const [open, setOpen] = useState<RegionOwnersRow | null>(null);
  const [startExport, exporting] = useExport("regionConfig/export");
  const filters = useMemo<Filter[]>(
    () => [
      ...(searched ? [{ field: "search", type: "like" as const, values: [searched] }] : []),
      ...(onlyBlank ? [{ field: "blank", type: "eq" as const, values: [true] }] : []),
    ],
    [searched, onlyBlank],
  );
  const counted = useList<RegionOwnersRow>({ address, page: 1, size: 10 });
  const blank = (counted.data as RegionOwnersPage | undefined)?.blank ?? 0;
  const columns: Column<RegionOwnersRow>[] = [
    {
      key: "name",
      label: t("column.region"),
      width: 260,
      sortable: true,
      render: ({ name, active }) => (
        <span className={classes.line}>
          {name}
          {active ? null : <Tag>{t("regions.off")}</Tag>}
        </span>
      ),
    },
    {
      key: "duCount",
      label: t("column.duCount"),
      width: 100,
      align: "right",
      sortable: true,
      render: ({ duCount }) => (duCount === null ? "-" : formatNumber(duCount)),
    },
    {
      key: "owners",
      label: t("column.owners"),
      wrap: true,
      render: ({ owners, active }) => <PersonChips people={owners} expected={active} />,
    },
  ];
  return (
    <>
      <DataTable<RegionOwnersRow>
        label={t("regions.label")}
        address={address}
        rowKey={({ regionId }) => regionId}
        columns={columns}
        filters={filters}
        bar={
          <search className={classes.bar}>
            <TextInput
              size="xs"
              w={220}
              aria-label={t("regions.search")}
              placeholder={t("regions.search")}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
            <Checkbox
              size="xs"
              label={t("regions.showBlank")}
              checked={onlyBlank}
              onChange={(event) => setOnlyBlank(event.currentTarget.checked)}
            />
            {blank > 0 ? <Tag tone="warn">{t("regions.blankCount", { count: blank })}</Tag> : null}
            <Button variant="subtle" color="gray" loading={exporting} onClick={() => void startExport({ filters })}>
              {common("export")}
            </Button>
          </search>
        }
        {...(mayEdit ? { onOpen: setOpen } : {})}
        empty={<EmptyState title={filters.length > 0 ? undefined : t("regions.empty")} />}
      />
      <OwnersDialog
        opened={open !== null}
        title={open?.name ?? ""}
        groups={[{ key: "owners", label: t("sheet.owners"), people: open?.owners ?? [] }]}
        action={saveRegionOwners}
        rowsOf={(changed) =>
          changed.map(({ accounts }) => ({
            regionId: open?.regionId ?? 0,
            accounts,
            base: open?.owners.map(({ account }) => account) ?? [],
          }))
        }
        onSaved={() => refreshList(client, address)}
        onClose={() => setOpen(null)}
      />
    </>
  );
}
