"use client";
import { Button, Modal } from "@mantine/core";
import { useTranslations } from "next-intl";
import { roleName } from "#lib/core/format.ts";
import classes from "./shell.module.css";
import type { ShellData } from "./shell-data.ts";

/** What ends soon, as a table; seen, or put aside for good. */
export function EntryNoticeDialog({ shown, onAside, onClose }: { shown: ShellData["notices"]; onAside: () => void; onClose: () => void }) {
  const t = useTranslations("shell");
  return (
    <Modal
      opened={shown.length > 0}
      onClose={onClose}
      size={520}
      title={t("notices.entry", { count: shown.length })}
      withCloseButton={false}
    >
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
              <td>{notice.role ? roleName(notice.role) : t("notices.dpa")}</td>
              <td>{notice.endsOn}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className={classes.dialogFoot}>
        <Button variant="subtle" color="gray" onClick={onAside}>
          {t("notices.aside")}
        </Button>
        <Button variant="filled" data-autofocus onClick={onClose}>
          {t("notices.seen")}
        </Button>
      </div>
    </Modal>
  );
}
