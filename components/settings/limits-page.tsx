"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { callDoor } from "#lib/core/call-door.ts";
import type { LimitRow } from "#lib/settings/queries.ts";
import { LimitLine } from "./limit-line.tsx";
import classes from "./settings.module.css";

/** The limits a project may set for itself beside those of the installation. */
export function LimitsPage() {
  const t = useTranslations("settings");
  const project = useProjectNumber();
  const client = useQueryClient();
  const key = ["limits", project];
  const limits = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => dataOf(await callDoor<{ limits: LimitRow[] }>("pageMax/find", {}, { signal })).limits,
    retry: false,
  });
  const refresh = () => client.invalidateQueries({ queryKey: key });
  return (
    <>
      <PageBar />
      <div className={classes.page}>
        {limits.isError && !limits.data ? (
          <ErrorPanel title={t("limits.failed")} failed={limits.error} onRetry={() => limits.refetch()} />
        ) : (
          <>
            <p className={classes.note}>{t("limits.note")}</p>
            <table className={classes.table} aria-label={t("limits.label")} aria-busy={limits.isPending}>
              <thead>
                <tr>
                  <th scope="col">{t("limits.name")}</th>
                  <th scope="col" data-align="right">
                    {t("limits.range")}
                  </th>
                  <th scope="col" data-align="right">
                    {t("limits.global")}
                  </th>
                  <th scope="col">{t("limits.project")}</th>
                </tr>
              </thead>
              <tbody>
                {limits.data?.map((limit) => (
                  <LimitLine key={`${limit.key} ${limit.rowVersion} ${limit.value}`} limit={limit} onChange={refresh} />
                ))}
              </tbody>
            </table>
          </>
        )}
      </div>
    </>
  );
}
