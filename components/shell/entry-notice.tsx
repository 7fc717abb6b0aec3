"use client";
import { useEffect, useState } from "react";
import { onDemand } from "#components/ui/on-demand.tsx";
import { useWas } from "#components/ui/use-was.ts";
import { callDoor } from "#lib/core/call-door.ts";
import type { ShellData } from "./shell-data.ts";

const EntryNoticeDialog = onDemand(() => import("./entry-notice-dialog.tsx").then((module) => module.EntryNoticeDialog));

const storageKey = "milepost.noticesShown";

/** Shown when the project is entered and a right or an agreement ends within 30 days; once per browser session, and never again for what was put aside. */
export function EntryNotice({ notices }: { notices: ShellData["notices"] }) {
  const [shown, setShown] = useState<ShellData["notices"]>([]);
  useEffect(() => {
    const seen = new Set((sessionStorage.getItem(storageKey) ?? "").split("\n"));
    const fresh = notices.filter((notice) => !seen.has(notice.key));
    if (fresh.length === 0) return;
    sessionStorage.setItem(storageKey, [...seen, ...fresh.map((notice) => notice.key)].join("\n"));
    setShown(fresh);
  }, [notices]);
  const close = () => setShown([]);
  const never = async () => {
    close();
    await Promise.all(shown.map((notice) => callDoor("notice/ack", { noticeKey: notice.key })));
  };
  return useWas(shown.length > 0) ? <EntryNoticeDialog shown={shown} onAside={never} onClose={close} /> : null;
}
