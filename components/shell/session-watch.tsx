"use client";
import { Button, Modal } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { toast } from "#components/ui/toast.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { onSessionSignal, type SessionSignal } from "#lib/core/answer-signal.ts";
import { callDoor } from "#lib/core/call-door.ts";
import classes from "./shell.module.css";
import type { ShellDoors } from "./shell-data.ts";
import { SignInForm } from "./sign-in-form.tsx";

/** Dialogs over the page when the session has ended (sign in again, the page is kept) or the roles have changed (enter the project again). */
export function SessionWatch({ doors }: { doors: ShellDoors }) {
  const t = useTranslations("shell");
  const { user, project } = useSession();
  const router = useRouter();
  const client = useQueryClient();
  const [signal, setSignal] = useState<SessionSignal | null>(null);
  const [entering, setEntering] = useState(false);
  useEffect(() => onSessionSignal((next) => setSignal((before) => before ?? next)), []);

  const goOn = () => {
    setSignal(null);
    void client.invalidateQueries();
    router.refresh();
  };
  const signedIn = (account: string) => {
    // Another person gets a page of his own, not what was left open here.
    if (account.trim().toLowerCase() === user.account.toLowerCase()) goOn();
    else window.location.reload();
  };
  const reEnter = async () => {
    setEntering(true);
    const answer = await callDoor("session/rebuild", { projectNumber: project.number });
    setEntering(false);
    if (answer.status < 400) goOn();
    else if (answer.status === 401) setSignal("signedOut");
    else toast.problem(answer.msg ?? t("failed"));
  };

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
        <SignInForm signIn={doors.signIn} account={user.account} onSignedIn={signedIn} />
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
          <Button variant="filled" data-autofocus loading={entering} onClick={reEnter}>
            {t("roleChanged.enter")}
          </Button>
        </div>
      </Modal>
    </>
  );
}
