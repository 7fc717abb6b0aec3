"use client";
import { Button, Modal, Switch } from "@mantine/core";
import { IconPlus, IconWand } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { useCommands } from "#components/ui/commands.ts";
import { Confirm } from "#components/ui/confirm.tsx";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { GroupFilter } from "#components/ui/group-filter.tsx";
import { LinkButton } from "#components/ui/link-button.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { Tag } from "#components/ui/status-tag.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useHref } from "#components/ui/use-href.ts";
import { useSession } from "#components/ui/use-session.tsx";
import type { Answer } from "#lib/core/error.ts";
import { formatMoment, formatNumber } from "#lib/core/format.ts";
import type { Filter } from "#lib/core/paging.ts";
import { reorder } from "#lib/core/reorder.ts";
import { previewPlanRules, runPlanRules } from "#lib/plan-rules/execution/actions.ts";
import { type RuleStatus, ruleTypes } from "#lib/plan-rules/limits.ts";
import { copyPlanRule, deletePlanRules, disablePlanRules, enablePlanRules, sortPlanRules } from "#lib/plan-rules/rule-set/actions.ts";
import type { RuleRow } from "#lib/plan-rules/rule-set/queries.ts";
import { runRulesMax } from "#lib/plan-rules/runs/limits.ts";
import classes from "./plan-rules.module.css";
import { RunResult } from "./run-result.tsx";
import { RunsTable } from "./runs-table.tsx";

export type RulesTab = "rules" | "runs" | "targets" | "events";
type Verb = "enable" | "disable" | "delete" | "run";
type Asked = { verb: Verb; rows: RuleRow[]; clear: () => void };
const lookMs = 5_000;

/** The tabs of the screens of rules. */
export function useRuleTabs() {
  const t = useTranslations("plan-rules");
  const href = useHref();
  return [
    { key: "rules", label: t("tab.rules"), href: href("planRules") },
    { key: "runs", label: t("tab.runs"), href: href("planRules", { query: { tab: "runs" } }) },
    { key: "targets", label: t("tab.targets"), href: href("organisationalTargets") },
    { key: "events", label: t("tab.events"), href: href("extendedEventRules") },
  ];
}

/** Rules that fill the plan by themselves, what their last runs did, and the runs. [RUL-01, RUL-02] */
export function RulesPage({ tab, run: firstRun }: { tab: RulesTab; run: number | null }) {
  const t = useTranslations("plan-rules");
  const href = useHref();
  const router = useRouter();
  const { can } = useSession();
  const tabs = useRuleTabs();
  const mayEdit = can("rule.edit");
  const address = href("editPlanRule", tab === "events" ? { query: { type: "EXT_EVENT" } } : {});
  const commands = useMemo(
    () => (mayEdit ? [{ key: "new", label: t("new"), run: () => router.push(address) }] : []),
    [mayEdit, t, router, address],
  );
  useCommands(commands);
  return (
    <>
      <PageBar tabs={tabs} tab={tab}>
        {mayEdit && tab !== "runs" ? (
          <LinkButton primary href={address} icon={<IconPlus size={16} stroke={1.4} />}>
            {t("new")}
          </LinkButton>
        ) : null}
      </PageBar>
      {tab === "runs" ? <RunsTable first={firstRun} /> : <RulesList tab={tab} />}
    </>
  );
}

function RulesList({ tab }: { tab: RulesTab }) {
  const t = useTranslations("plan-rules");
  const href = useHref();
  const client = useQueryClient();
  const { can, offset } = useSession();
  const [status, setStatus] = useState<RuleStatus | "all">("all");
  const [asked, setAsked] = useState<Asked | null>(null);
  const [result, setResult] = useState<number | null>(null);
  const [enable] = useAction(enablePlanRules);
  const [disable] = useAction(disablePlanRules);
  const [remove] = useAction(deletePlanRules);
  const [copy] = useAction(copyPlanRule);
  const [sort, sorting] = useAction(sortPlanRules);
  const [preview] = useAction(previewPlanRules);
  const [start] = useAction(runPlanRules);
  const mayEdit = can("rule.edit");
  const filters: Filter[] = [
    { field: "type", type: "in", values: tab === "events" ? ["EXT_EVENT"] : ruleTypes.filter((type) => type !== "EXT_EVENT") },
    ...(status === "all" ? [] : [{ field: "status", type: "eq" as const, values: [status] }]),
  ];
  const refresh = () => client.invalidateQueries();
  const settle = async (answer: Answer<unknown>, text: string) => {
    await refresh();
    if (answer.status >= 400) return toast.problem(answer.msg ?? t("failed"));
    asked?.clear();
    toast.done(text);
  };
  const confirmed = async () => {
    if (!asked) return;
    const ids = asked.rows.map(({ id }) => id);
    const count = ids.length;
    if (asked.verb === "run") {
      const answer = await start({ ruleIds: ids });
      if (answer.data) setResult(answer.data.runId);
      return settle(answer, t("done.run", { count }));
    }
    if (asked.verb === "delete") return settle(await remove({ ids }), t("done.delete", { count }));
    if (asked.verb === "disable") return settle(await disable({ ids, confirm: true }), t("done.disable", { count }));
    const answer = await enable({ ids, confirm: true });
    await settle(answer, t("done.enable", { count: answer.data?.done.length ?? 0 }));
    const refused = answer.data?.refused ?? [];
    if (refused.length > 0) toast.problem(refused.map(({ name, reasons }) => `${name}: ${reasons.join("; ")}`).join(" · "));
  };
  const look = async (rows: RuleRow[]) => {
    const answer = await preview({ ruleIds: rows.map(({ id }) => id) });
    if (answer.data) setResult(answer.data.runId);
    else toast.problem(answer.problems?.[0]?.msg ?? answer.msg ?? t("failed"));
  };
  const move = async (row: RuleRow, by: number, clear: () => void) => {
    const answer = await sort({ items: [{ id: row.id, sortNo: Math.max(1, row.sortNo + by), was: row.sortNo }] });
    // A chosen row keeps the place it was chosen with.
    clear();
    await settle(answer, t("done.moved", { name: row.name }));
  };
  const columns: Column<RuleRow>[] = [
    { key: "sortNo", label: t("column.sortNo"), width: 70, align: "right", sortable: true },
    {
      key: "name",
      label: t("column.ruleName"),
      sortable: true,
      render: ({ id, name }) => (
        <Link className={classes.name} href={href("editPlanRule", { query: { id } })} prefetch={false}>
          {name}
        </Link>
      ),
    },
    { key: "ruleType", label: t("column.type"), width: 140, render: ({ ruleType }) => t(`type.${ruleType}`) },
    { key: "flowName", label: t("column.flow"), width: 120 },
    { key: "regionNames", label: t("column.region"), width: 110, render: ({ regionNames }) => regionNames.join(", ") || t("everyRegion") },
    { key: "targets", label: t("column.target"), wrap: true, render: ({ targets }) => targets.join(", ") || "-" },
    {
      key: "status",
      label: t("column.status"),
      width: 150,
      render: (row) => <RuleState row={row} mayEdit={mayEdit} onSwitch={(verb) => setAsked({ verb, rows: [row], clear: () => {} })} />,
    },
    {
      key: "frequency",
      label: t("column.auto"),
      width: 150,
      render: ({ frequency, nextRunAt }) =>
        frequency === null
          ? "-"
          : `${t("every", { hours: frequency })}${nextRunAt ? ` · ${formatMoment(nextRunAt, offset).slice(5, 16)}` : ""}`,
    },
    {
      key: "lastRun",
      label: t("column.lastRun"),
      width: 130,
      render: ({ lastRun }) =>
        lastRun ? t("lastRun", { changed: formatNumber(lastRun.changed), skipped: formatNumber(lastRun.skipped) }) : "-",
    },
    {
      key: "updatedAt",
      label: t("column.updated"),
      width: 150,
      sortable: true,
      render: ({ updatedAt }) => formatMoment(updatedAt, offset),
    },
  ];
  return (
    <>
      <DataTable<RuleRow>
        label={t(`tab.${tab}`)}
        address="planAutoRule/list"
        rowKey={({ id }) => id}
        columns={columns}
        filters={filters}
        refetchInterval={lookMs}
        bar={
          <GroupFilter<RuleStatus | "all">
            label={t("column.status")}
            groups={(["all", "EFFECTIVE", "INVALID"] as const).map((key) => ({
              key,
              label: key === "all" ? t("all") : t(`status.${key}`),
            }))}
            value={status}
            onChange={setStatus}
          />
        }
        batch={(rows, clear) => {
          const [only] = rows;
          const few = rows.length <= runRulesMax;
          const ask = (verb: Verb) => setAsked({ verb, rows, clear });
          return (
            <>
              <span className={classes.help}>{t("chosen", { count: rows.length, max: runRulesMax })}</span>
              <Button disabled={!few} onClick={() => look(rows)}>
                {t("verb.preview")}
              </Button>
              {can("rule.run") ? (
                <Button disabled={!few || rows.some((row) => row.status !== "EFFECTIVE" || row.executing)} onClick={() => ask("run")}>
                  {t("verb.run")}
                </Button>
              ) : null}
              {mayEdit ? (
                <>
                  <Button disabled={rows.every((row) => row.status === "EFFECTIVE")} onClick={() => ask("enable")}>
                    {t("verb.enable")}
                  </Button>
                  <Button disabled={rows.every((row) => row.status !== "EFFECTIVE")} onClick={() => ask("disable")}>
                    {t("verb.disable")}
                  </Button>
                  {only && rows.length === 1 ? (
                    <>
                      <Button disabled={sorting} onClick={() => move(only, -1, clear)}>
                        {t("verb.earlier")}
                      </Button>
                      <Button disabled={sorting} onClick={() => move(only, 1, clear)}>
                        {t("verb.later")}
                      </Button>
                      <Button onClick={async () => settle(await copy({ id: only.id }), t("done.copy", { name: only.name }))}>
                        {t("verb.copy")}
                      </Button>
                    </>
                  ) : null}
                  <Button onClick={() => ask("delete")}>{t("verb.delete")}</Button>
                </>
              ) : null}
            </>
          );
        }}
        {...(mayEdit
          ? {
              order: {
                name: ({ name }: RuleRow) => name,
                onMove: async (rows: readonly RuleRow[], from: number, to: number) => {
                  const answer = await sort({ items: reorder(rows, from, to) });
                  await refresh();
                  if (answer.status >= 400) toast.problem(answer.msg ?? t("failed"));
                  return answer.status < 400;
                },
              },
            }
          : {})}
        empty={<EmptyState icon={<IconWand size={28} stroke={1} aria-hidden="true" />} title={t("empty")} text={t("emptyText")} />}
      />
      <Confirm
        opened={asked !== null}
        danger={asked?.verb === "delete"}
        verb={asked ? t(`confirm.${asked.verb}`, { count: asked.rows.length }) : ""}
        onConfirm={confirmed}
        onClose={() => setAsked(null)}
      >
        {asked ? t(`confirmText.${asked.verb}`, { names: asked.rows.map(({ name }) => name).join(", ") }) : ""}
      </Confirm>
      <Modal
        opened={result !== null}
        onClose={() => setResult(null)}
        title={t("result.title")}
        size={1080}
        closeButtonProps={{ "aria-label": t("close") }}
      >
        {result === null ? null : <RunResult runId={result} />}
      </Modal>
    </>
  );
}

function RuleState({ row, mayEdit, onSwitch }: { row: RuleRow; mayEdit: boolean; onSwitch: (verb: "enable" | "disable") => void }) {
  const t = useTranslations("plan-rules");
  const on = row.status === "EFFECTIVE";
  return (
    <span className={classes.line} style={{ flexWrap: "nowrap", gap: 8 }}>
      {mayEdit ? (
        <Switch
          size="xs"
          checked={on}
          disabled={row.executing}
          aria-label={t(on ? "switchOff" : "switchOn", { name: row.name })}
          onChange={() => onSwitch(on ? "disable" : "enable")}
        />
      ) : null}
      {row.executing ? (
        <Tag tone="info">{t("status.executing")}</Tag>
      ) : on ? (
        <Tag tone="ok">{t("status.EFFECTIVE")}</Tag>
      ) : (
        <span title={t(`invalid.${row.invalidReason ?? "DISABLED"}`)}>
          <Tag tone={row.invalidReason === "DISABLED" ? "neutral" : "warn"}>{t(`invalid.${row.invalidReason ?? "DISABLED"}`)}</Tag>
        </span>
      )}
    </span>
  );
}
