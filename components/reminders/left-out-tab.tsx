"use client";
import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import card from "#components/ui/card.module.css";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { formatMoment, formatNumber } from "#lib/core/format.ts";
import { deleteOptout, unblockAddress } from "#lib/reminders/outbox/actions.ts";
import { failuresToBlock } from "#lib/reminders/outbox/limits.ts";
import type { BlockedAddress, OptoutRow } from "#lib/reminders/outbox/queries.ts";
import { kindKey } from "./mail-view.ts";
import classes from "./settings.module.css";

/** Who has declined which mails, and which addresses are blocked; both can be taken back. */
export function LeftOutTab() {
  const t = useTranslations("reminders.settings");
  const kinds = useTranslations("reminders.kind");
  const project = useProjectNumber();
  const client = useQueryClient();
  const { can, offset } = useSession();
  const [remove, removing] = useAction(deleteOptout);
  const [unblock, unblocking] = useAction(unblockAddress);
  const key = ["mail-optouts", project];
  const found = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) =>
      dataOf(await callDoor<{ optouts: OptoutRow[]; blocked: BlockedAddress[] }>("mail/optout/list", {}, { signal })),
    retry: false,
  });
  const settle = async (answer: { status: number; msg?: string | undefined; code?: string | undefined }, done: string) => {
    if (answer.status < 400) toast.done(done);
    else toast.problem(answer.msg ?? String(answer.code));
    await client.invalidateQueries({ queryKey: key });
  };
  if (found.isError) return <ErrorPanel title={t("failed")} failed={found.error} onRetry={() => found.refetch()} />;
  const { optouts = [], blocked = [] } = found.data ?? {};
  return (
    <div className={classes.page} aria-busy={found.isPending}>
      <section className={`${card.card} ${classes.list}`} aria-label={t("declined")}>
        <h2>{t("declined")}</h2>
        {optouts.length === 0 && found.data ? <p className={classes.quiet}>{t("declinedNone")}</p> : null}
        {optouts.length > 0 ? (
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">{t("who")}</th>
                <th scope="col">{t("what")}</th>
                <th scope="col">{t("since")}</th>
                <td />
              </tr>
            </thead>
            <tbody>
              {optouts.map((row) => (
                <tr key={row.id}>
                  <th scope="row">{row.who}</th>
                  <td>{kinds(kindKey(row.kind))}</td>
                  <td>{formatMoment(row.createdAt, offset)}</td>
                  <td>
                    {can("notice.edit") || row.own ? (
                      <Button
                        size="compact-xs"
                        disabled={removing}
                        onClick={async () => settle(await remove({ id: row.id }), t("takenBack", { who: row.who }))}
                      >
                        {t("takeBack")}
                      </Button>
                    ) : null}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        ) : null}
      </section>
      <section className={`${card.card} ${classes.list}`} aria-label={t("blocked")}>
        <h2>{t("blocked")}</h2>
        <p className={classes.quiet}>
          {blocked.length === 0 && found.data ? t("blockedNone") : t("blockedText", { count: failuresToBlock })}
        </p>
        {blocked.length > 0 ? (
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">{t("address")}</th>
                <th scope="col" data-align="right">
                  {t("failures")}
                </th>
                <th scope="col">{t("error")}</th>
                <td />
              </tr>
            </thead>
            <tbody>
              {blocked.map((row) => (
                <tr key={row.address}>
                  <th scope="row">{row.address}</th>
                  <td data-align="right">{formatNumber(row.failures)}</td>
                  <td>{row.lastError ?? "-"}</td>
                  <td>
                    {can("notice.edit") ? (
                      <Button
                        size="compact-xs"
                        disabled={unblocking}
                        onClick={async () => settle(await unblock({ address: row.address }), t("unblocked", { address: row.address }))}
                      >
                        {t("unblock")}
                      </Button>
                    ) : null}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        ) : null}
      </section>
    </div>
  );
}
