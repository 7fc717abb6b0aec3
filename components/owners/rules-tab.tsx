"use client";
import { Button, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconUserCog } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { Confirm } from "#components/ui/confirm.tsx";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Tag } from "#components/ui/status-tag.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { refreshList } from "#components/ui/use-list.ts";
import type { Answer } from "#lib/core/error.ts";
import type { Filter } from "#lib/core/paging.ts";
import { reorder } from "#lib/core/reorder.ts";
import { deleteOwnerRules, disableOwnerRules, enableOwnerRules, sortOwnerRules } from "#lib/owners/owner-rules/actions.ts";
import type { OwnerRuleRow } from "#lib/owners/owner-rules/queries.ts";
import { runOwnerRules } from "#lib/owners/owner-runs/actions.ts";
import { runRulesMax } from "#lib/plan-rules/runs/limits.ts";
import { PreviewDialog } from "./run-result.tsx";
import { useRuleChoices, useRuleTexts } from "./use-rules.ts";

export const rulesAddress = "ownerRule/list";
const typingMs = 300;
const lookMs = 3_000;
const verbs = ["preview", "run", "enable", "disable", "delete"] as const;
type Verb = (typeof verbs)[number];
type Asked = { verb: Verb; rows: OwnerRuleRow[]; clear: () => void };

/** The rules in the order in which they decide, with what may be asked of chosen ones. */
export function RulesTab({ mayEdit, onOpen }: { mayEdit: boolean; onOpen: (row: OwnerRuleRow) => void }) {
  const t = useTranslations("owners");
  const client = useQueryClient();
  const [text, setText] = useState("");
  const [searched] = useDebouncedValue(text.trim(), typingMs);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [enable] = useAction(enableOwnerRules);
  const [disable] = useAction(disableOwnerRules);
  const [remove] = useAction(deleteOwnerRules);
  const [run] = useAction(runOwnerRules);
  const [sort, sorting] = useAction(sortOwnerRules);
  const choices = useRuleChoices();
  const say = useRuleTexts(choices.data);
  const filters = useMemo<Filter[]>(() => (searched ? [{ field: "name", type: "like", values: [searched] }] : []), [searched]);
  const refresh = () => refreshList(client, rulesAddress);
  const settle = async (answer: Answer<unknown>, told: string) => {
    await refresh();
    if (answer.status >= 400) return toast.problem(answer.msg ?? t("failed"));
    asked?.clear();
    toast.done(told);
  };
  const ids = asked?.rows.map(({ id }) => id) ?? [];
  const count = ids.length;
  const confirm = async () => {
    if (asked?.verb === "run") return settle(await run({ ruleIds: ids }), t("done.run"));
    if (asked?.verb === "enable") return settle(await enable({ ids, confirm: true }), t("done.enable", { count }));
    if (asked?.verb === "disable") return settle(await disable({ ids, confirm: true }), t("done.disable", { count }));
    return settle(await remove({ ids }), t("done.delete", { count }));
  };
  const move = async (row: OwnerRuleRow, by: number, clear: () => void) => {
    const answer = await sort({ items: [{ id: row.id, sortNo: Math.max(1, row.sortNo + by), was: row.sortNo }] });
    if (answer.status >= 400) toast.problem(answer.msg ?? t("failed"));
    clear();
    await refresh();
  };
  const columns: Column<OwnerRuleRow>[] = [
    { key: "sortNo", label: t("column.order"), width: 72, align: "right", sortable: true },
    { key: "name", label: t("column.name"), width: 180, sortable: true },
    { key: "flowText", label: t("column.flows"), width: 180, wrap: true },
    { key: "conditions", label: t("column.conditions"), wrap: true, render: ({ conditions }) => say.conditions(conditions) },
    { key: "ownerFields", label: t("column.fields"), width: 150, wrap: true, render: (row) => say.fields(row) },
    { key: "fillMode", label: t("column.mode"), width: 170, wrap: true, render: (row) => say.source(row) },
    { key: "expireDate", label: t("column.expires"), width: 100, sortable: true, render: ({ expireDate }) => expireDate ?? "-" },
    { key: "status", label: t("column.status"), width: 120, sortable: true, render: (row) => <RuleState row={row} /> },
  ];
  const may: Record<Verb, (rows: OwnerRuleRow[]) => boolean> = {
    preview: (rows) => rows.length <= runRulesMax,
    run: (rows) => rows.length <= runRulesMax && rows.every(({ status, executing }) => status === "ENABLED" && !executing),
    enable: (rows) => rows.every(({ status, executing }) => status === "INVALID" && !executing),
    disable: (rows) => rows.every(({ status, executing }) => status === "ENABLED" && !executing),
    delete: (rows) => rows.every(({ executing }) => !executing),
  };
  return (
    <>
      <DataTable<OwnerRuleRow>
        label={t("rules.label")}
        address={rulesAddress}
        rowKey={({ id }) => id}
        columns={columns}
        filters={filters}
        refetchInterval={lookMs}
        bar={
          <search>
            <TextInput
              size="xs"
              w={220}
              aria-label={t("rules.search")}
              placeholder={t("rules.search")}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
          </search>
        }
        {...(mayEdit
          ? {
              onOpen,
              order: {
                name: ({ name }: OwnerRuleRow) => name,
                onMove: async (rows: readonly OwnerRuleRow[], from: number, to: number) => {
                  const answer = await sort({ items: reorder(rows, from, to) });
                  await refresh();
                  if (answer.status >= 400) toast.problem(answer.msg ?? t("failed"));
                  return answer.status < 400;
                },
              },
              batch: (rows: OwnerRuleRow[], clear: () => void) => (
                <>
                  {verbs.map((verb) => (
                    <Button key={verb} disabled={!may[verb](rows)} onClick={() => setAsked({ verb, rows, clear })}>
                      {t(`verb.${verb}`, { count: rows.length })}
                    </Button>
                  ))}
                  {rows.length === 1 && rows[0]
                    ? ([-1, 1] as const).map((by) => (
                        <Button
                          key={by}
                          disabled={sorting || rows[0]!.executing || rows[0]!.sortNo + by < 1}
                          onClick={() => move(rows[0]!, by, clear)}
                        >
                          {t(by < 0 ? "rules.up" : "rules.down")}
                        </Button>
                      ))
                    : null}
                </>
              ),
            }
          : {})}
        empty={
          <EmptyState icon={<IconUserCog size={28} stroke={1} aria-hidden="true" />} title={t("rules.empty")} text={t("rules.emptyText")} />
        }
      />
      {asked?.verb === "preview" ? <PreviewDialog input={{ ruleIds: ids }} onClose={() => setAsked(null)} /> : null}
      <Confirm
        opened={asked !== null && asked.verb !== "preview"}
        danger={asked?.verb === "delete"}
        verb={asked ? t(`verb.${asked.verb}`, { count }) : ""}
        onClose={() => setAsked(null)}
        onConfirm={confirm}
      >
        {asked && asked.verb !== "preview" ? t(`rules.${asked.verb}Text`, { names: asked.rows.map(({ name }) => name).join(", ") }) : ""}
      </Confirm>
    </>
  );
}

function RuleState({ row: { status, invalidReason, executing, faults } }: { row: OwnerRuleRow }) {
  const t = useTranslations("owners");
  if (executing) return <Tag tone="info">{t("status.executing")}</Tag>;
  if (status === "ENABLED") return <Tag tone="ok">{t("status.ENABLED")}</Tag>;
  const why = faults.map(({ reason, name }) => t(`fault.${reason}`, { name })).join("; ");
  return (
    <span title={why || undefined}>
      <Tag tone={invalidReason === "DISABLED" && !why ? "neutral" : "warn"}>{t(`invalid.${invalidReason ?? "DISABLED"}`)}</Tag>
    </span>
  );
}
