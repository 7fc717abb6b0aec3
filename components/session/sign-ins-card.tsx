"use client";
import { Button } from "@mantine/core";
import { useTranslations } from "next-intl";
import { OwnListCard, useOwnList } from "#components/ui/own-list-card.tsx";
import { Tag } from "#components/ui/status-tag.tsx";
import { useAction } from "#components/ui/use-action.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { emptyText, formatMinute } from "#lib/core/format.ts";
import { revokeSignIns } from "#lib/session/sign-ins/actions.ts";
import type { SignIn } from "#lib/session/sign-ins/queries.ts";

/** Where the person is signed in; every other sign-in can be ended from here. */
export function SignInsCard() {
  const t = useTranslations("session.preferences");
  const { offset } = useSession();
  const [revoke, revoking] = useAction(revokeSignIns);
  const list = useOwnList<SignIn>("sign-ins", "session/listOwn");
  const end = async (sid?: string) => {
    await list.settle(await revoke(sid ? { sid } : { others: true }), (data) => t("signIns.done", { count: data?.count ?? 0 }));
  };
  return (
    <OwnListCard
      list={list}
      title={t("signIns.title")}
      failed={t("signIns.failed")}
      head={
        list.rows.length > 1 ? (
          <Button loading={revoking} onClick={() => end()}>
            {t("signIns.others")}
          </Button>
        ) : null
      }
      rowKey={(row) => row.sid}
      columns={[
        { label: t("signIns.since"), render: (row) => formatMinute(row.createdAt, offset) },
        { label: t("signIns.seen"), render: (row) => formatMinute(row.lastSeenAt, offset) },
        { label: t("signIns.until"), render: (row) => formatMinute(row.expiresAt, offset) },
        { label: t("signIns.ip"), render: (row) => row.ip ?? emptyText },
      ]}
      verb={{
        label: t("signIns.end"),
        render: (row) =>
          row.isThis ? (
            <Tag tone="ok">{t("signIns.this")}</Tag>
          ) : (
            <Button variant="subtle" color="gray" loading={revoking} onClick={() => end(row.sid)}>
              {t("signIns.end")}
            </Button>
          ),
      }}
    />
  );
}
