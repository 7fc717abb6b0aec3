"use client";
import { Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { useEdited } from "#components/ui/close-guard.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { FormModal, type GuardedForm } from "#components/ui/form-modal.tsx";
import { useAction } from "#components/ui/use-action.ts";
import { refreshList } from "#components/ui/use-list.ts";
import { useTellEdited } from "#components/ui/use-tell-edited.ts";
import { saveActivity } from "#lib/activity-flows/library/actions.ts";
import { type ActivityKind, activityCodeChars, activityKinds, activityNameChars } from "#lib/activity-flows/library/limits.ts";
import classes from "./dialog.module.css";
import type { ActivityRow } from "./flow-data.ts";
import { problemText } from "./problem-text.ts";

/** Code, name and kind of a library activity. */
export function LibraryDialog({ row, onClose }: { row: ActivityRow | "new" | null; onClose: () => void }) {
  const t = useTranslations("activity-flows");
  return (
    <FormModal opened={row !== null} title={t(row === "new" ? "library.new" : "library.edit")} size={480} onClose={onClose}>
      {(guarded) => (row === null ? null : <LibraryForm row={row} onClose={onClose} {...guarded} />)}
    </FormModal>
  );
}

type FormProps = GuardedForm & { row: ActivityRow | "new"; onClose: () => void };

function LibraryForm({ row, onEdited, onCancel, onClose }: FormProps) {
  const t = useTranslations("activity-flows");
  const common = useTranslations("common");
  const id = useId();
  const client = useQueryClient();
  const known = row === "new" ? null : row;
  const [code, setCode] = useState(known?.code ?? "");
  const [name, setName] = useState(known?.name ?? "");
  const [kind, setKind] = useState<ActivityKind>(known?.kind ?? "normal");
  const [automatic, setAutomatic] = useState(known?.automatic ?? false);
  const [problems, setProblems] = useState<Record<string, string>>({});
  const [save, saving] = useAction(saveActivity);
  useTellEdited(useEdited([code, name, kind, automatic]), onEdited);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const missing = { ...(code.trim() ? {} : { code: t("form.codeMissing") }), ...(name.trim() ? {} : { name: t("form.nameMissing") }) };
    if (Object.keys(missing).length > 0) return setProblems(missing);
    const answer = await save({ code, name, kind, automatic, ...(known ? { id: known.id, rowVersion: known.rowVersion } : {}) });
    if (answer.status >= 400) return setProblems(problemText(answer, "name", t("form.failed")));
    await refreshList(client, "activityLibrary/list");
    onClose();
  };
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <Field id={`${id}-code`} label={common("code")} required count={{ used: code.length, max: activityCodeChars }} error={problems.code}>
        <TextInput
          id={`${id}-code`}
          data-autofocus
          required
          maxLength={activityCodeChars}
          value={code}
          error={Boolean(problems.code)}
          aria-describedby={fieldNoteId(`${id}-code`)}
          onChange={(event) => {
            setCode(event.currentTarget.value);
            setProblems({});
          }}
        />
      </Field>
      <Field id={`${id}-name`} label={common("name")} required count={{ used: name.length, max: activityNameChars }} error={problems.name}>
        <TextInput
          id={`${id}-name`}
          required
          maxLength={activityNameChars}
          value={name}
          error={Boolean(problems.name)}
          aria-describedby={fieldNoteId(`${id}-name`)}
          onChange={(event) => {
            setName(event.currentTarget.value);
            setProblems({});
          }}
        />
      </Field>
      <Field id={`${id}-kind`} label={t("library.kind")} help={t("library.kindHelp")}>
        <NativeSelect
          id={`${id}-kind`}
          aria-describedby={fieldNoteId(`${id}-kind`)}
          value={kind}
          data={activityKinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
          onChange={(event) => setKind(event.currentTarget.value as ActivityKind)}
        />
      </Field>
      <Checkbox label={t("library.automaticLong")} checked={automatic} onChange={(event) => setAutomatic(event.currentTarget.checked)} />
      <DialogFoot problem={problems[""]} busy={saving} verb={common("save")} onClose={onCancel} />
    </form>
  );
}
