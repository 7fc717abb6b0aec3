"use client";
import { Modal } from "@mantine/core";
import { useTranslations } from "next-intl";
import type { FormEvent } from "react";
import { useCloseGuard, useEdited } from "#components/ui/close-guard.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { toast } from "#components/ui/toast.ts";
import { NameFields } from "./name-fields.tsx";
import { useVersionForm } from "./use-version-form.ts";
import classes from "./versions.module.css";

/** Saves the present plan of the whole project as a baseline; a large one in the background. */
export function BaselineDialog({ onClose, onSaved }: { onClose: () => void; onSaved: () => void }) {
  const t = useTranslations("plan-versions.baseline");
  const common = useTranslations("common");
  const form = useVersionForm({ name: "", remark: "" });
  const { close, question } = useCloseGuard(useEdited(form.values), onClose);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const saved = await form.submit({ kind: "baseline" });
    if (!saved) return;
    toast.done("taskId" in saved ? t("started") : t("saved", { code: saved.code }));
    onSaved();
    onClose();
  };
  return (
    <Modal opened onClose={close} title={t("title")} size={480} closeButtonProps={{ "aria-label": common("close") }}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <p className={classes.help}>{t("help")}</p>
        <NameFields {...form.values} faults={form.faults} onChange={form.change} />
        <DialogFoot problem={form.problem} verb={t("save")} busy={form.saving} onClose={close} />
      </form>
      {question}
    </Modal>
  );
}
