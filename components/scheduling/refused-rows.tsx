"use client";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { TableFoot } from "#components/ui/table-foot.tsx";
import type { RefusedRow } from "#lib/scheduling/queries.ts";
import { FindingTable } from "./preview-result.tsx";
import classes from "./schedule.module.css";

/** Refused DUs with the activity at fault and the reason, in pages. */
export function RefusedRows({ rows }: { rows: readonly RefusedRow[] }) {
  const t = useTranslations("scheduling.release");
  const [page, setPage] = useState(1);
  const [size, setSize] = useState(100);
  return (
    <>
      <ScrollRegion className={classes.rows} label={t("refused")}>
        {rows.length === 0 ? <EmptyState title={t("noneRefused")} /> : <FindingTable rows={rows.slice((page - 1) * size, page * size)} />}
      </ScrollRegion>
      {rows.length > size || page > 1 ? (
        <TableFoot
          page={page}
          size={size}
          total={rows.length}
          onPage={setPage}
          onSize={(next) => {
            setSize(next);
            setPage(1);
          }}
        />
      ) : null}
    </>
  );
}
