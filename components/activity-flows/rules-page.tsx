"use client";
import { Button } from "@mantine/core";
import { IconPlus, IconRoute2 } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { useCommands } from "#components/ui/commands.ts";
import { Confirm } from "#components/ui/confirm.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { deleteFlowRules, disableFlowRules, enableFlowRules, sortFlowRules } from "#lib/activity-flows/flow-rules/actions.ts";
import type { FlowRuleRow } from "#lib/activity-flows/flow-rules/queries.ts";
import { runFlowRules } from "#lib/activity-flows/rule-runs/actions.ts";
import type { Answer } from "#lib/core/error.ts";
import { RuleDialog } from "./rule-dialog.tsx";
import { PreviewDialog } from "./rule-preview.tsx";
import { RunsTable, UnmatchedTable } from "./rule-results.tsx";
import { RulesTable } from "./rules-table.tsx";
import { flowRulesKey, useFlowRules } from "./use-flow-rules.ts";

const tabs = ["rules", "unmatched", "runs"] as const;
type Tab = (typeof tabs)[number];
/** What may be asked of chosen rules. */
export type RuleVerb = "preview" | "run" | "enable" | "disable" | "delete";
type Asked = { verb: RuleVerb; rows: FlowRuleRow[]; clear: () => void };

/** Rules that bind DUs to flows by priority, the DUs they left over with the reason, and their runs. [FLW-03] */
export function RulesPage() {
  const t = useTranslations("flow-rules");
  const { can } = useSession();
  const client = useQueryClient();
  const found = useFlowRules();
  const [tab, setTab] = useState<Tab>("rules");
  const [open, setOpen] = useState<FlowRuleRow | "new" | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [enable] = useAction(enableFlowRules);
  const [disable] = useAction(disableFlowRules);
  const [remove] = useAction(deleteFlowRules);
  const [sort] = useAction(sortFlowRules);
  const [run] = useAction(runFlowRules);
  const mayEdit = can("flow.autoConfig");
  // The conditions of a new rule are chosen from what is read with the rules.
  const isRead = found.data !== undefined;
  const commands = useMemo(
    () => (mayEdit && isRead ? [{ key: "new", label: t("new"), run: () => setOpen("new") }] : []),
    [mayEdit, isRead, t],
  );
  useCommands(commands);
  const rules = found.data?.rules ?? [];
  const refresh = () => client.invalidateQueries({ queryKey: [flowRulesKey] });
  const settle = async (answer: Answer<unknown>, done: string): Promise<string | null> => {
    await refresh();
    if (answer.status >= 400) return answer.msg ?? t("failed");
    asked?.clear();
    toast.done(done);
    return null;
  };
  const ids = asked?.rows.map(({ id }) => id) ?? [];
  const count = ids.length;
  const confirmed = async () => {
    if (asked?.verb === "run") return settle(await run({ ids }), t("run.started"));
    return settle(await enable({ ids }), t("done.enable", { count }));
  };
  const ended = async () => {
    const told =
      asked?.verb === "delete"
        ? await settle(await remove({ ids }), t("done.delete", { count }))
        : await settle(await disable({ ids }), t("done.disable", { count }));
    if (told !== null) toast.problem(told);
  };
  const onSort = async (order: number[]) => {
    const answer = await sort({ ids: order });
    if (answer.status >= 400) toast.problem(answer.msg ?? t("failed"));
    await refresh();
  };
  const newButton = (
    <Button variant="filled" leftSection={<IconPlus size={16} stroke={1.4} />} disabled={!isRead} onClick={() => setOpen("new")}>
      {t("new")}
    </Button>
  );
  const looking = asked && (asked.verb === "preview" || asked.verb === "run" || asked.verb === "enable") ? asked : null;
  const ending = asked && (asked.verb === "disable" || asked.verb === "delete") ? asked : null;
  return (
    <>
      <PageBar tabs={tabs.map((key) => ({ key, label: t(`tab.${key}`) }))} tab={tab} onTab={(key) => setTab(key as Tab)}>
        {mayEdit ? newButton : null}
      </PageBar>
      {tab === "rules" && found.isError ? (
        <ErrorPanel title={t("listFailed")} failed={found.error} onRetry={() => found.refetch()} />
      ) : null}
      {tab === "rules" && found.data && rules.length === 0 ? (
        <EmptyState icon={<IconRoute2 size={28} stroke={1} aria-hidden="true" />} title={t("empty")} text={t("emptyText")}>
          {mayEdit ? newButton : null}
        </EmptyState>
      ) : null}
      {tab === "rules" && rules.length > 0 ? (
        <RulesTable
          rules={rules}
          objects={found.data?.objects ?? []}
          mayEdit={mayEdit}
          onOpen={setOpen}
          onSort={onSort}
          onVerb={(verb, rows, clear) => setAsked({ verb, rows, clear })}
        />
      ) : null}
      {tab === "unmatched" ? <UnmatchedTable /> : null}
      {tab === "runs" ? <RunsTable /> : null}
      {mayEdit ? <RuleDialog row={open} objects={found.data?.objects ?? []} onClose={() => setOpen(null)} onSaved={refresh} /> : null}
      {looking ? (
        <PreviewDialog
          ids={ids}
          verb={looking.verb === "preview" ? null : t(`verb.${looking.verb}`, { count })}
          onConfirm={confirmed}
          onClose={() => setAsked(null)}
        />
      ) : null}
      <Confirm
        opened={ending !== null}
        danger={ending?.verb === "delete"}
        verb={ending ? t(`verb.${ending.verb}`, { count }) : ""}
        onClose={() => setAsked(null)}
        onConfirm={ended}
      >
        {ending
          ? t(ending.verb === "delete" ? "deleteText" : "disableText", { names: ending.rows.map(({ name }) => name).join(", ") })
          : ""}
      </Confirm>
    </>
  );
}
