"use client";
import { Modal, Select } from "@mantine/core";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field } from "#components/ui/field.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { uploadFile } from "#components/ui/upload-file.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useHref, useProjectNumber } from "#components/ui/use-href.ts";
import { type DateFormat, dateFormats } from "#lib/imports/kind/limits.ts";
import { applyReverse } from "#lib/templates/applications/actions.ts";
import type { ForeignPreview } from "#lib/templates/applications/commands.ts";
import type { ListedTemplate } from "#lib/templates/queries.ts";
import { PlanFileChoice } from "./plan-file-choice.tsx";
import classes from "./template-dialog.module.css";

type Props = { template: ListedTemplate; onClose: () => void };

/** Imports a foreign plan by a reverse template: what its columns give, its first rows, what nobody reads; then the check of every cell, as of any import. */
export function ForeignDialog({ template, onClose }: Props) {
  const t = useTranslations("templates");
  const common = useTranslations("common");
  const project = useProjectNumber();
  const router = useRouter();
  const href = useHref();
  const id = useId();
  const [file, setFile] = useState<{ id: string; name: string } | null>(null);
  const [dateFormat, setDateFormat] = useState<DateFormat>("ymd");
  const [preview, setPreview] = useState<ForeignPreview | null>(null);
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [apply, busy] = useAction(applyReverse);
  const told = (answer: { problems?: { msg: string }[]; msg?: string | undefined }) =>
    setProblem(answer.problems?.[0]?.msg ?? answer.msg ?? t("failed"));
  const take = async (given: File) => {
    setSending(true);
    setPreview(null);
    const sent = await uploadFile(given, project, "reversePlan");
    setSending(false);
    if (!sent.data) return told(sent);
    setFile({ id: sent.data.fileId, name: given.name });
    const answer = await apply({ fileId: sent.data.fileId, templateId: template.id, preview: true });
    if (!answer.data || "taskId" in answer.data) return told(answer);
    setProblem(undefined);
    setPreview(answer.data);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!file) return;
    const answer = await apply({ fileId: file.id, templateId: template.id, dateFormat });
    if (!answer.data || !("taskId" in answer.data)) return told(answer);
    router.push(href("templates", { query: { import: "reversePlan", task: answer.data.taskId } }));
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("foreign.title", { name: template.name })}
      size={860}
      closeButtonProps={{ "aria-label": common("close") }}
    >
      <form className={classes.dialog} onSubmit={submit} noValidate>
        <p className={classes.quiet}>{t("foreign.help")}</p>
        <PlanFileChoice name={file?.name} label={t("foreign.choose")} busy={sending} onFile={(given) => void take(given)} />
        <Field id={`${id}-dates`} label={t("foreign.dateFormat")} width={240}>
          <Select
            id={`${id}-dates`}
            allowDeselect={false}
            data={dateFormats.map((value) => ({ value, label: t(`foreign.format.${value}`) }))}
            value={dateFormat}
            onChange={(value) => setDateFormat((value ?? dateFormat) as DateFormat)}
          />
        </Field>
        {preview ? (
          <>
            <ScrollRegion className={classes.lists} label={t("foreign.preview")}>
              <table className={classes.table} aria-label={t("foreign.preview")}>
                <thead>
                  <tr>
                    {preview.columns.map(({ title, field }, at) => (
                      <th key={at} scope="col">
                        {title}
                        <small className={classes.under}>{field ?? t("foreign.left")}</small>
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {preview.rows.map((cells, at) => (
                    <tr key={at}>
                      {cells.map((cell, place) => (
                        <td key={place}>{cell}</td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </ScrollRegion>
            <p className={classes.quiet} role="status">
              {t("reverse.unmapped", { count: preview.unmapped.length, columns: preview.unmapped.join(", ") })}
            </p>
          </>
        ) : null}
        <DialogFoot problem={problem} verb={t("foreign.check")} busy={busy} disabled={!preview} onClose={onClose} />
      </form>
    </Modal>
  );
}
