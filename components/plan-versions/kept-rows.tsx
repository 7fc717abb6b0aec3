"use client";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { TableFoot } from "#components/ui/table-foot.tsx";
import { emptyText } from "#lib/core/format.ts";
import type { RestoreResult } from "#lib/plan-versions/restores/commands.ts";
import classes from "./versions.module.css";

/** Activities that keep their dates, each with the reason, in pages. */
export function KeptRows({ rows }: { rows: RestoreResult["rejected"] }) {
  const t = useTranslations("plan-versions.restore");
  const common = useTranslations("common");
  const [page, setPage] = useState(1);
  const [size, setSize] = useState(50);
  return (
    <>
      <ScrollRegion className={classes.kept} label={t("kept")}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{common("du")}</th>
              <th scope="col">{common("activity")}</th>
              <th scope="col">{common("reason")}</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice((page - 1) * size, page * size).map((row) => (
              <tr key={`${row.duId} ${row.activityId} ${row.code}`}>
                <td>{row.duCode ?? row.duId}</td>
                <td>{row.activityName ?? emptyText}</td>
                <td>{row.text}</td>
              </tr>
            ))}
          </tbody>
        </table>
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
