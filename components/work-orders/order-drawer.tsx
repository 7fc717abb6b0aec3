"use client";
import { Button, Drawer, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { useCloseGuard } from "#components/ui/close-guard.tsx";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import type { GuardedForm } from "#components/ui/form-modal.tsx";
import { Tag } from "#components/ui/status-tag.tsx";
import { refreshList } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { formatRange } from "#lib/core/format.ts";
import type { Filter } from "#lib/core/paging.ts";
import { type HandEvent, handEvents, nextStatus, type OrderStatus, orderStatuses } from "#lib/work-orders/orders/logic.ts";
import type { OrderListRow } from "#lib/work-orders/queries.ts";
import { OrderDetail, type OrderPlace } from "./order-detail.tsx";
import { OrderStatusTag } from "./order-status.tsx";
import classes from "./orders.module.css";
import { StepForm } from "./step-form.tsx";
import { stepRights } from "./steps.ts";

const address = "workOrder/list";
const shownStatuses = orderStatuses.filter((status) => status !== "none");
/** Verbs a list of orders offers: redo works on activities and stands in the batch menu, and so does dispatch but for temporary orders. */
const listVerbs = handEvents.filter((event) => event !== "redo");

type Props = {
  /** DUs whose orders are listed at first; null for all. */
  duIds: number[] | null;
  /** Opens at this activity. */
  place?: OrderPlace | undefined;
  opened: boolean;
  onClose: () => void;
  onApplied: (result: { batchId: number | null; cells: number }) => void;
  onSelect: (duIds: readonly number[]) => void;
};

type Edits = Pick<GuardedForm, "onEdited">;

/** Work orders beside the grid: the list with status chips and "my orders", one order with its history, and the steps of both. */
export function OrderDrawer(props: Props) {
  const t = useTranslations("work-orders");
  const common = useTranslations("common");
  const [isEdited, setEdited] = useState(false);
  const { close, question } = useCloseGuard(isEdited, props.onClose);
  return (
    <Drawer
      opened={props.opened}
      onClose={close}
      position="right"
      size={props.place ? 460 : 880}
      title={t("drawer.title")}
      closeButtonProps={{ "aria-label": common("close") }}
    >
      {props.opened ? <DrawerBody {...props} onEdited={setEdited} /> : null}
      {question}
    </Drawer>
  );
}

function DrawerBody({ duIds, place, onEdited, onApplied, onSelect, onClose }: Props & Edits) {
  const [open, setOpen] = useState<OrderPlace | null>(place ?? null);
  const applied = (done: number) => onApplied({ batchId: null, cells: done });
  if (open)
    return (
      <OrderDetail
        place={open}
        onBack={place ? undefined : () => setOpen(null)}
        onEdited={onEdited}
        onApplied={({ done }) => applied(done)}
      />
    );
  return (
    <OrderList
      duIds={duIds}
      onOpen={setOpen}
      onEdited={onEdited}
      onApplied={applied}
      onSelect={(given) => {
        onClose();
        onSelect(given);
      }}
    />
  );
}

function OrderName({ row }: { row: OrderListRow }) {
  const t = useTranslations("work-orders");
  return (
    <>
      {row.activityName} {row.temp ? <Tag>{t("temporary")}</Tag> : null}
    </>
  );
}

type ListProps = Edits & {
  duIds: number[] | null;
  onOpen: (place: OrderPlace) => void;
  onApplied: (done: number) => void;
  onSelect: (duIds: readonly number[]) => void;
};

function OrderList({ duIds, onOpen, onEdited, onApplied, onSelect }: ListProps) {
  const t = useTranslations("work-orders");
  const { can } = useSession();
  const client = useQueryClient();
  const [statuses, setStatuses] = useState<readonly OrderStatus[]>([]);
  const [mine, setMine] = useState(false);
  const [search, setSearch] = useState("");
  const [step, setStep] = useState<{ verb: HandEvent; rows: OrderListRow[]; clear: () => void } | null>(null);
  const filters = useMemo<Filter[]>(
    () => [
      ...(duIds ? [{ field: "duId", type: "in" as const, values: duIds }] : []),
      ...(statuses.length > 0 ? [{ field: "status", type: "in" as const, values: [...statuses] }] : []),
      ...(mine ? [{ field: "mine", type: "eq" as const, values: [true] }] : []),
      ...(search.trim() ? [{ field: "search", type: "like" as const, values: [search.trim()] }] : []),
    ],
    [duIds, statuses, mine, search],
  );
  const columns: Column<OrderListRow>[] = [
    {
      key: "number",
      label: t("column.number"),
      width: 70,
      sortable: true,
      render: (row) => (row.number === null ? "-" : `#${row.number}`),
    },
    { key: "code", label: t("column.du"), width: 130, sortable: true, render: (row) => row.duCode },
    { key: "activity", label: t("column.activity"), width: 150, sortable: true, render: (row) => <OrderName row={row} /> },
    { key: "status", label: t("column.status"), width: 110, sortable: true, render: (row) => <OrderStatusTag status={row.status} /> },
    { key: "assignee", label: t("column.assignee"), width: 110, sortable: true, render: (row) => row.assigneeName ?? "-" },
    { key: "planEnd", label: t("column.plan"), width: 180, sortable: true, render: (row) => formatRange(row.planStart, row.planEnd) },
  ];
  const toggle = (status: OrderStatus) =>
    setStatuses(statuses.includes(status) ? statuses.filter((given) => given !== status) : [...statuses, status]);

  if (step) {
    const byId = new Map(step.rows.map((row) => [row.duId, row.duCode]));
    const activities = new Map<number | null, string>(step.rows.map((row) => [row.activityId, row.activityName]));
    return (
      <StepForm
        verb={step.verb}
        choice={{ ids: step.rows.flatMap(({ id }) => id ?? []) }}
        names={{ du: (id) => byId.get(id), activity: (id) => activities.get(id) }}
        onSelect={onSelect}
        onEdited={onEdited}
        onApplied={({ done }) => onApplied(done)}
        onClose={() => {
          step.clear();
          setStep(null);
          void refreshList(client, address);
        }}
      />
    );
  }
  return (
    <div className={`${classes.drawer} ${classes.list}`}>
      <fieldset className={classes.chips} aria-label={t("drawer.filter")}>
        <button type="button" className={classes.chip} aria-pressed={mine} onClick={() => setMine(!mine)}>
          {t("drawer.mine")}
        </button>
        {shownStatuses.map((status) => (
          <button
            key={status}
            type="button"
            className={classes.chip}
            aria-pressed={statuses.includes(status)}
            onClick={() => toggle(status)}
          >
            {t(`status.${status}`)}
          </button>
        ))}
        <TextInput
          type="search"
          w={160}
          aria-label={t("drawer.search")}
          placeholder={t("drawer.search")}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      </fieldset>
      <div className={classes.list}>
        <DataTable<OrderListRow>
          label={t("drawer.label")}
          address={address}
          columns={columns}
          rowKey={(row) => row.id ?? `${row.duId} ${row.activityId}`}
          filters={filters}
          pageSize={20}
          onOpen={({ id, duId, activityId }) => onOpen(activityId === null ? { id: id as number } : { duId, activityId })}
          empty={<EmptyState title={t(mine ? "drawer.emptyMine" : "drawer.empty")} text={t("drawer.emptyText")} />}
          batch={(rows, clear) => {
            const orders = rows.filter(({ id }) => id !== null);
            // Only what at least one of the chosen orders allows.
            const verbs = listVerbs.filter(
              (event) =>
                can(stepRights[event]) &&
                (event !== "dispatch" || orders.every(({ temp }) => temp)) &&
                orders.some(({ status }) => nextStatus(event, status, "accepted") !== null),
            );
            return verbs.map((event) => (
              <Button key={event} onClick={() => setStep({ verb: event, rows: orders, clear })}>
                {t(`verb.${event}`)}
              </Button>
            ));
          }}
        />
      </div>
    </div>
  );
}
