"use client";
import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId } from "react";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { Tag } from "#components/ui/status-tag.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { emptyText, formatMinute } from "#lib/core/format.ts";
import { revokeSignIns } from "#lib/session/sign-ins/actions.ts";
import type { SignIn } from "#lib/session/sign-ins/queries.ts";
import classes from "./preferences.module.css";

/** Where the person is signed in; every other sign-in can be ended from here. */
export function SignInsCard() {
  const t = useTranslations("session.preferences");
  const client = useQueryClient();
  const { offset } = useSession();
  const id = useId();
  const [revoke, revoking] = useAction(revokeSignIns);
  const list = useQuery({
    queryKey: ["sign-ins"],
    queryFn: async ({ signal }) => dataOf(await callDoor<{ records: SignIn[] }>("session/listOwn", {}, { signal })).records,
  });
  const end = async (sid?: string) => {
    const answer = await revoke(sid ? { sid } : { others: true });
    if (answer.status >= 400) toast.problem(answer.msg ?? t("failed"));
    else toast.done(t("signIns.done", { count: answer.data?.count ?? 0 }));
    await client.invalidateQueries({ queryKey: ["sign-ins"] });
  };
  const rows = list.data ?? [];
  return (
    <section className={classes.card} aria-labelledby={`${id}-title`} aria-busy={list.isFetching}>
      <div className={classes.head}>
        <h2 id={`${id}-title`}>{t("signIns.title")}</h2>
        {rows.length > 1 ? (
          <Button loading={revoking} onClick={() => end()}>
            {t("signIns.others")}
          </Button>
        ) : null}
      </div>
      {list.isError ? <ErrorPanel title={t("signIns.failed")} onRetry={() => list.refetch()} /> : null}
      {rows.length > 0 ? (
        <div className={classes.scroll}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">{t("signIns.since")}</th>
                <th scope="col">{t("signIns.seen")}</th>
                <th scope="col">{t("signIns.until")}</th>
                <th scope="col">{t("signIns.ip")}</th>
                <th scope="col">
                  <span className="visually-hidden">{t("signIns.end")}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.sid}>
                  <td>{formatMinute(row.createdAt, offset)}</td>
                  <td>{formatMinute(row.lastSeenAt, offset)}</td>
                  <td>{formatMinute(row.expiresAt, offset)}</td>
                  <td>{row.ip ?? emptyText}</td>
                  <td>
                    {row.isThis ? (
                      <Tag tone="ok">{t("signIns.this")}</Tag>
                    ) : (
                      <Button variant="subtle" color="gray" loading={revoking} onClick={() => end(row.sid)}>
                        {t("signIns.end")}
                      </Button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
    </section>
  );
}
