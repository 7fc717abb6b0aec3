"use client";
import { Button } from "@mantine/core";
import { IconAlertTriangle, IconPlus } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { useCommands } from "#components/ui/commands.ts";
import { Confirm } from "#components/ui/confirm.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import plain from "#components/ui/plain-table.module.css";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { Tag, type Tone } from "#components/ui/status-tag.tsx";
import { toast } from "#components/ui/toast.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { formatNumber } from "#lib/core/format.ts";
import type { WarningChoices, WarningEntry } from "#lib/reminders/warning-config/queries.ts";
import type { WarningLevel } from "#lib/reminders/warnings/logic.ts";
import { refreshWarnings, useWarnings } from "./use-warnings.ts";
import { WarningDialog } from "./warning-dialog.tsx";
import classes from "./warnings.module.css";

const tones: Record<WarningLevel, Tone> = { DEFAULT: "info", ADVISORY: "warn", MANDATORY: "danger" };

/** Warnings about the distance of two dates: what is compared, what follows, and how many DUs match now. [REM-06] */
export function WarningsPage({ choices }: { choices: WarningChoices }) {
  const t = useTranslations("warnings");
  const common = useTranslations("common");
  const { can } = useSession();
  const client = useQueryClient();
  const list = useWarnings();
  const mayEdit = can("notice.edit");
  const [open, setOpen] = useState<WarningEntry | "new" | null>(null);
  const [gone, setGone] = useState<WarningEntry | null>(null);
  const commands = useMemo(() => (mayEdit ? [{ key: "new", label: t("new"), run: () => setOpen("new") }] : []), [mayEdit, t]);
  useCommands(commands);
  const rows = list.data ?? [];
  const remove = async () => {
    const answer = await callDoor("warningConfig/delete", { ids: gone ? [gone.id] : [] });
    await refreshWarnings(client);
    if (answer.status >= 400) return toast.problem(answer.msg ?? common("failed"));
    toast.done(t("deleted"));
  };
  const newButton = (
    <Button variant="filled" leftSection={<IconPlus size={16} stroke={1.4} />} onClick={() => setOpen("new")}>
      {t("new")}
    </Button>
  );
  return (
    <>
      <PageBar>{mayEdit ? newButton : null}</PageBar>
      {list.isError && !list.data ? (
        <ErrorPanel title={t("failed")} failed={list.error} onRetry={() => list.refetch()} />
      ) : list.isSuccess && rows.length === 0 ? (
        <EmptyState icon={<IconAlertTriangle size={28} stroke={1} aria-hidden="true" />} title={t("empty")} text={t("emptyText")}>
          {mayEdit ? newButton : null}
        </EmptyState>
      ) : (
        <ScrollRegion label={t("label")} className={plain.scroll} busy={list.isFetching}>
          <table className={`${plain.table} ${classes.table}`}>
            <thead>
              <tr>
                {(["alert", "condition", "flow", "level", "message", "status"] as const).map((key) => (
                  <th key={key} scope="col">
                    {t(`column.${key}`)}
                  </th>
                ))}
                <th scope="col" data-align="right">
                  {t("column.matches")}
                </th>
                {mayEdit ? (
                  <th scope="col">
                    <span className="visually-hidden">{common("edit")}</span>
                  </th>
                ) : null}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.id} data-off={row.status === "DISABLED" || undefined}>
                  <th scope="row">{t("date", { activity: row.alertName, field: t(`field.${row.fieldB}`) })}</th>
                  <td>
                    {t("sentence", {
                      operator: t(`operator.${row.operator}`),
                      days: row.days,
                      anchor: t("date", { activity: row.anchorName, field: t(`field.${row.fieldA}`) }),
                    })}
                  </td>
                  <td>{row.flowName ?? t("everyFlow")}</td>
                  <td>
                    <Tag tone={tones[row.level]}>{t(`level.${row.level}`)}</Tag>
                  </td>
                  <td className={classes.message} title={row.message}>
                    {row.message}
                  </td>
                  <td>
                    <Tag tone={row.status === "ENABLED" ? "ok" : "neutral"}>
                      {common(row.status === "ENABLED" ? "enabled" : "disabled")}
                    </Tag>
                  </td>
                  <td data-align="right" data-matched={(row.matches ?? 0) > 0 || undefined}>
                    {row.matches === null ? "-" : t("dus", { count: row.matches, shown: formatNumber(row.matches) })}
                  </td>
                  {mayEdit ? (
                    <td className={classes.verbs}>
                      <Button size="xs" aria-label={t("edit", { name: row.message })} onClick={() => setOpen(row)}>
                        {common("edit")}
                      </Button>
                      <Button
                        size="xs"
                        variant="subtle"
                        color="gray"
                        aria-label={t("delete", { name: row.message })}
                        onClick={() => setGone(row)}
                      >
                        {common("delete")}
                      </Button>
                    </td>
                  ) : null}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
      {open ? <WarningDialog row={open === "new" ? null : open} choices={choices} onClose={() => setOpen(null)} /> : null}
      <Confirm opened={gone !== null} danger verb={common("delete")} onClose={() => setGone(null)} onConfirm={remove}>
        {t("deleteText", { name: gone?.message ?? "" })}
      </Confirm>
    </>
  );
}
