"use client";
import { Button, Modal, Textarea } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { useCloseGuard, useEdited } from "#components/ui/close-guard.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { withQuestions } from "#components/ui/questions.ts";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { decideFeedback } from "#lib/plan-versions/feedback/actions.ts";
import type { DecidedFeedback } from "#lib/plan-versions/feedback/commands.ts";
import { commentChars } from "#lib/plan-versions/feedback/limits.ts";
import type { FeedbackRow } from "#lib/plan-versions/feedback/queries.ts";
import classes from "./versions.module.css";

type Props = { decision: "accepted" | "refused"; rows: FeedbackRow[]; onClose: () => void; onDecided: () => unknown };

/** Takes proposals over into the plan or refuses them, with a comment; then the result with what stayed open, and its undo. */
export function DecideDialog({ decision, rows, onClose, onDecided }: Props) {
  const t = useTranslations("plan-versions.feedback");
  const common = useTranslations("common");
  const id = useId();
  const [comment, setComment] = useState("");
  const [fault, setFault] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [result, setResult] = useState<DecidedFeedback | null>(null);
  const [decide, busy] = useAction(decideFeedback);
  const isEdited = useEdited(comment);
  const { close, question } = useCloseGuard(isEdited && !result, onClose);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const answer = await decide({ ids: rows.map((row) => row.id), decision, comment });
    if (answer.data) {
      setResult(answer.data);
      return void onDecided();
    }
    const own = answer.problems?.find(({ path }) => path === "comment");
    if (own) {
      document.getElementById(id)?.focus();
      setFault(own.msg);
    } else setProblem(answer.problems?.[0]?.msg ?? answer.msg ?? answer.code);
  };
  return (
    <Modal
      opened
      onClose={close}
      title={t(decision === "accepted" ? "acceptTitle" : "refuseTitle", { count: rows.length })}
      size={560}
      closeButtonProps={{ "aria-label": common("close") }}
    >
      {result ? (
        <Decided decision={decision} result={result} rows={rows} onClose={onClose} onUndone={onDecided} />
      ) : (
        <form className={classes.form} onSubmit={submit} noValidate>
          <p className={classes.help}>{t(decision === "accepted" ? "acceptHelp" : "refuseHelp")}</p>
          <Field id={id} label={common("comment")} required count={{ used: comment.length, max: commentChars }} error={fault}>
            <Textarea
              id={id}
              data-autofocus
              required
              autosize
              minRows={2}
              maxRows={6}
              maxLength={commentChars}
              value={comment}
              error={Boolean(fault)}
              aria-describedby={fieldNoteId(id)}
              onChange={(event) => {
                setComment(event.currentTarget.value);
                setFault(undefined);
              }}
            />
          </Field>
          <DialogFoot
            problem={problem}
            verb={t(decision === "accepted" ? "accept" : "refuse")}
            busy={busy}
            danger={decision === "refused"}
            onClose={close}
          />
        </form>
      )}
      {question}
    </Modal>
  );
}

type DecidedProps = {
  decision: Props["decision"];
  result: DecidedFeedback;
  rows: FeedbackRow[];
  onClose: () => void;
  onUndone: () => unknown;
};

function Decided({ decision, result, rows, onClose, onUndone }: DecidedProps) {
  const t = useTranslations("plan-versions.feedback");
  const common = useTranslations("common");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const byId = new Map(rows.map((row) => [row.id, row]));
  const undo = async () => {
    setBusy(true);
    const answer = await withQuestions((confirmed) =>
      callDoor<{ saved: number }>("rolloutPlan/undo", { batchId: result.batchId, confirmed }),
    );
    setBusy(false);
    if (!answer.data) return setProblem(answer.msg ?? answer.code);
    toast.done(t("undone", { count: answer.data.saved }));
    await onUndone();
    onClose();
  };
  return (
    <div className={classes.form}>
      <p role="status">
        {t(decision === "accepted" ? "acceptedDone" : "refusedDone", {
          changed: result.changed,
          cells: result.cells,
          rejected: result.rejected.length,
        })}
      </p>
      {result.rejected.length > 0 ? (
        <ScrollRegion className={classes.kept} label={t("stayedOpen")}>
          <table className={classes.table} aria-label={t("stayedOpen")}>
            <thead>
              <tr>
                <th scope="col">{common("du")}</th>
                <th scope="col">{common("activity")}</th>
                <th scope="col">{common("reason")}</th>
              </tr>
            </thead>
            <tbody>
              {result.rejected.map((row) => (
                <tr key={row.id}>
                  <td>{byId.get(row.id)?.rawDu}</td>
                  <td>{byId.get(row.id)?.rawActivity}</td>
                  <td>{row.msg}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      ) : null}
      {problem ? (
        <p className={classes.problem} role="alert">
          {problem}
        </p>
      ) : null}
      <div className={classes.foot}>
        {result.batchId === null ? null : (
          <Button loading={busy} onClick={undo}>
            {common("undo")}
          </Button>
        )}
        <Button data-autofocus variant="filled" onClick={onClose}>
          {common("close")}
        </Button>
      </div>
    </div>
  );
}
