"use client";
import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Confirm } from "#components/ui/confirm.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { Tag } from "#components/ui/status-tag.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { revokeDelegation } from "#lib/access/delegations/actions.ts";
import type { Delegation } from "#lib/access/delegations/queries.ts";
import { validityOf } from "#lib/access/logic.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { projectToday } from "#lib/core/clock.ts";
import { emptyText, formatRange, roleName } from "#lib/core/format.ts";
import classes from "./access.module.css";
import { DelegationDialog } from "./delegation-dialog.tsx";
import { ValidityTag } from "./validity.tsx";

/** Delegations the person has given or been given; his own can be revoked. */
export function DelegationsTab({ adding, onAdded }: { adding: boolean; onAdded: () => void }) {
  const t = useTranslations("access.delegations");
  const project = useProjectNumber();
  const client = useQueryClient();
  const key = ["delegations", project];
  const list = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => dataOf(await callDoor<{ records: Delegation[] }>("delegation/list", {}, { signal })).records,
  });
  const [asked, setAsked] = useState<Delegation | null>(null);
  const [revoke] = useAction(revokeDelegation);
  const refresh = () => client.invalidateQueries({ queryKey: key });
  const end = async () => {
    if (!asked) return;
    const answer = await revoke({ id: asked.id });
    if (answer.status >= 400) toast.problem(answer.msg ?? String(answer.code));
    else toast.done(t("revokeDone"));
    await refresh();
  };
  return (
    <>
      <ScrollRegion className={classes.page} label={t("label")} busy={list.isFetching}>
        <p className={classes.note}>{t("note")}</p>
        {list.isError ? (
          <ErrorPanel title={t("failed")} failed={list.error} onRetry={() => list.refetch()} />
        ) : list.data?.length === 0 ? (
          <EmptyState title={t("empty")} text={t("emptyText")} />
        ) : (
          <table className={classes.table} aria-label={t("label")}>
            <thead>
              <tr>
                {(["role", "from", "to", "period", "state", "reason"] as const).map((column) => (
                  <th key={column} scope="col">
                    {t(column)}
                  </th>
                ))}
                <th scope="col">
                  <span className="visually-hidden">{t("revoke")}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {(list.data ?? []).map((row) => (
                <DelegationLine key={row.id} row={row} onRevoke={() => setAsked(row)} />
              ))}
            </tbody>
          </table>
        )}
      </ScrollRegion>
      <DelegationDialog opened={adding} onClose={onAdded} onDone={refresh} />
      <Confirm opened={asked !== null} danger verb={t("revokeVerb")} onConfirm={end} onClose={() => setAsked(null)}>
        {asked ? t("revokeText", { name: asked.delegate.name, role: roleName(asked.role) }) : null}
      </Confirm>
    </>
  );
}

function DelegationLine({ row, onRevoke }: { row: Delegation; onRevoke: () => void }) {
  const t = useTranslations("access.delegations");
  const { offset } = useSession();
  const today = projectToday(new Date(), offset);
  const over = row.revokedAt !== null || validityOf(row, today) === "ended";
  return (
    <tr className={over ? classes.old : undefined}>
      <th scope="row" className={classes.nowrap}>
        {roleName(row.role)}
      </th>
      <td>{row.delegator.name}</td>
      <td>{row.delegate.name}</td>
      <td className={classes.nowrap}>{formatRange(row.validFrom, row.validTo)}</td>
      <td>{row.revokedAt ? <Tag>{t("revoked")}</Tag> : <ValidityTag period={row} today={today} />}</td>
      <td>{row.reason ?? emptyText}</td>
      <td>
        <span className={classes.end}>
          {row.isMine && !over ? (
            <Button variant="subtle" color="red" aria-label={t("revokeOf", { name: row.delegate.name })} onClick={onRevoke}>
              {t("revoke")}
            </Button>
          ) : null}
        </span>
      </td>
    </tr>
  );
}
