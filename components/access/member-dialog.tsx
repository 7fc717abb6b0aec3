"use client";
import { Button, Modal } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useCloseGuard } from "#components/ui/close-guard.tsx";
import { Confirm } from "#components/ui/confirm.tsx";
import { DayInput } from "#components/ui/day-input.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { deleteMemberRoles, saveMemberRole } from "#lib/access/members/actions.ts";
import type { HeldRole, Member } from "#lib/access/members/queries.ts";
import { callDoor, listAddress } from "#lib/core/call-door.ts";
import { projectToday } from "#lib/core/clock.ts";
import type { Answer } from "#lib/core/error.ts";
import { roleName } from "#lib/core/format.ts";
import type { Page } from "#lib/core/paging.ts";
import classes from "./access.module.css";
import { ValidityTag } from "./validity.tsx";

type Props = { member: Member | null; onClose: () => void; onChange: () => unknown; onGrant?: (member: Member) => void };

/** Another validity of a role as it is typed, with the role it was typed upon. */
type Edit = { base: HeldRole; from: string; to: string };

const isChanged = ({ base, from, to }: Edit) => from !== base.validFrom || to !== (base.validTo ?? "");

/** The roles of one member: validity can be changed, a role revoked, another one granted; without the right they are shown only. */
export function MemberDialog({ member, onClose, onChange, onGrant }: Props) {
  const t = useTranslations("access.member");
  const common = useTranslations("common");
  const project = useProjectNumber();
  const [edits, setEdits] = useState<ReadonlyMap<number, Edit>>(new Map());
  // Read by itself: after a change the list may not show the member any more.
  const read = useQuery({
    queryKey: ["list", project, "memberRole/list", "one", member?.account],
    enabled: member !== null,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const filters = [{ field: "account", type: "eq" as const, values: [member?.account ?? ""] }];
      return dataOf(await callDoor<Page<Member>>(listAddress("memberRole/list", 1, 10, filters), {}, { signal }));
    },
  });
  const roles = (read.data ? read.data.records[0]?.roles : member?.roles) ?? [];
  const isEdited = [...edits.values()].some(isChanged);
  const end = () => {
    setEdits(new Map());
    onClose();
  };
  const grant = () => {
    if (!member) return;
    end();
    onGrant?.(member);
  };
  const { close, question } = useCloseGuard(isEdited, end);
  const other = useCloseGuard(isEdited, grant);
  const put = (id: number, edit: Edit) => setEdits((before) => new Map(before).set(id, edit));
  const drop = (id: number, edit: Edit | undefined) =>
    setEdits((before) => (before.get(id) === edit ? new Map([...before].filter(([key]) => key !== id)) : before));
  return (
    <Modal
      opened={member !== null}
      onClose={close}
      title={t("title", { name: member?.name ?? "" })}
      size={760}
      closeButtonProps={{ "aria-label": common("close") }}
    >
      {member ? (
        <div className={classes.form}>
          <p className={classes.note}>
            {member.account} · {member.email}
          </p>
          {read.isError ? <ErrorPanel title={t("unread")} failed={read.error} onRetry={() => read.refetch()} /> : null}
          <div className={classes.scroll} hidden={read.isError}>
            <table className={classes.table}>
              <thead>
                <tr>
                  <th scope="col">{t("role")}</th>
                  <th scope="col">{t("from")}</th>
                  <th scope="col">{t("to")}</th>
                  <th scope="col">{t("state")}</th>
                  {onGrant ? (
                    <th scope="col">
                      <span className="visually-hidden">{common("edit")}</span>
                    </th>
                  ) : null}
                </tr>
              </thead>
              <tbody>
                {roles.map((held) => (
                  <RoleLine
                    key={held.id}
                    name={member.name}
                    held={held}
                    edit={edits.get(held.id)}
                    editable={onGrant !== undefined}
                    onEdit={(edit) => put(held.id, edit)}
                    onDone={async (edit) => {
                      await onChange();
                      drop(held.id, edit);
                    }}
                  />
                ))}
              </tbody>
            </table>
          </div>
          <div className={classes.foot}>
            {onGrant ? <Button onClick={other.close}>{t("another")}</Button> : null}
            <Button variant="filled" onClick={close}>
              {common("close")}
            </Button>
          </div>
        </div>
      ) : null}
      {question}
      {other.question}
    </Modal>
  );
}

type LineProps = {
  name: string;
  held: HeldRole;
  edit: Edit | undefined;
  editable: boolean;
  onEdit: (edit: Edit) => void;
  /** Told what was saved, or given up with the role. */
  onDone: (edit: Edit | undefined) => Promise<void>;
};

function RoleLine({ name, held, edit, editable, onEdit, onDone }: LineProps) {
  const t = useTranslations("access.member");
  const common = useTranslations("common");
  const { offset } = useSession();
  const [asking, setAsking] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const [save, saving] = useAction(saveMemberRole);
  const [remove] = useAction(deleteMemberRoles);
  const role = roleName(held.role);
  const shown = edit ?? { base: held, from: held.validFrom, to: held.validTo ?? "" };
  const { base, from, to } = shown;
  const end = async (answer: Answer, done: () => void) => {
    if (answer.status >= 400) return setFault(answer.msg ?? t("failed"));
    setFault(null);
    done();
    await onDone(edit);
  };
  const submit = async () =>
    end(await save({ id: base.id, rowVersion: base.rowVersion, validFrom: from, validTo: to || null }), () => toast.done(t("saved")));
  const revoke = async () => end(await remove({ ids: [held.id], rowVersions: { [String(held.id)]: held.rowVersion } }), () => {});
  return (
    <>
      <tr>
        <th scope="row" className={classes.nowrap}>
          {role}
        </th>
        <td className={classes.nowrap}>
          {editable ? (
            <DayInput
              aria-label={t("fromOf", { role })}
              value={from}
              onChange={(day) => onEdit({ ...shown, from: day })}
              error={fault !== null}
            />
          ) : (
            held.validFrom
          )}
        </td>
        <td className={classes.nowrap}>
          {editable ? (
            <DayInput
              aria-label={t("toOf", { role })}
              value={to}
              onChange={(day) => onEdit({ ...shown, to: day })}
              clearable
              error={fault !== null}
            />
          ) : (
            (held.validTo ?? t("noEnd"))
          )}
        </td>
        <td>
          <ValidityTag period={held} today={projectToday(new Date(), offset)} />
        </td>
        {editable ? (
          <td>
            <span className={classes.end}>
              {isChanged(shown) ? (
                <Button variant="filled" loading={saving} disabled={!from} onClick={submit}>
                  {common("save")}
                </Button>
              ) : null}
              <Button variant="subtle" color="red" onClick={() => setAsking(true)}>
                {t("revokeOne", { role })}
              </Button>
            </span>
            <Confirm opened={asking} danger verb={t("revokeOne", { role })} onConfirm={revoke} onClose={() => setAsking(false)}>
              {t("revokeText", { name, role })}
            </Confirm>
          </td>
        ) : null}
      </tr>
      {fault ? (
        <tr>
          <td colSpan={5}>
            <p className={classes.fault} role="alert">
              {fault}
            </p>
          </td>
        </tr>
      ) : null}
    </>
  );
}
