"use client";
import { Button, Modal, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useMemo, useState } from "react";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { Tag, type Tone } from "#components/ui/status-tag.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { refreshList } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { formatMinute } from "#lib/core/format.ts";
import type { Filter } from "#lib/core/paging.ts";
import { approveNa, rejectNa } from "#lib/work-orders/na-requests/actions.ts";
import { type NaStatus, naMinutes, naStatuses } from "#lib/work-orders/na-requests/limits.ts";
import type { NaRequestRow } from "#lib/work-orders/na-requests/queries.ts";
import classes from "./orders.module.css";
import { ReasonField } from "./reason-field.tsx";
import { RejectedOrders } from "./rejected-orders.tsx";

const address = "electronFlow/list";
const tones: Record<NaStatus, Tone> = { approving: "warn", processing: "info", done: "ok", rejected: "danger", failed: "danger" };

/** Requests for NA and INV and for their end: what waits for whom, what became of it, and the decision of who is addressed. */
export function ElectronicFlowsPage() {
  const t = useTranslations("work-orders");
  const common = useTranslations("common");
  const { offset } = useSession();
  const client = useQueryClient();
  const [statuses, setStatuses] = useState<readonly NaStatus[]>([]);
  const [mine, setMine] = useState(false);
  const [search, setSearch] = useState("");
  const [open, setOpen] = useState<{ rows: NaRequestRow[]; verb: "approve" | "reject" | null; clear: () => void } | null>(null);
  const filters = useMemo<Filter[]>(
    () => [
      ...(statuses.length > 0 ? [{ field: "status", type: "in" as const, values: [...statuses] }] : []),
      ...(mine ? [{ field: "mine", type: "eq" as const, values: [true] }] : []),
      ...(search.trim() ? [{ field: "search", type: "like" as const, values: [search.trim()] }] : []),
    ],
    [statuses, mine, search],
  );
  const columns: Column<NaRequestRow>[] = [
    { key: "number", label: t("flows.flowNo"), width: 110, sortable: true, render: (row) => row.flowNo ?? "-" },
    { key: "kind", label: t("flows.kind"), width: 90, render: (row) => t(`flows.kinds.${row.kind}`) },
    { key: "du", label: t("column.du"), width: 140, render: (row) => row.duCode },
    { key: "activity", label: t("column.activity"), width: 160, render: (row) => row.activityName },
    {
      key: "status",
      label: t("column.status"),
      width: 120,
      sortable: true,
      render: (row) => <Tag tone={tones[row.status]}>{t(`flows.statuses.${row.status}`)}</Tag>,
    },
    { key: "applicant", label: t("flows.applicant"), width: 120, render: (row) => row.applicantName },
    { key: "approver", label: t("flows.approver"), width: 120, render: (row) => row.decidedByName ?? row.approverName ?? "-" },
    { key: "createdAt", label: t("flows.asked"), width: 150, sortable: true, render: (row) => formatMinute(row.createdAt, offset) },
    { key: "doneAt", label: t("flows.ended"), width: 150, render: (row) => (row.doneAt ? formatMinute(row.doneAt, offset) : "-") },
  ];
  const toggle = (status: NaStatus) =>
    setStatuses(statuses.includes(status) ? statuses.filter((given) => given !== status) : [...statuses, status]);
  const close = () => {
    open?.clear();
    setOpen(null);
    void refreshList(client, address);
  };
  return (
    <>
      <PageBar />
      <DataTable<NaRequestRow>
        label={t("flows.label")}
        address={address}
        columns={columns}
        rowKey={(row) => row.id}
        filters={filters}
        onOpen={(row) => setOpen({ rows: [row], verb: null, clear: () => {} })}
        bar={
          <fieldset className={classes.chips} aria-label={t("drawer.filter")}>
            <button type="button" className={classes.chip} aria-pressed={mine} onClick={() => setMine(!mine)}>
              {t("flows.mine")}
            </button>
            {naStatuses.map((status) => (
              <button
                key={status}
                type="button"
                className={classes.chip}
                aria-pressed={statuses.includes(status)}
                onClick={() => toggle(status)}
              >
                {t(`flows.statuses.${status}`)}
              </button>
            ))}
            <TextInput
              type="search"
              w={180}
              aria-label={t("flows.search")}
              placeholder={t("flows.search")}
              value={search}
              onChange={(event) => setSearch(event.currentTarget.value)}
            />
          </fieldset>
        }
        empty={<EmptyState title={t("flows.empty")} text={t("flows.emptyText")} />}
        batch={(rows, clear) => {
          const mayDecide = rows.filter((row) => row.mayDecide);
          if (mayDecide.length === 0) return <span className={classes.quiet}>{t("flows.nothingToDecide")}</span>;
          return (["approve", "reject"] as const).map((verb) => (
            <Button key={verb} onClick={() => setOpen({ rows: mayDecide, verb, clear })}>
              {t(`flows.${verb}Count`, { count: mayDecide.length })}
            </Button>
          ));
        }}
      />
      <Modal
        opened={open !== null}
        onClose={close}
        closeButtonProps={{ "aria-label": common("close") }}
        title={open?.rows.length === 1 ? `${open.rows[0]!.duCode} · ${open.rows[0]!.activityName}` : t("flows.decide")}
        size={560}
      >
        {open ? <RequestForm {...open} onClose={close} /> : null}
      </Modal>
    </>
  );
}

function RequestForm({ rows, verb, onClose }: { rows: readonly NaRequestRow[]; verb: "approve" | "reject" | null; onClose: () => void }) {
  const t = useTranslations("work-orders");
  const common = useTranslations("common");
  const id = useId();
  const [comment, setComment] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const [rejected, setRejected] = useState<{
    done: number;
    lines: { id: number | null; duId: number | null; activityId: number | null; msg: string }[];
  } | null>(null);
  const [approve, approving] = useAction(approveNa);
  const [reject, rejecting] = useAction(rejectNa);
  const [only] = rows;
  const decide = async (asked: "approve" | "reject") => {
    if (asked === "reject" && comment.trim() === "") return setFault(t("flows.commentMissing"));
    const input = { ids: rows.map((row) => row.id), comment };
    const answer = asked === "approve" ? await approve(input) : await reject(input);
    if (answer.status >= 400 || !answer.data) return setFault(answer.problems?.[0]?.msg ?? answer.msg ?? t("form.failed"));
    if (answer.data.rejected.length > 0) return setRejected({ done: answer.data.done, lines: answer.data.rejected });
    toast.done(t(`flows.done.${asked}`, { count: answer.data.done, minutes: naMinutes }));
    onClose();
  };
  if (rejected)
    return (
      <RejectedOrders
        title={t("result.title", { done: rejected.done, rejected: rejected.lines.length })}
        rows={rejected.lines}
        names={{ du: () => undefined, activity: () => undefined }}
        onClose={onClose}
      />
    );
  const mayDecide = rows.every((row) => row.mayDecide);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (verb) void decide(verb);
  };
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      {rows.length === 1 && only ? (
        <RequestSteps row={only} />
      ) : (
        <p className={classes.help}>{t("flows.chosen", { count: rows.length })}</p>
      )}
      {mayDecide ? (
        <ReasonField
          id={`${id}-comment`}
          label={t("flows.comment")}
          value={comment}
          fault={fault}
          required={verb === "reject"}
          recent={false}
          onChange={(next) => {
            setComment(next);
            setFault(null);
          }}
        />
      ) : null}
      <div className={classes.foot}>
        <Button onClick={onClose}>{common(mayDecide ? "cancel" : "close")}</Button>
        {mayDecide && verb !== "approve" ? (
          <Button loading={rejecting} onClick={() => void decide("reject")}>
            {t("flows.reject")}
          </Button>
        ) : null}
        {mayDecide && verb !== "reject" ? (
          <Button variant="filled" loading={approving} onClick={() => void decide("approve")}>
            {t("flows.approve")}
          </Button>
        ) : null}
      </div>
    </form>
  );
}

function RequestSteps({ row }: { row: NaRequestRow }) {
  const t = useTranslations("work-orders");
  const errors = useTranslations("errors");
  const { offset } = useSession();
  const decided = row.decidedAt ? t(row.status === "rejected" ? "flows.step.rejected" : "flows.step.approved") : t("flows.step.waiting");
  return (
    <ol className={classes.steps} aria-label={t("flows.steps")}>
      <li>
        <p>{t("flows.step.asked", { kind: t(`flows.kinds.${row.kind}`) })}</p>
        <p className={classes.quiet}>
          {formatMinute(row.createdAt, offset)} · {row.applicantName}
        </p>
        <p className={classes.reason}>{row.reason}</p>
      </li>
      {row.flowNo ? (
        <li>
          <p>{decided}</p>
          <p className={classes.quiet}>
            {row.decidedAt ? `${formatMinute(row.decidedAt, offset)} · ${row.decidedByName}` : (row.approverName ?? t("flows.anyApprover"))}
          </p>
          {row.comment ? <p className={classes.reason}>{row.comment}</p> : null}
        </li>
      ) : null}
      {row.status === "approving" || row.status === "rejected" ? null : (
        <li>
          <p>{t(`flows.statuses.${row.status}`)}</p>
          {row.doneAt ? <p className={classes.quiet}>{formatMinute(row.doneAt, offset)}</p> : null}
          {row.code ? <p className={classes.reason}>{errors.has(row.code) ? errors(row.code) : row.code}</p> : null}
        </li>
      )}
    </ol>
  );
}
