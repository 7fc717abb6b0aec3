"use client";
import { Checkbox } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { orderStatuses } from "#lib/work-orders/orders/logic.ts";
import type { OrderTarget } from "#lib/work-orders/queries.ts";
import classes from "./orders.module.css";

/** Activities of the chosen DUs with the statuses of their orders. */
export function useOrderTargets(duIds: readonly number[]) {
  const project = useProjectNumber();
  return useQuery({
    queryKey: ["order-targets", project, duIds],
    queryFn: async ({ signal }) => dataOf(await callDoor<OrderTarget[]>("workOrder/targets", { duIds }, { signal })),
    // The step before this one has moved them.
    refetchOnMount: "always",
    retry: false,
  });
}

type Props = {
  targets: ReturnType<typeof useOrderTargets>;
  chosen: ReadonlySet<number>;
  onChange: (chosen: ReadonlySet<number>) => void;
};

/** Check boxes of activities, each saying how its orders stand. */
export function ActivityChoice({ targets, chosen, onChange }: Props) {
  const t = useTranslations("work-orders");
  const words = ({ counts, na, open }: OrderTarget) =>
    [
      ...orderStatuses.flatMap((status) => (counts[status] ? [`${t(`status.${status}`)} ${counts[status]}`] : [])),
      ...(na > 0 ? [`NA/INV ${na}`] : []),
      ...(open > 0 ? [`${t("form.requested")} ${open}`] : []),
    ].join(" · ");
  return (
    <fieldset className={classes.activities} aria-busy={targets.isPending}>
      <legend>{t("form.activities")}</legend>
      {targets.isError ? (
        <ErrorPanel title={t("form.activitiesFailed")} failed={targets.error} onRetry={() => targets.refetch()} />
      ) : targets.data?.length === 0 ? (
        <EmptyState title={t("form.noActivities")} />
      ) : (
        targets.data?.map((target) => (
          <Checkbox
            key={target.activityId}
            size="xs"
            classNames={{ label: classes.check ?? "", description: classes.check ?? "" }}
            label={target.name}
            description={words(target)}
            checked={chosen.has(target.activityId)}
            onChange={() => {
              const next = new Set(chosen);
              if (!next.delete(target.activityId)) next.add(target.activityId);
              onChange(next);
            }}
          />
        ))
      )}
    </fieldset>
  );
}
