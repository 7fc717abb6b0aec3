"use client";
import { Modal } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { useCloseGuard, useEdited } from "#components/ui/close-guard.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import type { Resource } from "#lib/resources/pool/queries.ts";
import { transferResource } from "#lib/resources/transfers/actions.ts";
import { AccountField } from "./account-field.tsx";
import classes from "./resources.module.css";

type Props = { person: Resource; onClose: () => void; onDone: () => Promise<void> };

/** Hands over what a person owns to a PM, TD or TL; counted first, then written. [RES-41] */
export function TransferDialog({ person, onClose, onDone }: Props) {
  const t = useTranslations("resources");
  const common = useTranslations("common");
  const id = useId();
  const [receiver, setReceiver] = useState<string[]>([]);
  const [count, setCount] = useState<number | null>(null);
  const [problem, setProblem] = useState<string>();
  const [transfer, busy] = useAction(transferResource);
  const [isDone, setDone] = useState(false);
  const { close, question } = useCloseGuard(useEdited(receiver) && !isDone, onClose);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const answer = await transfer({ resourceId: person.id, receiver: receiver[0] ?? "", dryRun: count === null });
    if (!answer.data) return setProblem(answer.problems?.[0]?.msg ?? answer.msg ?? answer.code);
    if (count === null) return setCount(answer.data.count);
    setDone(true);
    toast.done(t("transfer.done", { count: answer.data.count }));
    await onDone();
    onClose();
  };
  return (
    <Modal
      opened
      onClose={close}
      title={t("transfer.of", { name: person.name })}
      size={440}
      closeButtonProps={{ "aria-label": common("close") }}
    >
      <form className={classes.form} onSubmit={submit} noValidate>
        <Field id={id} label={t("transfer.receiver")} required help={t("transfer.help")} error={problem}>
          <AccountField
            id={id}
            aria-describedby={fieldNoteId(id)}
            max={1}
            error={problem !== undefined}
            value={receiver}
            onChange={(given) => {
              setReceiver(given);
              setCount(null);
              setProblem(undefined);
            }}
          />
        </Field>
        {count === null ? null : <p role="status">{t("transfer.count", { count })}</p>}
        <DialogFoot
          problem={undefined}
          verb={count === null ? common("preview") : t("transfer.title")}
          busy={busy || isDone}
          disabled={receiver.length === 0 || count === 0}
          onClose={close}
        />
      </form>
      {question}
    </Modal>
  );
}
