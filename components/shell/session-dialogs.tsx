"use client";
import { Button, Modal } from "@mantine/core";
import { useTranslations } from "next-intl";
import type { SessionSignal } from "#lib/core/answer-signal.ts";
import classes from "./shell.module.css";
import type { ShellDoors } from "./shell-data.ts";
import { SignInForm } from "./sign-in-form.tsx";

type Props = {
  signal: SessionSignal | null;
  doors: ShellDoors;
  account: string;
  entering: boolean;
  onSignedIn: (account: string) => void;
  onEnter: () => void;
};

/** The two dialogs of a session that changed: sign in again, enter the project again. */
export function SessionDialogs({ signal, doors, account, entering, onSignedIn, onEnter }: Props) {
  const t = useTranslations("shell");
  return (
    <>
      <Modal
        opened={signal === "signedOut"}
        onClose={() => {}}
        withCloseButton={false}
        closeOnEscape={false}
        closeOnClickOutside={false}
        size={400}
        zIndex={400}
        title={t("signedOut.title")}
      >
        <p className={classes.dialogText} role="alert">
          {t("signedOut.text")}
        </p>
        <SignInForm signIn={doors.signIn} account={account} onSignedIn={onSignedIn} />
      </Modal>
      <Modal
        opened={signal === "roleChanged"}
        onClose={() => {}}
        withCloseButton={false}
        closeOnEscape={false}
        closeOnClickOutside={false}
        size={440}
        zIndex={400}
        title={t("roleChanged.title")}
      >
        <p className={classes.dialogText} role="alert">
          {t("roleChanged.text")}
        </p>
        <div className={classes.dialogFoot}>
          <Button variant="filled" data-autofocus loading={entering} onClick={onEnter}>
            {t("roleChanged.enter")}
          </Button>
        </div>
      </Modal>
    </>
  );
}
