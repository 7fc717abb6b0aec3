"use client";
import { ActionIcon, Modal, NativeSelect, Select } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { useCloseGuard } from "#components/ui/close-guard.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { Field } from "#components/ui/field.tsx";
import { toast } from "#components/ui/toast.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { roleName } from "#lib/core/format.ts";
import { type TabMode, tabModes } from "#lib/du-tabs/limits.ts";
import type { NamedUser, Tab } from "#lib/du-tabs/queries.ts";
import { roles } from "#lib/permissions.ts";
import classes from "./du-tabs.module.css";

type Props = { tab: Tab; people: readonly { account: string; name: string }[]; onClose: () => void };
type Line = Pick<NamedUser, "account" | "name" | "role" | "mode"> & { isIdle?: boolean };

const told = ({ account, role, mode }: Line) => ({ ...(role === null ? { account } : { role }), mode });

/** Who only reads a tab and who writes it: accounts and roles. Who is not named reads; the roles that lead the project write. [DUT-12] */
export function UsersDialog({ tab, people, onClose }: Props) {
  const t = useTranslations("du-tabs.users");
  const common = useTranslations("common");
  const id = useId();
  const project = useProjectNumber();
  const [draft, setDraft] = useState<{ lines: readonly Line[]; base: readonly Line[] } | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const found = useQuery({
    queryKey: ["du-tab users", project, tab.id],
    gcTime: 0,
    queryFn: async ({ signal }) =>
      dataOf(await callDoor<{ users: NamedUser[] }>("duTabAttr/user/find", { tabId: tab.id }, { signal })).users,
  });
  const { close, question } = useCloseGuard(draft !== null, onClose);
  const lines: readonly Line[] = draft?.lines ?? found.data ?? [];
  const edit = (next: readonly Line[]) => setDraft({ lines: next, base: draft?.base ?? found.data ?? [] });
  const nameOf = ({ account, name, role }: Line) => (role === null ? `${name ?? ""} (${account})` : roleName(role));
  const set = (line: Line, mode: TabMode) =>
    edit(lines.map((one) => (one === line ? { account: one.account, name: one.name, role: one.role, mode } : one)));
  const add = (line: Omit<Line, "mode">) => edit([...lines, { ...line, mode: "RW" }]);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!draft) return;
    setBusy(true);
    const answer = await callDoor("duTabAttr/user/save", { tabId: tab.id, users: draft.lines.map(told), base: draft.base.map(told) });
    setBusy(false);
    if (answer.status >= 400) return setProblem(answer.problems?.[0]?.msg ?? answer.msg ?? t("failed"));
    toast.done(t("saved"));
    onClose();
  };
  return (
    <Modal opened onClose={close} title={t("title", { tab: tab.name })} size={560} closeButtonProps={{ "aria-label": common("close") }}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <p className={classes.quiet}>{t("text")}</p>
        {found.isError ? <ErrorPanel title={t("notRead")} failed={found.error} onRetry={() => found.refetch()} /> : null}
        {found.isSuccess && lines.length === 0 ? <p>{t("nobody")}</p> : null}
        <ul className={classes.users} aria-label={t("title", { tab: tab.name })} aria-busy={found.isPending}>
          {lines.map((line) => (
            <li key={line.account ?? line.role}>
              <span>
                {nameOf(line)}
                {line.isIdle ? <small className={classes.note}>{t("idle")}</small> : null}
              </span>
              <NativeSelect
                aria-label={t("modeOf", { name: nameOf(line) })}
                value={line.mode}
                data={tabModes.map((mode) => ({ value: mode, label: t(`mode.${mode}`) }))}
                onChange={(event) => set(line, event.currentTarget.value as TabMode)}
              />
              <ActionIcon
                size={24}
                aria-label={t("remove", { name: nameOf(line) })}
                onClick={() => edit(lines.filter((one) => one !== line))}
              >
                <IconTrash size={14} stroke={1.4} />
              </ActionIcon>
            </li>
          ))}
        </ul>
        <div className={classes.pair}>
          <Field id={`${id}-role`} label={t("addRole")}>
            <Select
              id={`${id}-role`}
              searchable
              disabled={!found.isSuccess}
              value={null}
              data={roles
                .filter((role) => !lines.some((line) => line.role === role))
                .map((role) => ({ value: role, label: roleName(role) }))}
              onChange={(role) => role && add({ account: null, name: null, role })}
            />
          </Field>
          <Field id={`${id}-person`} label={t("addPerson")}>
            <Select
              id={`${id}-person`}
              searchable
              disabled={!found.isSuccess}
              value={null}
              data={people
                .filter(({ account }) => !lines.some((line) => line.account?.toLowerCase() === account.toLowerCase()))
                .map(({ account, name }) => ({ value: account, label: `${name} (${account})` }))}
              onChange={(account) =>
                account && add({ account, name: people.find((one) => one.account === account)?.name ?? "", role: null })
              }
            />
          </Field>
        </div>
        <DialogFoot problem={problem} verb={common("save")} busy={busy} disabled={draft === null} onClose={close} />
      </form>
      {question}
    </Modal>
  );
}
