"use client";
import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { Confirm } from "#components/ui/confirm.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { formatMinute } from "#lib/core/format.ts";
import { revokeToken } from "#lib/session/tokens/actions.ts";
import type { TokenRow } from "#lib/session/tokens/queries.ts";
import classes from "./preferences.module.css";
import { TokenDialog } from "./token-dialog.tsx";

/** The person's API tokens, for scripts and integrations: made, used, ended. */
export function TokensCard() {
  const t = useTranslations("session.preferences");
  const client = useQueryClient();
  const { offset } = useSession();
  const id = useId();
  const [making, setMaking] = useState(false);
  const [asked, setAsked] = useState<TokenRow | null>(null);
  const [revoke] = useAction(revokeToken);
  const list = useQuery({
    queryKey: ["tokens"],
    queryFn: async ({ signal }) => dataOf(await callDoor<{ records: TokenRow[] }>("apiToken/list", {}, { signal })).records,
  });
  const refresh = () => client.invalidateQueries({ queryKey: ["tokens"] });
  const end = async () => {
    if (!asked) return;
    const answer = await revoke({ id: asked.id });
    if (answer.status >= 400) toast.problem(answer.msg ?? t("failed"));
    else toast.done(t("tokens.ended", { name: asked.name }));
    await refresh();
  };
  const rows = list.data ?? [];
  return (
    <section className={classes.card} aria-labelledby={`${id}-title`} aria-busy={list.isFetching}>
      <div className={classes.head}>
        <h2 id={`${id}-title`}>{t("tokens.title")}</h2>
        <Button onClick={() => setMaking(true)}>{t("tokens.make")}</Button>
      </div>
      <p className={classes.note}>{t("tokens.note")}</p>
      {list.isError ? <ErrorPanel title={t("tokens.failed")} onRetry={() => list.refetch()} /> : null}
      {list.isSuccess && rows.length === 0 ? <p className={classes.note}>{t("tokens.none")}</p> : null}
      {rows.length > 0 ? (
        <div className={classes.scroll}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">{t("tokens.name")}</th>
                <th scope="col">{t("tokens.created")}</th>
                <th scope="col">{t("tokens.expires")}</th>
                <th scope="col">{t("tokens.used")}</th>
                <th scope="col">
                  <span className="visually-hidden">{t("tokens.end")}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.id}>
                  <th scope="row">{row.name}</th>
                  <td>{formatMinute(row.createdAt, offset)}</td>
                  <td>{formatMinute(row.expiresAt, offset)}</td>
                  <td>{formatMinute(row.lastUsedAt, offset)}</td>
                  <td>
                    <Button variant="subtle" color="red" aria-label={t("tokens.endOf", { name: row.name })} onClick={() => setAsked(row)}>
                      {t("tokens.end")}
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
      <TokenDialog opened={making} onClose={() => setMaking(false)} onDone={refresh} />
      <Confirm opened={asked !== null} danger verb={t("tokens.endVerb")} onConfirm={end} onClose={() => setAsked(null)}>
        {asked ? t("tokens.endText", { name: asked.name }) : null}
      </Confirm>
    </section>
  );
}
