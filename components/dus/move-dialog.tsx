"use client";
import { Modal, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import type { Refusal } from "#components/grid/grid-model.ts";
import { useCloseGuard, useEdited } from "#components/ui/close-guard.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import type { Params } from "#lib/core/error.ts";
import { migrateDus } from "#lib/rollout-plan/dus/actions.ts";
import { duChars } from "#lib/rollout-plan/dus/limits.ts";
import classes from "./master-page.module.css";

type Props = {
  ids: readonly number[];
  refusal: (code: string, params: Params) => Refusal;
  onMoved: () => void;
  onClose: () => void;
};

/** Moves chosen DUs to another sub-project. */
export function MoveDialog({ ids, refusal, onMoved, onClose }: Props) {
  const t = useTranslations("dus");
  const common = useTranslations("common");
  const id = useId();
  const [code, setCode] = useState("");
  const [tried, setTried] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [move, busy] = useAction(migrateDus);
  const { close, question } = useCloseGuard(useEdited(code), onClose);
  const missing = tried && code.trim() === "" ? t("new.missing") : undefined;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (code.trim() === "") return document.getElementById(id)?.focus();
    const answer = await move({ ids: [...ids], subProjectCode: code.trim() });
    if (!answer.data) return setProblem(answer.problems?.[0]?.msg ?? answer.msg ?? t("saving.failed"));
    const { ids: moved, rejected } = answer.data;
    toast.done(t("moving.done", { count: moved.length }));
    const [first] = rejected;
    if (first) toast.problem(t("deleting.kept", { count: rejected.length, reason: refusal(first.code, first.params).cause }));
    onMoved();
    onClose();
  };
  return (
    <Modal
      opened
      onClose={close}
      title={t("moving.verb", { count: ids.length })}
      size={440}
      closeButtonProps={{ "aria-label": common("close") }}
    >
      <form className={classes.form} onSubmit={submit} noValidate>
        <Field
          id={id}
          label={t("fields.subProjectCode")}
          required
          count={{ used: [...code].length, max: duChars.subProjectCode }}
          error={missing}
        >
          <TextInput
            id={id}
            data-autofocus
            maxLength={duChars.subProjectCode}
            aria-describedby={fieldNoteId(id)}
            error={Boolean(missing)}
            value={code}
            onChange={(event) => {
              setCode(event.currentTarget.value);
              setProblem(undefined);
            }}
          />
        </Field>
        <DialogFoot problem={problem} verb={t("moving.verb", { count: ids.length })} busy={busy} onClose={close} />
      </form>
      {question}
    </Modal>
  );
}
