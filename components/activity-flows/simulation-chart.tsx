"use client";
import { useTranslations } from "next-intl";
import { useId, useMemo, useState } from "react";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { type SimulationCalendar, simulateFlow } from "#lib/activity-flows/simulation/logic.ts";
import { dayNumber, isIsoDay, isoDay } from "#lib/core/clock.ts";
import { emptyText } from "#lib/core/format.ts";
import { DraftInput } from "./draft-input.tsx";
import classes from "./simulation-chart.module.css";
import type { FlowEditing } from "./use-flow-editor.ts";

type Props = { editing: FlowEditing; calendar: SimulationCalendar; today: string };

/** The dates a DU would get from the start days of the anchors, as bars. Nothing is written. */
export function SimulationChart({ editing, calendar, today }: Props) {
  const { graph, findings } = editing;
  const t = useTranslations("activity-flows");
  const common = useTranslations("common");
  const id = useId();
  const [days, setDays] = useState<Readonly<Record<string, string>>>({});
  const anchors = graph.nodes.filter((node) => node.isAnchor);
  const first = anchors[0]?.key;
  const given = useMemo(() => {
    const entries = anchors.map((node) => [node.key, days[node.key] ?? (node.key === first ? today : "")] as const);
    return new Map(entries.filter(([, day]) => isIsoDay(day)).map(([key, day]) => [key, dayNumber(day)]));
  }, [anchors, days, first, today]);
  const blocked = findings.find((finding) => finding.weight !== "warning");
  const result = useMemo(() => (blocked ? null : simulateFlow(graph, given, calendar, today)), [blocked, graph, given, calendar, today]);
  if (blocked) return <EmptyState title={t("simulation.blocked")} text={t(`finding.${blocked.code}`, blocked.params)} />;
  const bars = [...(result?.bars.values() ?? [])];
  const from = Math.min(...bars.map((bar) => bar.start));
  const to = Math.max(...bars.map((bar) => bar.end));
  const left = (day: number) => `${((day - from) / (to - from + 1)) * 100}%`;
  const width = (bar: { start: number; end: number }) => `${((bar.end - bar.start + 1) / (to - from + 1)) * 100}%`;
  return (
    <section className={classes.frame} aria-label={t("view.simulation")}>
      <div className={classes.anchors}>
        {anchors.map((node) => (
          <label key={node.key} className={classes.anchor} htmlFor={`${id}-${node.key}`}>
            <span>{t("simulation.anchor", { name: node.name })}</span>
            <DraftInput
              id={`${id}-${node.key}`}
              className={classes.date}
              label={`${t("simulation.anchor", { name: node.name })}, ${t("simulation.day")}`}
              placeholder={today}
              value={days[node.key] ?? (node.key === first ? today : "")}
              onCommit={(text) => {
                const day = text.normalize("NFKC").trim().replaceAll(/[/.]/g, "-");
                if (day !== "" && !isIsoDay(day)) return t("simulation.dayWrong");
                setDays((before) => ({ ...before, [node.key]: day }));
                return null;
              }}
            />
          </label>
        ))}
        <p className={classes.note}>{t("simulation.note")}</p>
      </div>
      {result?.refusal ? (
        <EmptyState
          title={t("simulation.refused")}
          text={t(
            `simulation.refusal.${result.refusal === "PLAN_TOO_FAR" || result.refusal === "ANCHOR_DATES_EMPTY" ? result.refusal : "other"}`,
          )}
        />
      ) : (
        <div className={classes.scroll}>
          <table className={classes.table}>
            <caption className="visually-hidden">{t("view.simulation")}</caption>
            <thead>
              <tr>
                <th scope="col">{common("activity")}</th>
                <th scope="col">{common("planStart")}</th>
                <th scope="col">{common("planEnd")}</th>
                <th scope="col" className={classes.chart}>
                  {bars.length > 0 ? `${isoDay(from)} – ${isoDay(to)}` : ""}
                </th>
              </tr>
            </thead>
            <tbody>
              {graph.nodes.map((node) => {
                const bar = result?.bars.get(node.key);
                return (
                  <tr key={node.key}>
                    <td className={classes.name}>{node.name}</td>
                    <td>{bar ? isoDay(bar.start) : emptyText}</td>
                    <td>{bar ? isoDay(bar.end) : emptyText}</td>
                    <td className={classes.chart}>
                      {bar ? (
                        <span
                          className={node.leadTimeDays === 0 ? classes.point : classes.bar}
                          data-anchor={node.isAnchor || undefined}
                          style={{ left: left(bar.start), ...(node.leadTimeDays === 0 ? {} : { width: width(bar) }) }}
                        />
                      ) : (
                        <span className={classes.none}>{t("simulation.unlinked")}</span>
                      )}
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
