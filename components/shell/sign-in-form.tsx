"use client";
import { Button, PasswordInput, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useId, useRef, useState } from "react";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import type { ShellDoors } from "./shell-data.ts";
import classes from "./sign-in-form.module.css";

type Props = { signIn: ShellDoors["signIn"]; account?: string; onSignedIn: (account: string) => void };

/** Account and password; a refusal stands in the form and keeps the account. A form action, so that one sent before the page is ready is not lost. */
export function SignInForm({ signIn, account: first = "", onSignedIn }: Props) {
  const t = useTranslations("session");
  const [account, setAccount] = useState(first);
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const secret = useRef<HTMLInputElement>(null);
  const id = useId();
  const submit = async (data: FormData) => {
    const given = { account: String(data.get("account") ?? ""), password: String(data.get("password") ?? "") };
    setAccount(given.account);
    setBusy(true);
    setProblem(undefined);
    const answer = await signIn(given).catch(() => ({ status: 503, msg: undefined }));
    if (answer.status < 400) return onSignedIn(given.account);
    setBusy(false);
    setProblem(answer.msg ?? t(answer.status === 401 ? "refused" : "unreachable"));
    secret.current?.focus();
  };
  return (
    <form className={classes.form} action={submit}>
      <Field label={t("account")} id={`${id}-account`}>
        <TextInput
          id={`${id}-account`}
          name="account"
          autoComplete="username"
          data-autofocus={first ? undefined : true}
          required
          // A form that was sent goes back to its defaults.
          defaultValue={account}
        />
      </Field>
      <Field label={t("password")} id={`${id}-password`} error={problem}>
        <PasswordInput
          id={`${id}-password`}
          name="password"
          autoComplete="current-password"
          ref={secret}
          data-autofocus={first ? true : undefined}
          required
          error={Boolean(problem)}
          aria-describedby={problem ? fieldNoteId(`${id}-password`) : undefined}
          visibilityToggleButtonProps={{ "aria-label": t("showPassword") }}
        />
      </Field>
      <p className="visually-hidden" aria-live="assertive">
        {problem}
      </p>
      <Button type="submit" variant="filled" fullWidth loading={busy}>
        {t("signIn")}
      </Button>
    </form>
  );
}
