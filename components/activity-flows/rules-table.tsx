"use client";
import { Button, Checkbox } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useConditionText } from "#components/plan-rules/condition-picker.tsx";
import { RowGrip } from "#components/ui/row-grip.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { Tag } from "#components/ui/status-tag.tsx";
import { useSession } from "#components/ui/use-session.tsx";
import type { FlowRuleRow } from "#lib/activity-flows/flow-rules/queries.ts";
import { runRulesMax } from "#lib/activity-flows/rule-runs/limits.ts";
import { formatMoment, formatNumber } from "#lib/core/format.ts";
import type { ConditionObject } from "#lib/plan-rules/conditions/logic.ts";
import classes from "./rules.module.css";
import type { RuleVerb } from "./rules-page.tsx";

type Props = {
  rules: readonly FlowRuleRow[];
  objects: readonly ConditionObject[];
  mayEdit: boolean;
  onOpen: (row: FlowRuleRow) => void;
  /** Rules in the order they are to decide. */
  onSort: (ids: number[]) => Promise<void>;
  onVerb: (verb: RuleVerb, rows: FlowRuleRow[], clear: () => void) => void;
};

/** The rules by priority; they are moved by dragging their grip, or with Alt and the arrow keys on it. */
export function RulesTable({ rules, objects, mayEdit, onOpen, onSort, onVerb }: Props) {
  const t = useTranslations("flow-rules");
  const { offset } = useSession();
  const c = useTranslations("conditions");
  const sentence = useConditionText(objects);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [dragged, setDragged] = useState<number | null>(null);
  const [over, setOver] = useState<number | null>(null);
  const [told, setTold] = useState("");
  const rows = rules.filter(({ id }) => chosen.has(id));
  const clear = () => setChosen(new Set());
  const toggle = (id: number) =>
    setChosen((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  const move = async (from: number, to: number) => {
    const rule = rules[from];
    if (!rule || to < 0 || to >= rules.length || from === to) return;
    await onSort(
      rules
        .toSpliced(from, 1)
        .toSpliced(to, 0, rule)
        .map(({ id }) => id),
    );
    setTold(t("moved", { name: rule.name, place: to + 1 }));
    document.getElementById(`rule-grip-${rule.id}`)?.focus();
  };
  const verbs: readonly [RuleVerb, boolean][] = [
    ["preview", rows.length <= runRulesMax],
    ["run", rows.length <= runRulesMax && rows.every(({ status, executing }) => status === "enabled" && !executing)],
    ["enable", rows.length <= runRulesMax && rows.every(({ status }) => status === "invalid")],
    ["disable", rows.every(({ status, executing }) => status === "enabled" && !executing)],
    ["delete", rows.every(({ executing }) => !executing)],
  ];
  return (
    <>
      <div className={classes.bar}>
        {rows.length > 0
          ? verbs.map(([verb, may]) => (
              <Button key={verb} disabled={!may} onClick={() => onVerb(verb, rows, clear)}>
                {t(`verb.${verb}`, { count: rows.length })}
              </Button>
            ))
          : null}
        <span className={classes.count}>
          {rows.length > 0 ? t("chosen", { count: rows.length, max: runRulesMax }) : t("count", { count: rules.length })}
        </span>
      </div>
      <ScrollRegion label={t("title")} className={classes.scroll}>
        <table className={classes.table}>
          <thead>
            <tr>
              {mayEdit ? <th aria-label={t("column.order")} style={{ width: 64 }} /> : null}
              <th scope="col" data-align="right" style={{ width: 72 }}>
                {t("column.priority")}
              </th>
              <th scope="col">{t("column.name")}</th>
              <th scope="col">{t("column.flow")}</th>
              <th scope="col">{t("column.region")}</th>
              <th scope="col">{c("title")}</th>
              <th scope="col">{t("column.status")}</th>
              <th scope="col" data-align="right">
                {t("column.dus")}
              </th>
              <th scope="col">{t("column.lastRun")}</th>
            </tr>
          </thead>
          <tbody>
            {rules.map((rule, at) => (
              <tr
                key={rule.id}
                data-over={over === at || undefined}
                onDragOver={(event) => {
                  if (dragged === null) return;
                  event.preventDefault();
                  setOver(at);
                }}
                onDrop={() => {
                  if (dragged !== null) void move(dragged, at);
                  setDragged(null);
                  setOver(null);
                }}
              >
                {mayEdit ? (
                  <td>
                    <span className={classes.lead}>
                      <RowGrip
                        id={`rule-grip-${rule.id}`}
                        rowKey={rule.id}
                        label={t("move", { name: rule.name })}
                        help={t("moveHelp")}
                        onDrag={() => setDragged(at)}
                        onEnd={() => {
                          setDragged(null);
                          setOver(null);
                        }}
                        onStep={(step) => void move(at, at + step)}
                      />
                      <Checkbox
                        size="xs"
                        aria-label={t("chooseOne", { name: rule.name })}
                        checked={chosen.has(rule.id)}
                        onChange={() => toggle(rule.id)}
                      />
                    </span>
                  </td>
                ) : null}
                <td data-align="right">{rule.priority}</td>
                <td>
                  {mayEdit ? (
                    <button type="button" className={classes.name} onClick={() => onOpen(rule)}>
                      {rule.name}
                    </button>
                  ) : (
                    rule.name
                  )}
                </td>
                <td>{rule.flowName}</td>
                <td>{rule.regionName ?? t("everyRegion")}</td>
                <td className={classes.wrap}>{sentence(rule.conditions) ?? "-"}</td>
                <td>
                  <RuleState rule={rule} />
                </td>
                <td data-align="right">{rule.duCount === null ? "-" : formatNumber(rule.duCount)}</td>
                <td>{rule.lastRunAt ? formatMoment(rule.lastRunAt, offset) : "-"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      <p className={classes.told} aria-live="polite">
        {told}
      </p>
    </>
  );
}

function RuleState({ rule }: { rule: FlowRuleRow }) {
  const t = useTranslations("flow-rules");
  const { status, invalidReason, executing, faults } = rule;
  if (executing) return <Tag tone="info">{t("status.executing")}</Tag>;
  if (status === "enabled") return <Tag tone="ok">{t("status.enabled")}</Tag>;
  const why = faults.length > 0 ? faults.map(({ reason, name }) => t(`fault.${reason}`, { name })).join("; ") : undefined;
  return (
    <span title={why}>
      <Tag tone={invalidReason === "DISABLED" && !why ? "neutral" : "warn"}>{t(`invalid.${invalidReason ?? "DISABLED"}`)}</Tag>
    </span>
  );
}
