"use client";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { signalAnswer } from "#lib/core/answer-signal.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { keepAliveMs } from "#lib/session/limits.ts";
import classes from "./shell.module.css";

/** Failures in a row after which the person is told. */
const failuresTold = 3;

/** Keeps the session alive while the page is open, hidden or not, and says when the server cannot be reached. */
export function KeepAlive() {
  const t = useTranslations("shell");
  const [failures, setFailures] = useState(0);
  useEffect(() => {
    const timer = setInterval(async () => {
      const answer = signalAnswer(await callDoor("sso/updateSession", undefined, { method: "GET", reading: true }));
      setFailures((before) => (answer.status >= 500 ? before + 1 : 0));
    }, keepAliveMs);
    return () => clearInterval(timer);
  }, []);
  return failures >= failuresTold ? (
    <div className={classes.banner} role="alert">
      {t("keepAlive.failed")}
    </div>
  ) : null;
}
