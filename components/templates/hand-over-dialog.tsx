"use client";
import { Button, Modal, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { useCloseGuard, useEdited } from "#components/ui/close-guard.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { toast } from "#components/ui/toast.ts";
import { callDoor } from "#lib/core/call-door.ts";
import type { ListedTemplate } from "#lib/templates/queries.ts";
import classes from "./template-dialog.module.css";

type Props = { templates: readonly ListedTemplate[]; onClose: () => void; onDone: () => unknown };

/** Hands the chosen templates to another member. */
export function HandOverDialog({ templates, onClose, onDone }: Props) {
  const t = useTranslations("templates");
  const common = useTranslations("common");
  const id = useId();
  const [account, setAccount] = useState("");
  const [problem, setProblem] = useState<string | undefined>();
  const [busy, setBusy] = useState(false);
  const { close, question } = useCloseGuard(useEdited(account), onClose);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (account.trim() === "") return setProblem(t("transfer.missing"));
    setBusy(true);
    const answer = await callDoor("template/basic/transferCreator", { ids: templates.map((one) => one.id), toAccount: account });
    setBusy(false);
    if (answer.status >= 400) {
      // Which of the templates stands in the way is said by its place.
      const [first] = answer.problems ?? [];
      const at = /^ids\.(\d+)$/.exec(first?.path ?? "");
      const name = at ? templates[Number(at[1])]?.name : undefined;
      return setProblem([name, first?.msg ?? answer.msg ?? t("failed")].filter(Boolean).join(": "));
    }
    toast.done(t("transfer.done", { count: templates.length, account }));
    await onDone();
    onClose();
  };
  return (
    <Modal
      opened
      onClose={close}
      title={t("transfer.title", { count: templates.length })}
      size={480}
      closeButtonProps={{ "aria-label": common("close") }}
    >
      <form className={classes.dialog} onSubmit={submit} noValidate>
        <p className={classes.quiet}>{templates.map(({ name }) => name).join(", ")}</p>
        <Field id={id} label={t("transfer.account")} required error={problem} help={t("transfer.help")}>
          <TextInput
            id={id}
            data-autofocus
            required
            value={account}
            error={Boolean(problem)}
            aria-describedby={fieldNoteId(id)}
            onChange={(event) => {
              setAccount(event.currentTarget.value);
              setProblem(undefined);
            }}
          />
        </Field>
        <div className={classes.foot}>
          <Button onClick={close}>{common("cancel")}</Button>
          <Button type="submit" variant="filled" loading={busy}>
            {t("transfer.verb")}
          </Button>
        </div>
      </form>
      {question}
    </Modal>
  );
}
