"use client";
import { Button } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Confirm } from "#components/ui/confirm.tsx";
import { OwnListCard, useOwnList } from "#components/ui/own-list-card.tsx";
import { useAction } from "#components/ui/use-action.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { formatMinute } from "#lib/core/format.ts";
import { revokeToken } from "#lib/session/tokens/actions.ts";
import type { TokenRow } from "#lib/session/tokens/queries.ts";
import { TokenDialog } from "./token-dialog.tsx";

/** The person's API tokens, for scripts and integrations: made, used, ended. */
export function TokensCard() {
  const t = useTranslations("session.preferences");
  const { offset } = useSession();
  const [making, setMaking] = useState(false);
  const [asked, setAsked] = useState<TokenRow | null>(null);
  const [revoke] = useAction(revokeToken);
  const list = useOwnList<TokenRow>("tokens", "apiToken/list");
  const end = async () => {
    if (asked) await list.settle(await revoke({ id: asked.id }), () => t("tokens.ended", { name: asked.name }));
  };
  return (
    <OwnListCard
      list={list}
      title={t("tokens.title")}
      failed={t("tokens.failed")}
      note={t("tokens.note")}
      none={t("tokens.none")}
      head={<Button onClick={() => setMaking(true)}>{t("tokens.make")}</Button>}
      rowKey={(row) => row.id}
      columns={[
        { label: t("tokens.name"), render: (row) => row.name, isName: true },
        { label: t("tokens.created"), render: (row) => formatMinute(row.createdAt, offset) },
        { label: t("tokens.expires"), render: (row) => formatMinute(row.expiresAt, offset) },
        { label: t("tokens.used"), render: (row) => formatMinute(row.lastUsedAt, offset) },
      ]}
      verb={{
        label: t("tokens.end"),
        render: (row) => (
          <Button variant="subtle" color="red" aria-label={t("tokens.endOf", { name: row.name })} onClick={() => setAsked(row)}>
            {t("tokens.end")}
          </Button>
        ),
      }}
    >
      <TokenDialog opened={making} onClose={() => setMaking(false)} onDone={list.refresh} />
      <Confirm opened={asked !== null} danger verb={t("tokens.endVerb")} onConfirm={end} onClose={() => setAsked(null)}>
        {asked ? t("tokens.endText", { name: asked.name }) : null}
      </Confirm>
    </OwnListCard>
  );
}
