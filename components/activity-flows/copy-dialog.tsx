"use client";
import { Checkbox, MultiSelect, Textarea, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { useEdited } from "#components/ui/close-guard.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { FormModal, type GuardedForm } from "#components/ui/form-modal.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useTellEdited } from "#components/ui/use-tell-edited.ts";
import { startCopy } from "#lib/activity-flows/copies/actions.ts";
import { copyTargetsMax, targetCodeChars } from "#lib/activity-flows/copies/limits.ts";
import { callDoor, listAddress } from "#lib/core/call-door.ts";
import type { Page } from "#lib/core/paging.ts";
import { searchEntries } from "#lib/core/search-entries.ts";
import classes from "./dialog.module.css";
import type { DuRow } from "./flow-data.ts";
import { problemText } from "./problem-text.ts";

type Props = {
  opened: boolean;
  attributes: readonly { id: number; name: string }[];
  onClose: () => void;
  onStarted: (jobId: number) => void;
};

/** What is copied from which DU to which others. */
export function CopyDialog({ opened, onClose, ...form }: Props) {
  const t = useTranslations("activity-flows.copies");
  return (
    <FormModal opened={opened} title={t("new")} size={520} onClose={onClose}>
      {(guarded) => (opened ? <CopyForm onClose={onClose} {...guarded} {...form} /> : null)}
    </FormModal>
  );
}

function CopyForm({ attributes, onEdited, onCancel, onClose, onStarted }: Omit<Props, "opened"> & GuardedForm) {
  const t = useTranslations("activity-flows.copies");
  const texts = useTranslations("activity-flows.form");
  const id = useId();
  const [source, setSource] = useState("");
  const [targets, setTargets] = useState("");
  const [chosen, setChosen] = useState<string[]>([]);
  const [alsoBind, setAlsoBind] = useState(false);
  const [overwrite, setOverwrite] = useState(false);
  const [problems, setProblems] = useState<Record<string, string>>({});
  const [start] = useAction(startCopy);
  const [busy, setBusy] = useState(false);
  useTellEdited(useEdited([source, targets, chosen, alsoBind, overwrite]), onEdited);
  const codes = [...new Set(searchEntries(targets))];

  const send = async () => {
    const code = source.trim();
    const found = await callDoor<Page<DuRow>>(
      listAddress("duFlow/list", 1, 20, [{ field: "code", type: "in", values: [code] }]),
      {},
      { reading: true },
    );
    const du = found.data?.records.find((row) => row.code === code);
    if (!du) return setProblems({ sourceDuId: found.data ? t("sourceUnknown") : (found.msg ?? texts("failed")) });
    const answer = await start({ sourceDuId: du.id, targetDuCodes: codes, attributeIds: chosen.map(Number), alsoBind, overwrite });
    if (answer.status >= 400 || !answer.data) return setProblems(problemText(answer, "", texts("failed")));
    toast.done(t("started"));
    onStarted(answer.data.jobId);
    onClose();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    await send();
    setBusy(false);
  };

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <Field id={`${id}-source`} label={t("sourceCode")} required error={problems.sourceDuId} help={t("sourceHelp")}>
        <TextInput
          id={`${id}-source`}
          data-autofocus
          required
          maxLength={targetCodeChars}
          value={source}
          error={Boolean(problems.sourceDuId)}
          aria-describedby={fieldNoteId(`${id}-source`)}
          onChange={(event) => setSource(event.currentTarget.value)}
        />
      </Field>
      <Field
        id={`${id}-targets`}
        label={t("targetCodes")}
        required
        count={{ used: codes.length, max: copyTargetsMax }}
        error={problems.targetDuCodes}
        help={t("targetHelp", { max: copyTargetsMax })}
      >
        <Textarea
          id={`${id}-targets`}
          autosize
          minRows={3}
          maxRows={8}
          value={targets}
          error={Boolean(problems.targetDuCodes)}
          aria-describedby={fieldNoteId(`${id}-targets`)}
          onChange={(event) => setTargets(event.currentTarget.value)}
        />
      </Field>
      <Field
        id={`${id}-attributes`}
        label={t("attributes")}
        error={problems.attributeIds}
        help={attributes.length === 0 ? t("attributesNone") : undefined}
      >
        <MultiSelect
          id={`${id}-attributes`}
          searchable
          data={attributes.map((attribute) => ({ value: String(attribute.id), label: attribute.name }))}
          value={chosen}
          disabled={attributes.length === 0}
          error={Boolean(problems.attributeIds)}
          aria-describedby={fieldNoteId(`${id}-attributes`)}
          onChange={setChosen}
        />
      </Field>
      <Checkbox label={t("alsoBind")} checked={alsoBind} onChange={(event) => setAlsoBind(event.currentTarget.checked)} />
      <Checkbox label={t("overwrite")} checked={overwrite} onChange={(event) => setOverwrite(event.currentTarget.checked)} />
      <DialogFoot
        problem={problems[""]}
        busy={busy}
        disabled={source.trim() === "" || codes.length === 0 || (chosen.length === 0 && !alsoBind)}
        verb={t("startVerb", { count: codes.length })}
        onClose={onCancel}
      />
    </form>
  );
}
