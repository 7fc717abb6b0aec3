"use client";
import { Switch } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import plain from "#components/ui/plain-table.module.css";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { toast } from "#components/ui/toast.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { type ConfigKey, configKeys } from "#lib/resources/capacity/limits.ts";
import type { CompanyConfig } from "#lib/resources/capacity/queries.ts";
import classes from "./subcontractors.module.css";
import { refreshFound, useFound } from "./use-found.ts";

const address = "subconConfig/getSubconConfigByProject";

/** What each company may do here; the first row holds for those that have nothing of their own. */
export function SwitchesPanel({ bar }: { bar: (actions?: ReactNode) => ReactNode }) {
  const t = useTranslations("subcontractors");
  const common = useTranslations("common");
  const { can } = useSession();
  const client = useQueryClient();
  const found = useFound<{ defaults: CompanyConfig; companies: CompanyConfig[] }>(address);
  const [busy, setBusy] = useState(false);
  const rows = found.data ? [found.data.defaults, ...found.data.companies] : [];
  const nameOf = (row: CompanyConfig) => (row.subcontractorId === null ? t("defaults") : `${row.code} ${row.name}`);
  const turn = async ({ subcontractorId, rowVersion }: CompanyConfig, key: ConfigKey, value: boolean) => {
    setBusy(true);
    const answer = await callDoor("subconConfig/updateSubconConfig", { subcontractorId, rowVersion, config: { [key]: value } });
    await refreshFound(client, address);
    setBusy(false);
    if (answer.status >= 400) toast.problem(answer.msg ?? common("failed"));
  };
  return (
    <>
      {bar()}
      {found.isError ? (
        <ErrorPanel title={t("failed")} failed={found.error} onRetry={() => found.refetch()} />
      ) : (
        <ScrollRegion label={t("switches.label")} className={plain.scroll} busy={found.isFetching}>
          <table className={`${plain.table} ${classes.table}`}>
            <thead>
              <tr>
                <th scope="col">{common("subcontractor")}</th>
                {configKeys.map((key) => (
                  <th key={key} scope="col">
                    {t(`switches.${key}`)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.subcontractorId ?? 0}>
                  <th scope="row">{nameOf(row)}</th>
                  {configKeys.map((key) => (
                    <td key={key}>
                      <Switch
                        size="xs"
                        aria-label={`${nameOf(row)}: ${t(`switches.${key}`)}`}
                        checked={row.config[key]}
                        disabled={busy || !can("subcon.isolation")}
                        onChange={(event) => turn(row, key, event.currentTarget.checked)}
                      />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </>
  );
}
