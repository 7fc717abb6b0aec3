"use client";
import { Button, Modal } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Confirm } from "#components/ui/confirm.tsx";
import { OwnListCard, useOwnList } from "#components/ui/own-list-card.tsx";
import { SecretText } from "#components/ui/secret-text.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { formatMinute } from "#lib/core/format.ts";
import { createFeed, revokeFeed } from "#lib/rollout-plan/feeds/actions.ts";
import type { FeedRow } from "#lib/rollout-plan/feeds/queries.ts";

/** The person's calendar feeds of the project: secret addresses for a calendar program, each shown once. */
export function FeedsCard() {
  const t = useTranslations("session.preferences");
  const common = useTranslations("common");
  const { offset } = useSession();
  const [address, setAddress] = useState<string | null>(null);
  const [asked, setAsked] = useState<FeedRow | null>(null);
  const [make, making] = useAction(createFeed);
  const [revoke] = useAction(revokeFeed);
  const list = useOwnList<FeedRow>("feeds", "feed/list");
  const create = async () => {
    const answer = await make({});
    if (answer.status >= 400 || !answer.data) return void toast.problem(answer.msg ?? t("failed"));
    setAddress(new URL(answer.data.address, window.location.origin).href);
    await list.refresh();
  };
  const end = async () => {
    if (asked) await list.settle(await revoke({ id: asked.id }), () => t("feeds.ended"));
  };
  return (
    <OwnListCard
      list={list}
      title={t("feeds.title")}
      failed={t("feeds.failed")}
      note={t("feeds.note")}
      none={t("feeds.none")}
      head={
        <Button loading={making} onClick={create}>
          {t("feeds.make")}
        </Button>
      }
      rowKey={(row) => row.id}
      columns={[
        { label: t("feeds.created"), render: (row) => formatMinute(row.createdAt, offset), isName: true },
        { label: t("feeds.used"), render: (row) => formatMinute(row.lastUsedAt, offset) },
      ]}
      verb={{
        label: t("feeds.end"),
        render: (row) => (
          <Button
            variant="subtle"
            color="red"
            aria-label={t("feeds.endOf", { time: formatMinute(row.createdAt, offset) })}
            onClick={() => setAsked(row)}
          >
            {t("feeds.end")}
          </Button>
        ),
      }}
    >
      <Modal
        opened={address !== null}
        onClose={() => setAddress(null)}
        title={t("feeds.title")}
        size={560}
        closeOnClickOutside={false}
        closeButtonProps={{ "aria-label": common("close") }}
      >
        <SecretText
          secret={address ?? ""}
          note={t("feeds.once")}
          copy={t("feeds.copy")}
          copied={t("feeds.copied")}
          onClose={() => setAddress(null)}
        />
      </Modal>
      <Confirm opened={asked !== null} danger verb={t("feeds.endVerb")} onConfirm={end} onClose={() => setAsked(null)}>
        {t("feeds.endText")}
      </Confirm>
    </OwnListCard>
  );
}
