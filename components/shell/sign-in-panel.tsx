"use client";
import { Button } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useCallback, useEffect } from "react";
import classes from "./plain-frame.module.css";
import type { ShellDoors } from "./shell-data.ts";
import { SignInForm } from "./sign-in-form.tsx";

const storageKey = "milepost.fragment";

type Props = {
  /** Where the person wanted to go. */
  to: string;
  signedIn: boolean;
  /** A sign-in elsewhere came back with a refusal. */
  failed: boolean;
  signIn: ShellDoors["signIn"];
  signInWithProvider?: (to: string) => Promise<void>;
};

/**
 * Sign-in by account or by the identity provider. The fragment of the address, which may be an original address, never reaches the server:
 * it is kept in the browser's session and put back afterwards.
 */
export function SignInPanel({ to, signedIn, failed, signIn, signInWithProvider }: Props) {
  const t = useTranslations("session");
  const goOn = useCallback(() => {
    const fragment = window.location.hash || readFragment(to);
    sessionStorage.removeItem(storageKey);
    window.location.assign(`${to}${fragment}`);
  }, [to]);
  useEffect(() => {
    const { hash } = window.location;
    if (hash) sessionStorage.setItem(storageKey, JSON.stringify({ to, hash }));
    if (signedIn) goOn();
  }, [to, signedIn, goOn]);

  if (signedIn)
    return (
      <p className={classes.quiet} role="status">
        {t("goingOn")}
      </p>
    );
  return (
    <div className={classes.card}>
      <h1>{t("title")}</h1>
      {failed ? (
        <p role="alert" className={classes.quiet}>
          {t("providerRefused")}
        </p>
      ) : null}
      <SignInForm signIn={signIn} onSignedIn={goOn} />
      {signInWithProvider ? <Button onClick={() => void signInWithProvider(to)}>{t("withProvider")}</Button> : null}
    </div>
  );
}

function readFragment(to: string): string {
  try {
    const stored = JSON.parse(sessionStorage.getItem(storageKey) ?? "null") as { to: string; hash: string } | null;
    return stored?.to === to ? stored.hash : "";
  } catch {
    return "";
  }
}
