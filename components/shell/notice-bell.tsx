"use client";
import { Button } from "@mantine/core";
import { IconBell } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { DropPanel } from "#components/ui/drop-panel.tsx";
import { asideTask } from "#components/ui/own-task.ts";
import { toast } from "#components/ui/toast.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useLive } from "#components/ui/use-live.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor, listAddress } from "#lib/core/call-door.ts";
import { formatMoment, formatNumber, roleName } from "#lib/core/format.ts";
import { pageSizes } from "#lib/core/page-sizes.ts";
import type { Page } from "#lib/core/paging.ts";
import type { NoticeRow } from "#lib/reminders/notices/queries.ts";
import classes from "./header.module.css";
import type { ShellData } from "./shell-data.ts";

type Told = Page<NoticeRow> & { unread: number };

const badgeMost = 99;

/**
 * What the person was told in this project, newest first, and rights and agreements that end soon, of the person and of accounts he manages. A note of
 * an end that was put aside stays away until the date changes.
 */
export function NoticeBell({ notices: first }: { notices: ShellData["notices"] }) {
  const t = useTranslations("shell");
  const { offset } = useSession();
  const project = useProjectNumber();
  const [ending, setEnding] = useState(first);
  const [opened, setOpened] = useState(false);
  const [size, setSize] = useState<number>(pageSizes[0]);
  const list = useQuery({
    queryKey: ["notices", project, size],
    queryFn: async ({ signal }) => {
      await asideTask();
      return dataOf(await callDoor<Told>(listAddress("notice/list", 1, size), {}, { signal }));
    },
    placeholderData: keepPreviousData,
    retry: false,
  });
  useLive((message) => {
    if (message.kind === "open" || message.kind === "notice") void list.refetch();
  });
  const told = list.data?.records ?? [];
  const unread = list.data?.unread ?? 0;
  const count = ending.length + unread;
  const larger = pageSizes.find((most) => most > size);
  const putAside = async (key: string) => {
    const answer = await callDoor("notice/ack", { noticeKey: key });
    if (answer.status >= 400) toast.problem(answer.msg ?? t("failed"));
    else setEnding((before) => before.filter((notice) => notice.key !== key));
  };
  const read = async (ids?: number[]) => {
    const answer = await callDoor("notice/read", ids ? { ids } : {});
    if (answer.status >= 400) toast.problem(answer.msg ?? t("failed"));
    void list.refetch();
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
          aria-label={t("notices.bell", { count })}
          onClick={() => setOpened((shown) => !shown)}
        >
          <IconBell size={16} stroke={1.4} />
          {count > 0 ? <span className={classes.badge}>{count > badgeMost ? `${badgeMost}+` : count}</span> : null}
        </button>
      }
    >
      <div className={`${classes.panelTitle} ${classes.lineHead}`}>
        {t("notices.title")}
        {unread > 0 ? (
          <Button variant="subtle" color="gray" size="compact-xs" onClick={() => read()}>
            {t("notices.readAll")}
          </Button>
        ) : null}
      </div>
      {list.isError ? (
        <p className={classes.none} role="alert">
          {t("notices.failed")}{" "}
          <Button variant="subtle" size="compact-xs" onClick={() => list.refetch()}>
            {t("notices.again")}
          </Button>
        </p>
      ) : list.data && ending.length + told.length === 0 ? (
        <p className={classes.none}>{t("notices.none")}</p>
      ) : null}
      <ul aria-busy={list.isPending}>
        {ending.map((notice) => (
          <li key={notice.key} className={classes.line}>
            <span>
              {notice.role
                ? t("notices.role", { account: notice.account, role: roleName(notice.role), date: notice.endsOn })
                : t("notices.agreement", { account: notice.account, date: notice.endsOn })}
            </span>
            <Button variant="subtle" color="gray" justify="start" onClick={() => putAside(notice.key)}>
              {t("notices.aside")}
            </Button>
          </li>
        ))}
        {told.map((notice) => (
          <li key={notice.id}>
            <NoticeLine
              notice={notice}
              time={formatMoment(notice.createdAt, offset)}
              onRead={() => read([notice.id])}
              onLeave={() => setOpened(false)}
            />
          </li>
        ))}
      </ul>
      {larger && list.data && list.data.total > told.length ? (
        <Button variant="subtle" color="gray" fullWidth onClick={() => setSize(larger)}>
          {t("notices.more")} ({formatNumber(list.data.total - told.length)})
        </Button>
      ) : null}
    </DropPanel>
  );
}

type LineProps = { notice: NoticeRow; time: string; onRead: () => void; onLeave: () => void };

/** One notice: leads to what it tells of; without an address it is only marked as read. */
function NoticeLine({ notice, time, onRead, onLeave }: LineProps) {
  const t = useTranslations("shell");
  const words = (
    <>
      <span className={classes.lineHead}>
        <span className={notice.readAt ? classes.told : classes.fresh}>
          {notice.readAt ? null : <span className={classes.dot} role="img" aria-label={t("notices.unread")} />}
          {notice.title}
        </span>
        <time className={classes.when}>{time}</time>
      </span>
      {notice.body ? <span className={classes.quiet}>{notice.body}</span> : null}
    </>
  );
  const read = () => {
    if (!notice.readAt) onRead();
  };
  return notice.link ? (
    <Link
      className={classes.line}
      href={notice.link}
      prefetch={false}
      onClick={() => {
        read();
        onLeave();
      }}
    >
      {words}
    </Link>
  ) : (
    <button type="button" className={classes.line} onClick={read}>
      {words}
    </button>
  );
}
