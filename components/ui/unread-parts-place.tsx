"use client";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useEffect, useSyncExternalStore } from "react";
import { callDoor } from "#lib/core/call-door.ts";
import toast from "./toast.module.css";
import classes from "./unread-parts.module.css";
import { type UnreadPart, unreadParts } from "./unread-parts.ts";
import { useNewerBuild } from "./use-newer-build.ts";

const none: readonly UnreadPart[] = [];

/** Says that something could not be opened because its code did not come, and why; all of it is read again at once. Needs no code that could be missing itself. */
export function UnreadPartsPlace() {
  const t = useTranslations("ui");
  const parts = useSyncExternalStore(unreadParts.subscribe, unreadParts.get, () => none);
  const updated = useNewerBuild();
  const missing = parts.length > 0;
  useEffect(() => {
    if (!missing) return;
    // Any answer tells whether the server has another build than the page.
    void callDoor("sso/updateSession", undefined, { method: "GET", reading: true });
    const again = () => {
      for (const part of unreadParts.get()) part.again();
    };
    window.addEventListener("online", again);
    return () => window.removeEventListener("online", again);
  }, [missing]);
  if (!missing) return null;
  const giveUp = parts.flatMap((part) => part.giveUp ?? []);
  return (
    <div className={classes.place} role="alert">
      <IconAlertTriangle size={16} stroke={1.4} aria-hidden="true" />
      <span>
        <b>{t("part.unread")}</b> <span>{t(updated ? "part.updated" : "part.check")}</span>
      </span>
      {updated ? (
        <button type="button" className={toast.action} onClick={() => window.location.reload()}>
          {t("error.reload")}
        </button>
      ) : (
        <button
          type="button"
          className={toast.action}
          onClick={() => {
            for (const part of parts) part.again();
          }}
        >
          {t("error.retry")}
        </button>
      )}
      {giveUp.length > 0 ? (
        <button
          type="button"
          className={toast.action}
          onClick={() => {
            for (const close of giveUp) close();
          }}
        >
          {t("part.giveUp")}
        </button>
      ) : null}
    </div>
  );
}
