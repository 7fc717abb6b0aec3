"use client";
import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import type { GuardedForm } from "#components/ui/form-modal.tsx";
import { Tag } from "#components/ui/status-tag.tsx";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf, refreshList } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { formatMinute, formatRange } from "#lib/core/format.ts";
import type { HandEvent } from "#lib/work-orders/orders/logic.ts";
import type { OrderDetail as Detail } from "#lib/work-orders/queries.ts";
import { OrderStatusTag } from "./order-status.tsx";
import classes from "./orders.module.css";
import { StepForm } from "./step-form.tsx";
import type { StepResult } from "./steps.ts";

/** An activity of a DU, or a temporary order, which belongs to no activity. */
export type OrderPlace = { duId: number; activityId: number } | { id: number };

type Props = Pick<GuardedForm, "onEdited"> & {
  place: OrderPlace;
  onBack?: (() => void) | undefined;
  onApplied: (result: StepResult) => void;
};

/** One activity's order: how it stands, what may be done with it, and its history. */
export function OrderDetail({ place, onBack, onEdited, onApplied }: Props) {
  const t = useTranslations("work-orders");
  const common = useTranslations("common");
  const project = useProjectNumber();
  const client = useQueryClient();
  const [verb, setVerb] = useState<HandEvent | null>(null);
  const found = useQuery({
    queryKey: ["work-order", project, place],
    queryFn: async ({ signal }) =>
      dataOf(
        await callDoor<Detail>("id" in place ? `workOrder/find/${place.id}` : "workOrder/place", "id" in place ? {} : place, { signal }),
      ),
    retry: false,
  });
  const order = found.data;
  const back = onBack ? (
    <Button variant="subtle" color="gray" onClick={onBack}>
      {common("back")}
    </Button>
  ) : null;
  if (found.isError && !order)
    return (
      <ErrorPanel title={t("detail.failed")} failed={found.error} onRetry={() => found.refetch()}>
        {back}
      </ErrorPanel>
    );
  if (!order) return <p className={classes.help}>{t("detail.loading")}</p>;
  const close = () => {
    setVerb(null);
    void found.refetch();
    void refreshList(client, "workOrder/list");
  };
  const byPlace = order.activityId !== null && (order.id === null || verb === "redo");
  const choice = byPlace ? { duIds: [order.duId], activityIds: [order.activityId as number] } : { ids: [order.id as number] };
  return (
    <section className={classes.drawer} aria-label={t("detail.label", { du: order.duCode, activity: order.activityName })}>
      <div className={classes.head}>
        <h2 className={classes.title}>
          {order.duCode} · {order.activityName}
        </h2>
        <OrderStatusTag status={order.status} />
        {order.temp ? <Tag>{t("temporary")}</Tag> : null}
        {order.redone ? <Tag tone="warn">{t("redone", { count: order.redoCount })}</Tag> : null}
        {order.na === "none" ? null : <Tag>{order.na === "open" ? t("form.requested") : order.na}</Tag>}
      </div>
      <Facts order={order} />
      {verb ? (
        <StepForm
          key={verb}
          verb={verb}
          choice={choice}
          names={{ du: () => order.duCode, activity: () => order.activityName }}
          onEdited={onEdited}
          onApplied={onApplied}
          onClose={close}
        />
      ) : (
        <div className={classes.chips}>
          {back}
          {order.may.map((event) => (
            <Button key={event} onClick={() => setVerb(event)}>
              {t(`verb.${event}`)}
            </Button>
          ))}
        </div>
      )}
      {verb ? null : <Timeline order={order} />}
    </section>
  );
}

function Facts({ order }: { order: Detail }) {
  const column = useTranslations("work-orders.column");
  const facts: [string, string][] = [
    [column("number"), order.number === null ? "-" : `#${order.number}`],
    [column("assignee"), order.assigneeName ?? "-"],
    [column("plan"), formatRange(order.planStart, order.planEnd)],
    [column("actual"), formatRange(order.actualStart, order.actualEnd)],
  ];
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <div key={name} style={{ display: "contents" }}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Timeline({ order }: { order: Detail }) {
  const t = useTranslations("work-orders");
  const { offset } = useSession();
  if (order.events.length === 0) return <p className={classes.help}>{t("detail.noEvents")}</p>;
  return (
    <ol className={classes.steps} aria-label={t("detail.history")}>
      {order.events.map((step, at) => (
        <li key={at}>
          <p>
            {t(`event.${step.event}`)} <s className={classes.quiet}>{t(`status.${step.from}`)}</s> → {t(`status.${step.to}`)}
          </p>
          <p className={classes.quiet}>
            {formatMinute(step.at, offset)} · {step.by ?? t("detail.system")}
          </p>
          {step.reason ? <p className={classes.reason}>{step.reason}</p> : null}
        </li>
      ))}
    </ol>
  );
}
