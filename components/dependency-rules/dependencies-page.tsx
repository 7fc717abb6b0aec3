"use client";
import { Button, Checkbox } from "@mantine/core";
import { IconGitFork, IconPlus } from "@tabler/icons-react";
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
import { Tag } from "#components/ui/status-tag.tsx";
import { TableFoot } from "#components/ui/table-foot.tsx";
import { toast } from "#components/ui/toast.ts";
import { refreshList, useList } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { formatNumber } from "#lib/core/format.ts";
import type { DependencyChoices, DependencyEntry } from "#lib/dependency-rules/queries.ts";
import { effectiveMax } from "#lib/dependency-rules/rule-set/limits.ts";
import classes from "./dependencies.module.css";
import { DependencyDialog } from "./dependency-dialog.tsx";
import { DependencyGraph } from "./dependency-graph.tsx";
import { useEventText } from "./use-event-text.ts";

const address = "rollPlanDependency/list";
const tabs = ["table", "graph"] as const;
type Verb = "enable" | "expire" | "delete";

/** Which events need which others before them: as a table with what violates them now, and as a graph. [DEP-01] */
export function DependenciesPage({ choices }: { choices: DependencyChoices }) {
  const t = useTranslations("dependency-rules");
  const common = useTranslations("common");
  const word = useEventText();
  const { can } = useSession();
  const client = useQueryClient();
  const mayEdit = can("dependency.edit");
  const [tab, setTab] = useState<(typeof tabs)[number]>("table");
  const [place, setPlace] = useState({ page: 1, size: 50 });
  const [open, setOpen] = useState<DependencyEntry | "new" | null>(null);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [asked, setAsked] = useState<Verb | null>(null);
  const list = useList<DependencyEntry>({ address, ...place });
  const inForce = useList<DependencyEntry>({
    address,
    page: 1,
    size: effectiveMax,
    filters: [{ field: "status", type: "eq", values: ["EFFECTIVE"] }],
  });
  const commands = useMemo(() => (mayEdit ? [{ key: "new", label: t("new"), run: () => setOpen("new") }] : []), [mayEdit, t]);
  useCommands(commands);
  const rows = list.data?.records ?? [];
  const picked = rows.filter(({ id }) => chosen.has(id));
  const refresh = () => refreshList(client, address);
  const confirmed = async () => {
    const answer = await callDoor(`rollPlanDependency/${asked}`, { ids: picked.map(({ id }) => id), confirm: true });
    await refresh();
    if (answer.status >= 400) return toast.problem(answer.msg ?? common("failed"));
    setChosen(new Set());
    toast.done(t(`done.${asked as Verb}`, { count: picked.length }));
  };
  const toggle = (id: number) =>
    setChosen((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  const newButton = (
    <Button variant="filled" leftSection={<IconPlus size={16} stroke={1.4} />} onClick={() => setOpen("new")}>
      {t("new")}
    </Button>
  );
  const verbs: readonly [Verb, boolean][] = [
    ["enable", picked.every(({ status }) => status === "EXPIRED")],
    ["expire", picked.every(({ status }) => status === "EFFECTIVE")],
    ["delete", true],
  ];
  return (
    <>
      <PageBar tabs={tabs.map((key) => ({ key, label: t(`tab.${key}`) }))} tab={tab} onTab={(key) => setTab(key as typeof tab)}>
        {mayEdit ? newButton : null}
      </PageBar>
      {list.isError && !list.data ? (
        <ErrorPanel title={t("failed")} failed={list.error} onRetry={() => list.refetch()} />
      ) : list.isSuccess && list.data.total === 0 ? (
        <EmptyState icon={<IconGitFork size={28} stroke={1} aria-hidden="true" />} title={t("empty")} text={t("emptyText")}>
          {mayEdit ? newButton : null}
        </EmptyState>
      ) : tab === "graph" ? (
        inForce.data ? (
          <DependencyGraph rules={inForce.data.records} loop={null} />
        ) : inForce.isError ? (
          <ErrorPanel title={t("failed")} failed={inForce.error} onRetry={() => inForce.refetch()} />
        ) : (
          <div aria-busy="true" />
        )
      ) : (
        <>
          <div className={classes.bar}>
            {picked.length > 0
              ? verbs.map(([verb, may]) => (
                  <Button key={verb} size="xs" disabled={!may} onClick={() => setAsked(verb)}>
                    {t(`verb.${verb}`, { count: picked.length })}
                  </Button>
                ))
              : null}
            <span className={classes.count}>{inForce.data ? t("inForce", { used: inForce.data.total, max: effectiveMax }) : ""}</span>
          </div>
          <ScrollRegion label={t("label")} className={plain.scroll} busy={list.isFetching}>
            <table className={`${plain.table} ${classes.table}`}>
              <thead>
                <tr>
                  {mayEdit ? <th aria-label={common("select")} style={{ width: 36 }} /> : null}
                  <th scope="col" data-align="right" style={{ width: 56 }}>
                    {t("column.number")}
                  </th>
                  {(["prerequisites", "target", "targetEvent", "flow", "status", "expireDate"] as const).map((key) => (
                    <th key={key} scope="col">
                      {t(`column.${key}`)}
                    </th>
                  ))}
                  <th scope="col" data-align="right">
                    {t("column.violations")}
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
                  <tr key={row.id} data-off={row.status === "EXPIRED" || undefined}>
                    {mayEdit ? (
                      <td>
                        <Checkbox
                          size="xs"
                          aria-label={t("choose", { name: word(row.target) })}
                          checked={chosen.has(row.id)}
                          onChange={() => toggle(row.id)}
                        />
                      </td>
                    ) : null}
                    <td data-align="right">{row.id}</td>
                    <td className={classes.wide}>
                      {row.prerequisites.map((event) => (
                        <span key={word(event)} className={classes.event}>
                          {word(event)}
                        </span>
                      ))}
                    </td>
                    <th scope="row">{row.target.name ?? t("refusal.hiddenTarget")}</th>
                    <td>{t(`event.${row.target.event}`)}</td>
                    <td>{row.flowName ?? t("everyFlow")}</td>
                    <td>
                      <Tag tone={row.status === "EFFECTIVE" ? "ok" : "neutral"}>{t(`status.${row.status}`)}</Tag>
                    </td>
                    <td>{row.expireDate ?? "-"}</td>
                    <td data-align="right" data-violated={(row.violations ?? 0) > 0 || undefined}>
                      {row.violations === null ? "-" : t("dus", { count: row.violations, shown: formatNumber(row.violations) })}
                    </td>
                    {mayEdit ? (
                      <td>
                        <Button size="xs" aria-label={t("editRule", { name: word(row.target) })} onClick={() => setOpen(row)}>
                          {common("edit")}
                        </Button>
                      </td>
                    ) : null}
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollRegion>
          {list.data ? (
            <TableFoot
              {...place}
              total={list.data.total}
              onPage={(page) => setPlace({ ...place, page })}
              onSize={(size) => setPlace({ page: 1, size })}
            />
          ) : null}
        </>
      )}
      {open ? (
        <DependencyDialog
          row={open === "new" ? null : open}
          choices={choices}
          inForce={inForce.data?.records ?? []}
          onClose={() => setOpen(null)}
          onSaved={refresh}
        />
      ) : null}
      <Confirm
        opened={asked !== null}
        danger={asked === "delete"}
        verb={asked ? t(`verb.${asked}`, { count: picked.length }) : ""}
        onClose={() => setAsked(null)}
        onConfirm={confirmed}
      >
        {asked ? t(`ask.${asked}`, { names: picked.map(({ target }) => word(target)).join(", ") }) : ""}
      </Confirm>
    </>
  );
}
