"use client";
import { Button, Modal, Radio } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import type { Grant } from "#lib/access/logic.ts";
import { savePermission } from "#lib/access/matrix/actions.ts";
import { roleName } from "#lib/core/format.ts";
import classes from "./access.module.css";
import type { MatrixCell } from "./matrix-table.tsx";

type Props = { cell: MatrixCell | null; onClose: () => void; onDone: () => Promise<void> };

/** Sets what a role may do for one right in this project, or takes the project's word back. */
export function PermissionDialog({ cell, onClose, onDone }: Props) {
  const t = useTranslations("access.matrix");
  const common = useTranslations("common");
  return (
    <Modal opened={cell !== null} onClose={onClose} title={t("title")} size={440} closeButtonProps={{ "aria-label": common("close") }}>
      {cell ? <PermissionForm cell={cell} onClose={onClose} onDone={onDone} /> : null}
    </Modal>
  );
}

function PermissionForm({ cell, onClose, onDone }: { cell: MatrixCell; onClose: () => void; onDone: () => Promise<void> }) {
  const t = useTranslations("access.matrix");
  const common = useTranslations("common");
  const meaning = useTranslations("access.codes");
  const [choice, setChoice] = useState(cell.own === null ? "default" : cell.own || "none");
  const [fault, setFault] = useState<string | null>(null);
  const [save, saving] = useAction(savePermission);
  const scope: Grant | null = choice === "default" ? null : choice === "none" ? "" : (choice as Grant);
  const submit = async () => {
    const answer = await save({ role: cell.role, code: cell.code, scope, was: cell.own });
    if (answer.status >= 400) {
      setFault(answer.msg ?? String(answer.code));
      if (answer.status === 409) await onDone();
      return;
    }
    toast.done(t("saved"));
    onClose();
    await onDone();
  };
  return (
    <div className={classes.form}>
      <p className={classes.note}>
        {meaning(cell.code)}
        <span className={classes.code}>{cell.code}</span>
      </p>
      <Radio.Group
        label={t("scope", { role: roleName(cell.role) })}
        value={choice}
        onChange={(next) => {
          setChoice(next);
          setFault(null);
        }}
      >
        <div className={classes.form}>
          <Radio value="default" label={t("byDefault", { grant: t(cell.byDefault || "none") })} />
          {(["Y", "O", "none"] as const).map((grant) => (
            <Radio key={grant} value={grant} label={t(grant)} />
          ))}
        </div>
      </Radio.Group>
      <div role="alert">{fault ? <p className={classes.fault}>{fault}</p> : null}</div>
      <div className={classes.foot}>
        <Button onClick={onClose}>{common("cancel")}</Button>
        <Button variant="filled" loading={saving} disabled={scope === cell.own} onClick={submit}>
          {common("save")}
        </Button>
      </div>
    </div>
  );
}
