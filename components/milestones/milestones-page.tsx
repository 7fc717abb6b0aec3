"use client";
import { ActionIcon, Button } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconFlag, IconPlus } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { Confirm } from "#components/ui/confirm.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import plain from "#components/ui/plain-table.module.css";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { Tag } from "#components/ui/status-tag.tsx";
import { toast } from "#components/ui/toast.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import type { Locale } from "#lib/core/locale.ts";
import { milestoneName } from "#lib/milestones/logic.ts";
import type { Milestone } from "#lib/milestones/queries.ts";
import { CopyDialog } from "./copy-dialog.tsx";
import { ErpDialog } from "./erp-dialog.tsx";
import { refreshMilestones, useMilestones } from "./milestone-data.ts";
import { MilestoneDialog } from "./milestone-dialog.tsx";
import { useMilestoneTabs } from "./milestone-tabs.ts";
import classes from "./milestones.module.css";

type Open = { what: "edit"; row: Milestone | null } | { what: "delete"; row: Milestone } | { what: "copy" } | { what: "erp" } | null;

/** The milestones of the project in their order, with what they stand for; brought into order, changed, copied to other projects. [MDV-03] */
export function MilestonesPage({ deliveryTypes }: { deliveryTypes: readonly string[] }) {
  const t = useTranslations("milestones");
  const common = useTranslations("common");
  const locale = useLocale() as Locale;
  const { can } = useSession();
  const client = useQueryClient();
  const list = useMilestones();
  const tabs = useMilestoneTabs();
  const [open, setOpen] = useState<Open>(null);
  const [busy, setBusy] = useState(false);
  const mayEdit = can("milestone.config");
  const rows = list.data?.records ?? [];
  const nameOf = (row: Milestone) => milestoneName(row, locale);
  const close = () => setOpen(null);

  const write = async (address: string, input: { ids: number[]; before?: number[] }) => {
    setBusy(true);
    const answer = await callDoor(address, input);
    await refreshMilestones(client);
    setBusy(false);
    if (answer.status >= 400) toast.problem(answer.msg ?? common("failed"));
  };
  const move = (at: number, step: number) => {
    const before = rows.map(({ id }) => id);
    const ids = before.toSpliced(at, 1).toSpliced(at + step, 0, before[at]!);
    return write("milestoneConfig/sort", { ids, before });
  };

  return (
    <>
      <PageBar tabs={tabs} tab="milestones">
        {can("milestone.erpExport") ? (
          <Button disabled={rows.every(({ enabled }) => !enabled)} onClick={() => setOpen({ what: "erp" })}>
            {t("erp.verb")}
          </Button>
        ) : null}
        {mayEdit ? (
          <>
            <Button disabled={rows.length === 0} onClick={() => setOpen({ what: "copy" })}>
              {t("copy.verb")}
            </Button>
            <Button variant="filled" leftSection={<IconPlus size={14} stroke={1.7} />} onClick={() => setOpen({ what: "edit", row: null })}>
              {t("list.new")}
            </Button>
          </>
        ) : null}
      </PageBar>
      {/* The line keeps its place until it is known what it says. */}
      {list.isPending || rows.length > 0 ? (
        <p className={classes.counter} data-full={(list.data && list.data.enabled >= list.data.max) || undefined}>
          {list.data ? t("list.enabled", { used: list.data.enabled, max: list.data.max }) : "\u00a0"}
        </p>
      ) : null}
      {list.isError && !list.data ? (
        <ErrorPanel title={t("list.failed")} failed={list.error} onRetry={() => list.refetch()} />
      ) : list.isSuccess && rows.length === 0 ? (
        <EmptyState icon={<IconFlag size={28} stroke={1} aria-hidden="true" />} title={t("list.empty")} text={t("list.emptyText")}>
          {mayEdit ? <Button onClick={() => setOpen({ what: "edit", row: null })}>{t("list.new")}</Button> : null}
        </EmptyState>
      ) : (
        <ScrollRegion label={t("list.label")} className={plain.scroll} busy={list.isFetching}>
          <table className={plain.table}>
            <thead>
              <tr>
                {mayEdit ? <th scope="col">{common("order")}</th> : null}
                {(["number", "name", "flag", "state", "infos", "usage"] as const).map((key) => (
                  <th key={key} scope="col">
                    {t(`column.${key}`)}
                  </th>
                ))}
                {mayEdit ? (
                  <th scope="col">
                    <span className="visually-hidden">{t("column.verbs")}</span>
                  </th>
                ) : null}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, at) => (
                <tr key={row.id} data-off={!row.enabled || undefined}>
                  {mayEdit ? (
                    <td className={classes.verbs}>
                      <ActionIcon
                        size={24}
                        disabled={busy || at === 0}
                        aria-label={t("list.up", { name: nameOf(row) })}
                        onClick={() => move(at, -1)}
                      >
                        <IconArrowUp size={14} stroke={1.7} />
                      </ActionIcon>
                      <ActionIcon
                        size={24}
                        disabled={busy || at === rows.length - 1}
                        aria-label={t("list.down", { name: nameOf(row) })}
                        onClick={() => move(at, 1)}
                      >
                        <IconArrowDown size={14} stroke={1.7} />
                      </ActionIcon>
                    </td>
                  ) : null}
                  <td>
                    <span className={classes.swatch} style={{ background: `var(--${row.color})` }} aria-hidden="true" />
                    {row.number}
                  </td>
                  <th scope="row" title={[row.nameZh, row.nameEn, row.nameJa].filter(Boolean).join(" / ")}>
                    {nameOf(row)}
                  </th>
                  <td>{t(`flag.${row.flag}`)}</td>
                  <td>
                    <Tag tone={row.enabled ? "ok" : "neutral"}>{common(row.enabled ? "enabled" : "disabled")}</Tag>
                  </td>
                  <td>{infosText(row, t)}</td>
                  <td title={row.mapping.map(({ flow, activity }) => `${flow}: ${activity}`).join("\n")}>
                    {t("list.flows", { count: row.usage })}
                  </td>
                  {mayEdit ? (
                    <td className={classes.verbs}>
                      <Button size="xs" onClick={() => setOpen({ what: "edit", row })} aria-label={t("list.edit", { name: nameOf(row) })}>
                        {common("edit")}
                      </Button>
                      <Button
                        size="xs"
                        variant="subtle"
                        color="gray"
                        disabled={row.usage > 0}
                        title={row.usage > 0 ? t("list.mapped") : undefined}
                        onClick={() => setOpen({ what: "delete", row })}
                        aria-label={t("list.delete", { name: nameOf(row) })}
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
      {open?.what === "edit" ? (
        <MilestoneDialog
          milestone={open.row}
          full={list.data !== undefined && list.data.enabled >= list.data.max}
          deliveryTypes={deliveryTypes}
          onClose={close}
        />
      ) : null}
      {open?.what === "copy" ? <CopyDialog count={rows.length} onClose={close} /> : null}
      {open?.what === "erp" ? <ErpDialog milestones={rows.filter(({ enabled }) => enabled)} onClose={close} /> : null}
      {open?.what === "delete" ? (
        <Confirm
          opened
          danger
          verb={t("delete.verb")}
          title={t("list.delete", { name: nameOf(open.row) })}
          onConfirm={() => write("milestoneConfig/delete", { ids: [open.row.id] })}
          onClose={close}
        >
          {t("delete.text")}
        </Confirm>
      ) : null}
    </>
  );
}

/** What the rows of a milestone say, in short. */
function infosText({ infos }: Milestone, t: ReturnType<typeof useTranslations<"milestones">>): string {
  if (infos.length === 0) return "-";
  return infos
    .map(({ deliveryType, tempMilestone }) => `${deliveryType ?? t("infos.all")}: ${tempMilestone ?? t("infos.target.activity")}`)
    .join("; ");
}
