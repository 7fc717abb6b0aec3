"use client";
import { Modal } from "@mantine/core";
import { useTranslations } from "next-intl";
import type { FormEvent } from "react";
import { useCloseGuard, useEdited } from "#components/ui/close-guard.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import type { VersionRow } from "#lib/plan-versions/queries.ts";
import { NameFields } from "./name-fields.tsx";
import { useVersionForm } from "./use-version-form.ts";
import classes from "./versions.module.css";

/** Gives a version another name and remark. */
export function RenameDialog({ version, onClose, onSaved }: { version: VersionRow; onClose: () => void; onSaved: () => void }) {
  const t = useTranslations("plan-versions.rename");
  const common = useTranslations("common");
  const form = useVersionForm({ name: version.name, remark: version.remark ?? "" });
  const { close, question } = useCloseGuard(useEdited(form.values), onClose);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!(await form.submit({ id: version.id, rowVersion: version.rowVersion }))) return;
    onSaved();
    onClose();
  };
  return (
    <Modal
      opened
      onClose={close}
      title={t("title", { code: version.code })}
      size={480}
      closeButtonProps={{ "aria-label": common("close") }}
    >
      <form className={classes.form} onSubmit={submit} noValidate>
        <NameFields {...form.values} faults={form.faults} onChange={form.change} />
        <DialogFoot problem={form.problem} verb={common("save")} busy={form.saving} onClose={close} />
      </form>
      {question}
    </Modal>
  );
}
