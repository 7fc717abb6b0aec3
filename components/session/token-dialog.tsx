"use client";
import { Button, NumberInput, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { useEdited } from "#components/ui/close-guard.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { FormModal, type GuardedForm } from "#components/ui/form-modal.tsx";
import { SecretText } from "#components/ui/secret-text.tsx";
import { useAction } from "#components/ui/use-action.ts";
import { useTellEdited } from "#components/ui/use-tell-edited.ts";
import { formatNumber } from "#lib/core/format.ts";
import { tokenDays, tokenNameChars } from "#lib/session/limits.ts";
import { makeToken } from "#lib/session/tokens/actions.ts";
import classes from "./preferences.module.css";

type Props = { opened: boolean; onClose: () => void; onDone: () => unknown };
const standardDays = 90;

/** Makes an API token and shows it once; afterwards only its hash is kept. */
export function TokenDialog({ opened, onClose, onDone }: Props) {
  const t = useTranslations("session.preferences");
  return (
    <FormModal opened={opened} title={t("tokens.make")} size={480} closeOnClickOutside={false} onClose={onClose}>
      {(guarded) => (opened ? <TokenForm onClose={onClose} onDone={onDone} {...guarded} /> : null)}
    </FormModal>
  );
}

function TokenForm({ onEdited, onCancel, onClose, onDone }: Omit<Props, "opened"> & GuardedForm) {
  const t = useTranslations("session.preferences");
  const common = useTranslations("common");
  const id = useId();
  const [name, setName] = useState("");
  const [days, setDays] = useState<number | string>(standardDays);
  const [tried, setTried] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const [token, setToken] = useState<string | null>(null);
  const [make, making] = useAction(makeToken);
  useTellEdited(useEdited([name, days]) && token === null, onEdited);
  const daysWrong = !Number.isInteger(days) || Number(days) < 1 || Number(days) > tokenDays;
  const nameWrong = name.trim() === "";
  const submit = async () => {
    setTried(true);
    if (nameWrong || daysWrong) return;
    const answer = await make({ name: name.trim(), days: Number(days) });
    if (answer.status >= 400 || !answer.data) return setFault(answer.msg ?? t("failed"));
    setToken(answer.data.token);
    await onDone();
  };
  if (token)
    return <SecretText secret={token} note={t("tokens.once")} copy={t("tokens.copy")} copied={t("tokens.copied")} onClose={onClose} />;
  return (
    <div className={classes.form}>
      <Field
        label={t("tokens.name")}
        id={`${id}-name`}
        required
        count={{ used: [...name].length, max: tokenNameChars }}
        error={tried && nameWrong ? t("tokens.nameMissing") : undefined}
      >
        <TextInput
          id={`${id}-name`}
          data-autofocus
          maxLength={tokenNameChars}
          placeholder={t("tokens.nameExample")}
          value={name}
          error={tried && nameWrong}
          aria-describedby={fieldNoteId(`${id}-name`)}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </Field>
      <Field
        label={t("tokens.days")}
        id={`${id}-days`}
        required
        width={160}
        range={{ min: 1, max: tokenDays }}
        error={daysWrong ? t("tokens.daysWrong", { max: formatNumber(tokenDays) }) : undefined}
      >
        <NumberInput
          id={`${id}-days`}
          allowDecimal={false}
          hideControls
          value={days}
          error={daysWrong}
          aria-describedby={fieldNoteId(`${id}-days`)}
          onChange={setDays}
        />
      </Field>
      <div role="alert">{fault ? <p className={classes.fault}>{fault}</p> : null}</div>
      <div className={classes.foot}>
        <Button onClick={onCancel}>{common("cancel")}</Button>
        <Button variant="filled" loading={making} onClick={submit}>
          {t("tokens.make")}
        </Button>
      </div>
    </div>
  );
}
