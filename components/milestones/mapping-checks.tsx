"use client";
import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import { useLocale, useTranslations } from "next-intl";
import { useId } from "react";
import type { Locale } from "#lib/core/locale.ts";
import { milestoneName } from "#lib/milestones/logic.ts";
import { type MappingRow, repeatedTargets } from "#lib/milestones/mapping/logic.ts";
import type { Mapping } from "#lib/milestones/mapping/queries.ts";
import classes from "./mapping.module.css";

type Props = Pick<Mapping, "milestones" | "flows"> & {
  rows: readonly MappingRow[];
  problem: string | null;
  /** Whether the matrix is there: before that nothing can be said of it. */
  isRead: boolean;
};

/** What the matrix lacks before it is saved: milestones without any activity, activities named twice, and how many flows have none. */
export function MappingChecks({ milestones, flows, rows, problem, isRead }: Props) {
  const t = useTranslations("milestones.mapping");
  const locale = useLocale() as Locale;
  const id = useId();
  const enabled = milestones.filter((milestone) => milestone.enabled);
  const filled = Map.groupBy(rows, ({ milestoneId }) => milestoneId);
  const bare = enabled.filter((milestone) => !filled.has(milestone.id));
  const twice = Map.groupBy(repeatedTargets(rows), ({ flowId, activityId }) => `${flowId} ${activityId}`);
  const partly = enabled.flatMap((milestone) => {
    const count = flows.length - (filled.get(milestone.id)?.length ?? 0);
    return count > 0 && count < flows.length ? [{ milestone, count }] : [];
  });
  const named = new Map(milestones.map((milestone) => [milestone.id, milestone.number]));
  const flowOf = (flowId: number) => flows.find((flow) => flow.id === flowId);
  const isGood = bare.length === 0 && twice.size === 0;
  return (
    <aside className={classes.checks} aria-labelledby={`${id}-title`} aria-busy={!isRead}>
      <h2 id={`${id}-title`}>{t("checks")}</h2>
      {problem ? (
        <p className={classes.problem} role="alert">
          {problem}
        </p>
      ) : null}
      {isRead ? (
        <p className={classes.verdict} data-good={isGood || undefined}>
          {isGood ? (
            <IconCircleCheck size={16} stroke={1.4} aria-hidden="true" />
          ) : (
            <IconAlertTriangle size={16} stroke={1.4} aria-hidden="true" />
          )}
          {t(isGood ? "good" : "bad")}
        </p>
      ) : null}
      <ul>
        {bare.map((milestone) => (
          <li key={milestone.id} data-bad>
            {t("bare", { milestone: `${milestone.number} · ${milestoneName(milestone, locale)}` })}
          </li>
        ))}
        {[...twice.values()].map((group) => {
          const { flowId, activityId } = group[0]!;
          const flow = flowOf(flowId);
          const activity = flow?.activities.find((one) => one.id === activityId)?.name ?? "";
          return (
            <li key={`${flowId} ${activityId}`} data-bad>
              {t("twice", {
                flow: flow?.name ?? "",
                activity,
                milestones: group.map(({ milestoneId }) => named.get(milestoneId)).join(", "),
              })}
            </li>
          );
        })}
        {partly.map(({ milestone, count }) => (
          <li key={milestone.id}>{t("partly", { milestone: milestone.number, count })}</li>
        ))}
      </ul>
    </aside>
  );
}
