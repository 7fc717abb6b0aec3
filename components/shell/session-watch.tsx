"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { onDemand } from "#components/ui/on-demand.tsx";
import { toast } from "#components/ui/toast.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { useWas } from "#components/ui/use-was.ts";
import { onSessionSignal, type SessionSignal } from "#lib/core/answer-signal.ts";
import { callDoor } from "#lib/core/call-door.ts";
import type { ShellDoors } from "./shell-data.ts";

const SessionDialogs = onDemand(() => import("./session-dialogs.tsx").then((module) => module.SessionDialogs), ["session"]);

/** Dialogs over the page when the session has ended (sign in again, the page is kept) or the roles have changed (enter the project again). */
export function SessionWatch({ doors }: { doors: ShellDoors }) {
  const t = useTranslations("shell");
  const { user, project } = useSession();
  const router = useRouter();
  const client = useQueryClient();
  const [signal, setSignal] = useState<SessionSignal | null>(null);
  const [entering, setEntering] = useState(false);
  const was = useWas(signal !== null);
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

  return was ? (
    <SessionDialogs signal={signal} doors={doors} account={user.account} entering={entering} onSignedIn={signedIn} onEnter={reEnter} />
  ) : null;
}
