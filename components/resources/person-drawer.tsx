"use client";
import { Button, Drawer } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { dataOf } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { formatMoment, roleName } from "#lib/core/format.ts";
import type { HistoryEntry, Resource } from "#lib/resources/pool/queries.ts";
import { AuthBar, Dots, Visa } from "./pool-columns.tsx";
import classes from "./resources.module.css";

type Props = {
  person: Resource;
  today: string;
  onClose: () => void;
  onEdit: (() => void) | undefined;
  onTransfer: (() => void) | undefined;
};

/** A person of the pool with what was changed about him. */
export function PersonDrawer({ person, today, onClose, onEdit, onTransfer }: Props) {
  const t = useTranslations("resources");
  const common = useTranslations("common");
  const { can, offset } = useSession();
  const history = useQuery({
    queryKey: ["resource history", person.id, person.rowVersion],
    enabled: can("resource.view"),
    queryFn: async ({ signal }) => dataOf(await callDoor<HistoryEntry[]>("resource/history", { id: person.id }, { signal })),
  });
  const facts: [string, React.ReactNode][] = [
    [t("field.account"), person.account],
    [t("field.employeeId"), person.employeeId ?? "-"],
    [t("field.type"), t(`type.${person.type}`)],
    [t("field.subcontractor"), person.subcontractor ?? "-"],
    [t("field.contractor"), person.contractor ?? "-"],
    [t("field.phone"), person.phone ?? "-"],
    [t("field.roles"), person.roles.map(roleName).join(", ") || "-"],
    [t("field.groups"), person.groups.map(({ name, isLeader }) => (isLeader ? `${name} (${t("groups.leader")})` : name)).join(", ") || "-"],
    [t("field.auth"), <AuthBar key="auth" start={person.authStart} end={person.authEnd} today={today} t={t} />],
    [t("field.visa"), <Visa key="visa" person={person} today={today} />],
    [t("field.skills"), person.skills.join(", ") || "-"],
    [t("field.openOrders"), String(person.openOrders)],
    [t("field.lastActivityAt"), person.lastActivityAt ? formatMoment(new Date(person.lastActivityAt), offset) : "-"],
  ];
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={420}
      title={
        <span className={classes.person}>
          <Dots person={person} t={t} />
          {person.name}
        </span>
      }
      closeButtonProps={{ "aria-label": common("close") }}
    >
      <dl className={classes.facts}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className={classes.verbs}>
        {onEdit ? <Button onClick={onEdit}>{common("edit")}</Button> : null}
        {onTransfer && person.status === "ACTIVE" ? <Button onClick={onTransfer}>{t("transfer.title")}</Button> : null}
      </div>
      {can("resource.view") ? (
        <section aria-labelledby="resource-history" aria-busy={history.isPending}>
          <h2 id="resource-history" className={classes.head}>
            {common("history")}
          </h2>
          {history.isError && !history.data ? (
            <ErrorPanel title={t("historyFailed")} failed={history.error} onRetry={() => history.refetch()} />
          ) : null}
          {history.data?.length === 0 ? <p className={classes.hint}>{t("historyEmpty")}</p> : null}
          <ol className={classes.history}>
            {history.data?.map((entry) => (
              <li key={`${entry.at} ${JSON.stringify(entry.after)}`}>
                <strong>{entry.by ?? "-"}</strong> {formatMoment(new Date(entry.at), offset)}
                <ul>
                  {changesOf(entry).map(([name, old, next]) => (
                    <li key={name}>
                      {t.has(`field.${name}`) ? t(`field.${name}`) : name}: <s>{old}</s> → {next}
                    </li>
                  ))}
                </ul>
              </li>
            ))}
          </ol>
        </section>
      ) : null}
    </Drawer>
  );
}

const textOf = (value: unknown): string =>
  value === null || value === undefined || value === "" ? "-" : typeof value === "object" ? JSON.stringify(value) : String(value);

/** Fields of an entry whose value is another one after it. */
function changesOf({ before, after }: HistoryEntry): [string, string, string][] {
  const [old, next] = [(before ?? {}) as Record<string, unknown>, (after ?? {}) as Record<string, unknown>];
  return [...new Set([...Object.keys(old), ...Object.keys(next)])]
    .map((name): [string, string, string] => [name, textOf(old[name]), textOf(next[name])])
    .filter(([, a, b]) => a !== b);
}
