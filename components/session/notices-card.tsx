"use client";
import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useId } from "react";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { emptyText } from "#lib/core/format.ts";
import { resetNotices } from "#lib/session/actions.ts";
import type { Acknowledged } from "#lib/session/queries.ts";
import classes from "./preferences.module.css";

/** Reminders the person has put aside; each, or all, can be had again. */
export function NoticesCard() {
  const t = useTranslations("session.preferences");
  const client = useQueryClient();
  const router = useRouter();
  const id = useId();
  const [reset, resetting] = useAction(resetNotices);
  const list = useQuery({
    queryKey: ["acknowledged"],
    queryFn: async ({ signal }) => dataOf(await callDoor<{ records: Acknowledged[] }>("notice/ackList", {}, { signal })).records,
  });
  const again = async (keys?: string[]) => {
    const answer = await reset(keys ? { noticeKeys: keys } : {});
    if (answer.status >= 400) return void toast.problem(answer.msg ?? t("failed"));
    toast.done(t("notices.done", { count: answer.data?.count ?? 0 }));
    await client.invalidateQueries({ queryKey: ["acknowledged"] });
    router.refresh();
  };
  const rows = list.data ?? [];
  return (
    <section className={classes.card} aria-labelledby={`${id}-title`} aria-busy={list.isFetching}>
      <div className={classes.head}>
        <h2 id={`${id}-title`}>{t("notices.title")}</h2>
        {rows.length > 1 ? (
          <Button loading={resetting} onClick={() => again()}>
            {t("notices.all")}
          </Button>
        ) : null}
      </div>
      {list.isError ? <ErrorPanel title={t("notices.failed")} onRetry={() => list.refetch()} /> : null}
      {list.isSuccess && rows.length === 0 ? <p className={classes.note}>{t("notices.none")}</p> : null}
      {rows.length > 0 ? (
        <div className={classes.scroll}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">{t("notices.account")}</th>
                <th scope="col">{t("notices.project")}</th>
                <th scope="col">{t("notices.what")}</th>
                <th scope="col">{t("notices.endsOn")}</th>
                <th scope="col">
                  <span className="visually-hidden">{t("notices.again")}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.key}>
                  <td>{row.account}</td>
                  <td>{row.projectNumber ?? emptyText}</td>
                  <td>{row.role?.replaceAll("_", " ") ?? t("notices.agreement")}</td>
                  <td>{row.endsOn}</td>
                  <td>
                    <Button variant="subtle" color="gray" loading={resetting} onClick={() => again([row.key])}>
                      {t("notices.again")}
                    </Button>
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
