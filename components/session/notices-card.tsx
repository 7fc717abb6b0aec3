"use client";
import { Button } from "@mantine/core";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { OwnListCard, useOwnList } from "#components/ui/own-list-card.tsx";
import { useAction } from "#components/ui/use-action.ts";
import { emptyText, roleName } from "#lib/core/format.ts";
import { resetNotices } from "#lib/session/actions.ts";
import type { Acknowledged } from "#lib/session/queries.ts";

/** Reminders the person has put aside; each, or all, can be had again. */
export function NoticesCard() {
  const t = useTranslations("session.preferences");
  const router = useRouter();
  const [reset, resetting] = useAction(resetNotices);
  const list = useOwnList<Acknowledged>("acknowledged", "notice/ackList");
  const again = async (keys?: string[]) => {
    const answer = await reset(keys ? { noticeKeys: keys } : {});
    if (await list.settle(answer, (data) => t("notices.done", { count: data?.count ?? 0 }))) router.refresh();
  };
  return (
    <OwnListCard
      list={list}
      title={t("notices.title")}
      failed={t("notices.failed")}
      none={t("notices.none")}
      head={
        list.rows.length > 1 ? (
          <Button loading={resetting} onClick={() => again()}>
            {t("notices.all")}
          </Button>
        ) : null
      }
      rowKey={(row) => row.key}
      columns={[
        { label: t("notices.account"), render: (row) => row.account },
        { label: t("notices.project"), render: (row) => row.projectNumber ?? emptyText },
        { label: t("notices.what"), render: (row) => (row.role ? roleName(row.role) : t("notices.agreement")) },
        { label: t("notices.endsOn"), render: (row) => row.endsOn },
      ]}
      verb={{
        label: t("notices.again"),
        render: (row) => (
          <Button variant="subtle" color="gray" loading={resetting} onClick={() => again([row.key])}>
            {t("notices.again")}
          </Button>
        ),
      }}
    />
  );
}
