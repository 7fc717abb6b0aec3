"use client";
import { Button, Checkbox, Modal } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { membersPerCall } from "#lib/access/limits.ts";
import { deleteMemberRoles } from "#lib/access/members/actions.ts";
import type { Member } from "#lib/access/members/queries.ts";
import { roleName } from "#lib/core/format.ts";
import classes from "./access.module.css";

type Props = { members: Member[] | null; onClose: () => void; onDone: () => unknown };

/** Takes roles from the chosen members: which of the roles they hold is asked first. */
export function RevokeDialog({ members, onClose, onDone }: Props) {
  const t = useTranslations("access.revokeDialog");
  const common = useTranslations("common");
  return (
    <Modal opened={members !== null} onClose={onClose} title={t("title")} size={440} closeButtonProps={{ "aria-label": common("close") }}>
      {members ? <RevokeForm members={members} onClose={onClose} onDone={onDone} /> : null}
    </Modal>
  );
}

function RevokeForm({ members, onClose, onDone }: { members: Member[]; onClose: () => void; onDone: () => unknown }) {
  const t = useTranslations("access.revokeDialog");
  const list = useTranslations("access.members");
  const common = useTranslations("common");
  const held = members.flatMap((member) => member.roles);
  const names = [...new Set(held.map((one) => one.role))].sort();
  const [chosen, setChosen] = useState<string[]>(names.length === 1 ? names : []);
  const [fault, setFault] = useState<string | null>(null);
  const [remove, removing] = useAction(deleteMemberRoles);
  const doomed = held.filter((one) => chosen.includes(one.role));
  const many = doomed.length > membersPerCall;
  const submit = async () => {
    const answer = await remove({
      ids: doomed.map((one) => one.id),
      rowVersions: Object.fromEntries(doomed.map((one) => [String(one.id), one.rowVersion])),
    });
    if (answer.status >= 400) {
      setFault(answer.msg ?? String(answer.code));
      if (answer.status === 409 || answer.status === 404) await onDone();
      return;
    }
    toast.done(t("done", { count: doomed.length }));
    onClose();
    await onDone();
  };
  return (
    <div className={classes.form}>
      <Checkbox.Group
        label={t("text", { count: members.length })}
        value={chosen}
        onChange={(next) => {
          setChosen(next);
          setFault(null);
        }}
      >
        <div className={classes.form}>
          {names.map((name) => (
            <Checkbox
              key={name}
              value={name}
              label={t("held", { role: roleName(name), count: held.filter((one) => one.role === name).length })}
            />
          ))}
        </div>
      </Checkbox.Group>
      <div role="alert">
        {fault || many ? <p className={classes.fault}>{fault ?? list("tooManyRoles", { max: membersPerCall })}</p> : null}
      </div>
      <div className={classes.foot}>
        <Button data-autofocus onClick={onClose}>
          {common("cancel")}
        </Button>
        <Button variant="filled" color="red" loading={removing} disabled={doomed.length === 0 || many} onClick={submit}>
          {t("verb", { count: doomed.length })}
        </Button>
      </div>
    </div>
  );
}
