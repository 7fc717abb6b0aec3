"use client";
import { useTranslations } from "next-intl";
import { PagedRows } from "#components/ui/paged-rows.tsx";
import { emptyText } from "#lib/core/format.ts";
import type { RestoreResult } from "#lib/plan-versions/restores/commands.ts";
import classes from "./versions.module.css";

/** Activities that keep their dates, each with the reason, in pages: the first of as many as there are. */
export function KeptRows({ rows, count }: { rows: RestoreResult["rejected"]; count: number }) {
  const t = useTranslations("plan-versions.restore");
  const common = useTranslations("common");
  return (
    <>
      {count > rows.length ? <p className={classes.help}>{t("keptOf", { shown: rows.length, all: count })}</p> : null}
      <PagedRows rows={rows} startSize={50} label={t("kept")} className={classes.kept}>
        {(shown) => (
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">{common("du")}</th>
                <th scope="col">{common("activity")}</th>
                <th scope="col">{common("reason")}</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((row) => (
                <tr key={`${row.duId} ${row.activityId} ${row.code}`}>
                  <td>{row.duCode ?? row.duId}</td>
                  <td>{row.activityName ?? emptyText}</td>
                  <td>{row.text}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </PagedRows>
    </>
  );
}
