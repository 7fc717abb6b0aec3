"use client";
import { Button, Modal } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Confirm } from "#components/ui/confirm.tsx";
import { DayInput } from "#components/ui/day-input.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { deleteMemberRoles, saveMemberRole } from "#lib/access/members/actions.ts";
import type { HeldRole, Member } from "#lib/access/members/queries.ts";
import { projectToday } from "#lib/core/clock.ts";
import type { Answer } from "#lib/core/error.ts";
import classes from "./access.module.css";
import { roleLabel, ValidityTag } from "./validity.tsx";

type Props = { member: Member | null; onClose: () => void; onChange: () => unknown; onGrant?: (member: Member) => void };

/** The roles of one member: validity can be changed, a role revoked, another one granted; without the right they are shown only. */
export function MemberDialog({ member, onClose, onChange, onGrant }: Props) {
  const t = useTranslations("access.member");
  const common = useTranslations("common");
  return (
    <Modal
      opened={member !== null}
      onClose={onClose}
      title={t("title", { name: member?.name ?? "" })}
      size={760}
      closeButtonProps={{ "aria-label": common("close") }}
    >
      {member ? (
        <div className={classes.form}>
          <p className={classes.note}>
            {member.account} · {member.email}
          </p>
          <div className={classes.scroll}>
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
                {member.roles.map((held) => (
                  <RoleLine
                    key={`${held.id} ${held.rowVersion}`}
                    name={member.name}
                    held={held}
                    editable={onGrant !== undefined}
                    onDone={async () => {
                      onClose();
                      await onChange();
                    }}
                  />
                ))}
              </tbody>
            </table>
          </div>
          <div className={classes.foot}>
            {onGrant ? (
              <Button
                onClick={() => {
                  onClose();
                  onGrant(member);
                }}
              >
                {t("another")}
              </Button>
            ) : null}
            <Button variant="filled" onClick={onClose}>
              {common("close")}
            </Button>
          </div>
        </div>
      ) : null}
    </Modal>
  );
}

function RoleLine({ name, held, editable, onDone }: { name: string; held: HeldRole; editable: boolean; onDone: () => Promise<void> }) {
  const t = useTranslations("access.member");
  const common = useTranslations("common");
  const { offset } = useSession();
  const [from, setFrom] = useState(held.validFrom);
  const [to, setTo] = useState(held.validTo ?? "");
  const [asking, setAsking] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const [save, saving] = useAction(saveMemberRole);
  const [remove] = useAction(deleteMemberRoles);
  const role = roleLabel(held.role);
  const changed = from !== held.validFrom || to !== (held.validTo ?? "");
  const end = async (answer: Answer, done: () => void) => {
    if (answer.status >= 400) return setFault(answer.msg ?? t("failed"));
    done();
    await onDone();
  };
  const submit = async () =>
    end(await save({ id: held.id, rowVersion: held.rowVersion, validFrom: from, validTo: to || null }), () => toast.done(t("saved")));
  const revoke = async () => end(await remove({ ids: [held.id], rowVersions: { [String(held.id)]: held.rowVersion } }), () => {});
  return (
    <>
      <tr>
        <th scope="row" className={classes.nowrap}>
          {role}
        </th>
        <td className={classes.nowrap}>
          {editable ? (
            <DayInput aria-label={t("fromOf", { role })} value={from} onChange={setFrom} error={fault !== null} />
          ) : (
            held.validFrom
          )}
        </td>
        <td className={classes.nowrap}>
          {editable ? (
            <DayInput aria-label={t("toOf", { role })} value={to} onChange={setTo} clearable error={fault !== null} />
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
              {changed ? (
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
