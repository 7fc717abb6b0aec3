"use client";
import { Button } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconDownload } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { useExport } from "#components/ui/use-export.ts";
import { emptyText, formatNumber } from "#lib/core/format.ts";
import type { Filter } from "#lib/core/paging.ts";
import { type Bucket, buckets, centralRegion } from "#lib/planning-engine/outputs/limits.ts";
import type { MrpRow } from "#lib/planning-engine/outputs/schema.ts";
import { BarSelect, SearchField } from "./bar-fields.tsx";
import classes from "./outputs.module.css";

const address = "nc/material/planning/find/list";

/** What has to be bought: item by item and region by region, how much of it and by when. */
export function NetList({ runId }: { runId: number }) {
  const t = useTranslations("outputs.material");
  const common = useTranslations("common");
  const [bucket, setBucket] = useState<Bucket>("month");
  const [search, setSearch] = useState("");
  const [sought] = useDebouncedValue(search.trim(), 300);
  const filters: Filter[] = [
    { field: "runId", type: "eq", values: [runId] },
    { field: "bucket", type: "eq", values: [bucket] },
    { field: "net", type: "eq", values: [true] },
    ...(sought ? [{ field: "search", type: "like" as const, values: [sought] }] : []),
  ];
  const columns: Column<MrpRow>[] = [
    { key: "itemCode", label: t("item") },
    { key: "region", label: common("region"), render: ({ region }) => (region === centralRegion ? t("central") : region) },
    { key: "from", label: t(`from.${bucket}`) },
    { key: "needDate", label: t("needDate"), render: ({ needDate }) => needDate ?? emptyText },
    { key: "grossReq", label: t("measure.grossReq"), align: "right", render: ({ grossReq }) => formatNumber(grossReq) },
    {
      key: "netReq",
      label: t("measure.netReq"),
      align: "right",
      render: ({ netReq }) => <b className={classes.bad}>{formatNumber(netReq)}</b>,
    },
  ];
  const [startExport, exporting] = useExport("engine/output/net/export");
  return (
    <DataTable<MrpRow>
      label={t("netLabel")}
      columns={columns}
      rowKey={({ itemCode, region, from }) => `${itemCode} ${region} ${from}`}
      address={address}
      filters={filters}
      empty={sought ? undefined : <EmptyState title={t("noNet")} />}
      bar={
        <>
          <SearchField label={t("search")} hint={t("searchHint")} value={search} onChange={setSearch} />
          <BarSelect
            label={t("bucket")}
            value={bucket}
            data={buckets.map((value) => ({ value, label: t(`buckets.${value}`) }))}
            onChange={(chosen) => setBucket(chosen as Bucket)}
          />
          <Button
            leftSection={<IconDownload size={16} stroke={1.4} />}
            loading={exporting}
            onClick={() => void startExport({ runId, bucket, ...(sought && { search: sought }) })}
          >
            {t("netFile")}
          </Button>
        </>
      }
    />
  );
}
