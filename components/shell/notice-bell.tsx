"use client";
import { Button } from "@mantine/core";
import { IconBell } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { DropPanel } from "#components/ui/drop-panel.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import classes from "./header.module.css";
import type { ShellData } from "./shell-data.ts";

/** Rights and agreements that end soon, of the person and of accounts he manages. A note put aside stays away until the date changes. */
export function NoticeBell({ notices: first }: { notices: ShellData["notices"] }) {
  const t = useTranslations("shell");
  const [notices, setNotices] = useState(first);
  const [opened, setOpened] = useState(false);
  const putAside = async (key: string) => {
    const answer = await callDoor("notice/ack", { noticeKey: key });
    if (answer.status < 400) setNotices((before) => before.filter((notice) => notice.key !== key));
  };
  return (
    <DropPanel
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      returnFocus
      className={classes.panel}
      label={t("notices.title")}
      trigger={
        <button
          type="button"
          className={`${classes.button} ${classes.bell}`}
          aria-haspopup="dialog"
          aria-expanded={opened}
          aria-label={t("notices.bell", { count: notices.length })}
          onClick={() => setOpened((shown) => !shown)}
        >
          <IconBell size={16} stroke={1.4} />
          {notices.length > 0 ? <span className={classes.badge}>{notices.length}</span> : null}
        </button>
      }
    >
      <div className={classes.panelTitle}>{t("notices.title")}</div>
      {notices.length === 0 ? <p className={classes.none}>{t("notices.none")}</p> : null}
      <ul>
        {notices.map((notice) => (
          <li key={notice.key} className={classes.line}>
            <span>
              {notice.role
                ? t("notices.role", { account: notice.account, role: notice.role.replaceAll("_", " "), date: notice.endsOn })
                : t("notices.agreement", { account: notice.account, date: notice.endsOn })}
            </span>
            <Button variant="subtle" color="gray" justify="start" onClick={() => putAside(notice.key)}>
              {t("notices.aside")}
            </Button>
          </li>
        ))}
      </ul>
    </DropPanel>
  );
}
