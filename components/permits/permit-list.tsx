"use client";
import { Button, Modal, Radio, Select, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useMemo, useState } from "react";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { DayInput } from "#components/ui/day-input.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { Tag, type Tone } from "#components/ui/status-tag.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { refreshList } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { emptyText, formatMinute } from "#lib/core/format.ts";
import type { Filter } from "#lib/core/paging.ts";
import { answerPermit } from "#lib/rollout-plan/permits/actions.ts";
import { type PermitStatus, permitStatuses, permitTextChars } from "#lib/rollout-plan/permits/limits.ts";
import type { PermitRow } from "#lib/rollout-plan/permits/queries.ts";
import classes from "./permits.module.css";

const address = "permit/list";
const duCodesShown = 2;
const tones: Record<PermitStatus, Tone> = { submitted: "info", approved: "ok", rejected: "danger" };
type Props = { opened: boolean; duIds: number[] | null; onClose: () => void };

/** Applications for permits, of the chosen DUs or all, with the answers of the authorities, which are recorded here. */
export function PermitList({ opened, duIds, onClose }: Props) {
  const t = useTranslations("permits");
  const common = useTranslations("common");
  const [answering, setAnswering] = useState<PermitRow | null>(null);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t(answering ? "answerTitle" : "listTitle")}
      size={answering ? 560 : 1180}
      closeButtonProps={{ "aria-label": common("close") }}
    >
      {opened ? (
        answering ? (
          <AnswerForm permit={answering} onClose={() => setAnswering(null)} />
        ) : (
          <Applications duIds={duIds} onAnswer={setAnswering} />
        )
      ) : null}
    </Modal>
  );
}

function Applications({ duIds, onAnswer }: { duIds: number[] | null; onAnswer: (permit: PermitRow) => void }) {
  const t = useTranslations("permits");
  const common = useTranslations("common");
  const { offset, can } = useSession();
  const [status, setStatus] = useState<string | null>(null);
  const [text, setText] = useState("");
  const [search] = useDebouncedValue(text.trim(), 250);
  const filters = useMemo<Filter[]>(
    () => [
      ...(duIds ? [{ field: "duId", type: "in" as const, values: duIds }] : []),
      ...(status ? [{ field: "status", type: "eq" as const, values: [status] }] : []),
      ...(search ? [{ field: "search", type: "like" as const, values: [search] }] : []),
    ],
    [duIds, status, search],
  );
  const columns: Column<PermitRow>[] = [
    { key: "kind", label: t("kindLabel"), width: 120, sortable: true, render: (row) => t(`kind.${row.kind}`) },
    { key: "dus", label: t("column.dus"), width: 180, render: (row) => <DuCodes codes={row.dus.map(({ code }) => code)} /> },
    {
      key: "status",
      label: common("status"),
      width: 100,
      sortable: true,
      render: (row) => <Tag tone={tones[row.status]}>{t(`status.${row.status}`)}</Tag>,
    },
    { key: "reason", label: common("reason"), width: 200 },
    { key: "createdAt", label: t("column.createdAt"), width: 140, sortable: true, render: (row) => formatMinute(row.createdAt, offset) },
    { key: "applicantName", label: t("column.applicant"), width: 110 },
    { key: "answeredOn", label: t("column.answeredOn"), width: 110, sortable: true, render: (row) => row.answeredOn ?? emptyText },
    { key: "remark", label: common("remark"), width: 160 },
  ];
  return (
    <div className={classes.list}>
      <DataTable<PermitRow>
        label={t("listTitle")}
        address={address}
        columns={columns}
        rowKey={({ id }) => id}
        filters={filters}
        pageSize={20}
        {...(can("rollout.permitSubmit")
          ? {
              batch: (rows: PermitRow[]) => (
                <Button variant="filled" disabled={rows.length !== 1 || !rows[0]?.mayAnswer} onClick={() => rows[0] && onAnswer(rows[0])}>
                  {t("answer")}
                </Button>
              ),
            }
          : {})}
        bar={
          <>
            <Select
              size="xs"
              w={150}
              aria-label={common("status")}
              placeholder={common("status")}
              clearable
              clearButtonProps={{ "aria-label": common("clear") }}
              data={permitStatuses.map((value) => ({ value, label: t(`status.${value}`) }))}
              value={status}
              onChange={setStatus}
            />
            <TextInput
              size="xs"
              w={200}
              type="search"
              aria-label={common("search")}
              placeholder={t("search")}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
          </>
        }
        empty={status || search ? undefined : <EmptyState title={t("empty")} />}
      />
    </div>
  );
}

/** The first codes and how many more there are: fifteen would push the answer out of sight. */
function DuCodes({ codes }: { codes: readonly string[] }) {
  const more = codes.length - duCodesShown;
  return (
    <span title={codes.join(", ")}>
      {codes.slice(0, duCodesShown).join(", ")}
      {more > 0 ? ` +${more}` : ""}
    </span>
  );
}

function AnswerForm({ permit, onClose }: { permit: PermitRow; onClose: () => void }) {
  const t = useTranslations("permits");
  const common = useTranslations("common");
  const client = useQueryClient();
  const id = useId();
  const [status, setStatus] = useState<"approved" | "rejected">("approved");
  const [answeredOn, setAnsweredOn] = useState("");
  const [remark, setRemark] = useState("");
  const [problem, setProblem] = useState<string>();
  const [answer, busy] = useAction(answerPermit);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    const given = await answer({ id: permit.id, status, answeredOn, remark, rowVersion: permit.rowVersion });
    if (!given.data) return setProblem(given.problems?.[0]?.msg ?? given.msg ?? given.code);
    toast.done(t("answered"));
    await refreshList(client, address);
    onClose();
  };
  return (
    <form className={classes.form} onSubmit={send} noValidate>
      <p className={classes.help}>
        {t(`kind.${permit.kind}`)} · {permit.dus.map(({ code }) => code).join(", ")} · {permit.reason}
      </p>
      <Radio.Group label={common("status")} value={status} onChange={(value) => setStatus(value as typeof status)}>
        <div className={classes.choices}>
          {(["approved", "rejected"] as const).map((value) => (
            <Radio key={value} value={value} label={t(`status.${value}`)} />
          ))}
        </div>
      </Radio.Group>
      <Field id={`${id}-day`} label={t("column.answeredOn")} required>
        <DayInput id={`${id}-day`} value={answeredOn} aria-describedby={fieldNoteId(`${id}-day`)} onChange={setAnsweredOn} />
      </Field>
      <Field id={`${id}-remark`} label={common("remark")} count={{ used: remark.length, max: permitTextChars }}>
        <TextInput
          id={`${id}-remark`}
          maxLength={permitTextChars}
          value={remark}
          onChange={(event) => setRemark(event.currentTarget.value)}
        />
      </Field>
      <DialogFoot problem={problem} verb={t("answer")} busy={busy} disabled={answeredOn === ""} onClose={onClose} />
    </form>
  );
}
