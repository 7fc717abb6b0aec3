"use client";
import { Button, Modal } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { callDoor } from "#lib/core/call-door.ts";
import classes from "./shell.module.css";
import type { ShellData } from "./shell-data.ts";

const storageKey = "milepost.noticesShown";

/** Shown when the project is entered and a right or an agreement ends within 30 days; once per browser session, and never again for what was put aside. */
export function EntryNotice({ notices }: { notices: ShellData["notices"] }) {
  const t = useTranslations("shell");
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
  return (
    <Modal opened={shown.length > 0} onClose={close} size={520} title={t("notices.entry", { count: shown.length })} withCloseButton={false}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t("notices.account")}</th>
            <th scope="col">{t("notices.what")}</th>
            <th scope="col">{t("notices.date")}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((notice) => (
            <tr key={notice.key}>
              <td>{notice.account}</td>
              <td>{notice.role?.replaceAll("_", " ") ?? t("notices.dpa")}</td>
              <td>{notice.endsOn}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className={classes.dialogFoot}>
        <Button variant="subtle" color="gray" onClick={never}>
          {t("notices.aside")}
        </Button>
        <Button variant="filled" data-autofocus onClick={close}>
          {t("notices.seen")}
        </Button>
      </div>
    </Modal>
  );
}
