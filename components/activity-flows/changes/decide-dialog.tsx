"use client";
import { Select, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { useEdited } from "#components/ui/close-guard.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { FormModal, type GuardedForm } from "#components/ui/form-modal.tsx";
import { lookup } from "#components/ui/query-client.ts";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useTellEdited } from "#components/ui/use-tell-edited.ts";
import { approveDuChanges, rejectDuChanges, transferDuChange, withdrawDuChanges } from "#lib/activity-flows/approvals/actions.ts";
import type { TransferTarget } from "#lib/activity-flows/approvals/queries.ts";
import { changeCode } from "#lib/activity-flows/approvers/logic.ts";
import { changeReasonMax } from "#lib/activity-flows/changes/limits.ts";
import { callDoor } from "#lib/core/call-door.ts";
import type { ChangeRow } from "./change-data.ts";
import classes from "./changes.module.css";

export type Verb = "approve" | "reject" | "transfer" | "withdraw";

type Props = { verb: Verb; rows: readonly Pick<ChangeRow, "id" | "number" | "duCount">[]; onClose: (done: boolean) => void };

/** Approves, rejects or withdraws changes, or passes the approval of one on. What was typed stays until it is stored. */
export function DecideDialog(props: Props | { verb: null }) {
  const t = useTranslations("flow-changes");
  const opened = props.verb !== null;
  return (
    <FormModal
      opened={opened}
      title={opened ? t(`verb.${props.verb}`, { count: props.rows.length }) : ""}
      size={520}
      onClose={() => opened && props.onClose(false)}
    >
      {(guarded) => (opened ? <DecideForm {...props} {...guarded} /> : null)}
    </FormModal>
  );
}

function DecideForm({ verb, rows, onEdited, onCancel, onClose }: Props & GuardedForm) {
  const t = useTranslations("flow-changes");
  const id = useId();
  const project = useProjectNumber();
  const [comment, setComment] = useState("");
  const [target, setTarget] = useState<string | null>(null);
  const [problem, setProblem] = useState<{ field: "comment" | "target" | ""; text: string } | null>(null);
  const [left, setLeft] = useState<{ id: number; msg: string }[]>([]);
  const [approve, approving] = useAction(approveDuChanges);
  const [reject, rejecting] = useAction(rejectDuChanges);
  const [withdraw, withdrawing] = useAction(withdrawDuChanges);
  const [transfer, transferring] = useAction(transferDuChange);
  const isEdited = useEdited([comment, target]);
  useTellEdited(isEdited && left.length === 0, onEdited);
  const changeIds = rows.map((row) => row.id);
  // Whom each of the changes can be passed on to.
  const targets = useQuery({
    queryKey: ["transfer-approvers", project, changeIds],
    enabled: verb === "transfer",
    meta: lookup,
    queryFn: async ({ signal }) => {
      const lists = await Promise.all(
        changeIds.map(async (changeId) =>
          dataOf(await callDoor<TransferTarget[]>("duChange/getTransferApprover", { changeId }, { signal })),
        ),
      );
      return (lists[0] ?? []).filter(({ account }) => lists.every((list) => list.some((one) => one.account === account)));
    },
  });
  const run = (ids: number[]) => {
    if (verb === "approve") return approve({ ids, comment });
    return verb === "reject" ? reject({ ids, comment }) : withdraw({ ids, comment });
  };
  const passOn = async () => {
    if (!target) return setProblem({ field: "target", text: t("decide.targetMissing") });
    const failed: { id: number; msg: string }[] = [];
    for (const changeId of changeIds) {
      const answer = await transfer({ changeId, toAccount: target, comment });
      if (answer.status >= 400) failed.push({ id: changeId, msg: answer.msg ?? t("failed") });
    }
    const [first] = failed;
    if (first && failed.length === changeIds.length) return setProblem({ field: "", text: first.msg });
    toast.done(t("done.transfer", { count: changeIds.length - failed.length }));
    if (failed.length === 0) return onClose(true);
    setLeft(failed);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (verb === "reject" && comment.trim() === "") return setProblem({ field: "comment", text: t("decide.commentMissing") });
    if (verb === "transfer") return passOn();
    const answer = await run(changeIds);
    if (answer.status >= 400 || !answer.data)
      return setProblem({ field: "", text: answer.problems?.[0]?.msg ?? answer.msg ?? t("failed") });
    const { decided, refused, rejected } = answer.data;
    toast.done(t(`done.${verb}`, { count: decided, refused }));
    if (rejected.length === 0) return onClose(true);
    setLeft(rejected);
  };
  const codeOf = (change: number) => {
    const row = rows.find((one) => one.id === change);
    return row ? changeCode(row.number) : String(change);
  };
  if (left.length > 0)
    return (
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          onClose(true);
        }}
      >
        <p>{t("decide.left", { count: left.length })}</p>
        <ul className={classes.lines}>
          {left.map((one) => (
            <li key={one.id}>
              <strong>{codeOf(one.id)}</strong> {one.msg}
            </li>
          ))}
        </ul>
        <DialogFoot problem={undefined} busy={false} verb={t("decide.understood")} onClose={() => onClose(true)} />
      </form>
    );
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <p className={classes.help}>
        {rows.map((row) => `${changeCode(row.number)} (${row.duCount})`).join(", ")} · {t(`decide.${verb}`)}
      </p>
      {verb === "transfer" ? (
        <Field id={`${id}-target`} label={t("decide.target")} required error={problem?.field === "target" ? problem.text : undefined}>
          <Select
            id={`${id}-target`}
            searchable
            data={(targets.data ?? []).map(({ account, name, role, delegateOf }) => ({
              value: account,
              label: delegateOf ? t("person.delegate", { name, role, of: delegateOf }) : t("person.holder", { name, role }),
            }))}
            placeholder={targets.isSuccess && targets.data.length === 0 ? t("decide.noTarget") : undefined}
            value={target}
            error={problem?.field === "target"}
            aria-describedby={fieldNoteId(`${id}-target`)}
            onChange={(value) => {
              setTarget(value);
              setProblem(null);
            }}
          />
        </Field>
      ) : null}
      <Field
        id={`${id}-comment`}
        label={t("decide.comment")}
        required={verb === "reject"}
        count={{ used: comment.length, max: changeReasonMax }}
        error={problem?.field === "comment" ? problem.text : undefined}
      >
        <Textarea
          id={`${id}-comment`}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={changeReasonMax}
          data-autofocus={verb !== "transfer" || undefined}
          value={comment}
          error={problem?.field === "comment"}
          aria-describedby={fieldNoteId(`${id}-comment`)}
          onChange={(event) => {
            setComment(event.currentTarget.value);
            setProblem(null);
          }}
        />
      </Field>
      <DialogFoot
        problem={problem?.field === "" ? problem.text : undefined}
        busy={approving || rejecting || withdrawing || transferring}
        danger={verb !== "transfer" && verb !== "approve"}
        verb={t(`verb.${verb}`, { count: rows.length })}
        onClose={onCancel}
      />
    </form>
  );
}
