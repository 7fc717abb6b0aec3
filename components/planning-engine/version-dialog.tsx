"use client";
import { Modal, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { useCloseGuard, useEdited } from "#components/ui/close-guard.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { signalAnswer } from "#lib/core/answer-signal.ts";
import { callDoor } from "#lib/core/call-door.ts";
import {
  engineDescriptionChars,
  engineVersionNameChars,
  type VersionSource,
  versionSources,
} from "#lib/planning-engine/versions/limits.ts";
import type { EngineVersion } from "#lib/planning-engine/versions/queries.ts";
import classes from "./home.module.css";

/** What a dialog makes of a name: an empty version, one of the DUs of the rollout plan, a copy, or another name for a version. */
export type VersionForm = { verb: "new" | "plan" } | { verb: "copy" | "rename"; version: EngineVersion };

type Props = { form: VersionForm; onDone: (id: number) => void; onClose: () => void };

/** Name, description and source of a version that is made, copied or renamed. [ENG-18] */
export function VersionDialog({ form, onDone, onClose }: Props) {
  const t = useTranslations("engine-home");
  const common = useTranslations("common");
  const id = useId();
  const version = "version" in form ? form.version : null;
  const [name, setName] = useState(form.verb === "rename" ? (version?.versionName ?? "") : "");
  const [description, setDescription] = useState(form.verb === "copy" ? (version?.description ?? "") : "");
  const [source, setSource] = useState<VersionSource>("page_input");
  const [fault, setFault] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [saving, setSaving] = useState(false);
  const { close, question } = useCloseGuard(useEdited([name, description, source]), onClose);

  const calls = {
    new: () => callDoor<{ id: number }>("engine/version/save", { versionName: name, description, source }),
    plan: () => callDoor<{ id: number }>("engine/version/createFromPlan", { versionName: name, description }),
    copy: () => callDoor<{ id: number }>("engine/version/copy", { fromVersionId: version?.id, versionName: name, description }),
    rename: () =>
      callDoor<{ id: number }>("engine/version/rename", { id: version?.id, rowVersion: version?.rowVersion, versionName: name }),
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setSaving(true);
    const answer = signalAnswer(await calls[form.verb]());
    setSaving(false);
    if (answer.data) {
      onDone(answer.data.id);
      return onClose();
    }
    const own = answer.problems?.find(({ path }) => path === "versionName") ?? (answer.code === "NAME_EXISTS" ? answer : undefined);
    setFault(own?.msg ?? undefined);
    setProblem(own ? undefined : (answer.problems?.[0]?.msg ?? answer.msg ?? t("saving.failed")));
  };
  return (
    <Modal
      opened
      onClose={close}
      title={t(`version.title.${form.verb}`, { name: version?.versionName ?? "" })}
      size={480}
      closeButtonProps={{ "aria-label": common("close") }}
    >
      <form className={classes.form} onSubmit={submit} noValidate>
        {form.verb === "plan" ? <p className={classes.quiet}>{t("version.planText")}</p> : null}
        <Field
          id={`${id}-name`}
          label={t("version.name")}
          required
          count={{ used: [...name].length, max: engineVersionNameChars }}
          error={fault}
        >
          <TextInput
            id={`${id}-name`}
            data-autofocus
            required
            maxLength={engineVersionNameChars}
            value={name}
            error={fault !== undefined}
            aria-describedby={fieldNoteId(`${id}-name`)}
            onChange={(event) => {
              setName(event.currentTarget.value);
              setFault(undefined);
            }}
          />
        </Field>
        {form.verb === "rename" ? null : (
          <Field
            id={`${id}-description`}
            label={common("description")}
            count={{ used: [...description].length, max: engineDescriptionChars }}
          >
            <Textarea
              id={`${id}-description`}
              autosize
              minRows={2}
              maxRows={6}
              maxLength={engineDescriptionChars}
              value={description}
              aria-describedby={fieldNoteId(`${id}-description`)}
              onChange={(event) => setDescription(event.currentTarget.value)}
            />
          </Field>
        )}
        {form.verb === "new" ? (
          <Field id={`${id}-source`} label={t("version.source")} width={240}>
            <NativeSelect
              id={`${id}-source`}
              value={source}
              data={versionSources.map((value) => ({ value, label: t(`source.${value}`) }))}
              onChange={(event) => setSource(event.currentTarget.value as VersionSource)}
            />
          </Field>
        ) : null}
        <DialogFoot
          problem={problem}
          verb={form.verb === "rename" ? common("save") : common("create")}
          busy={saving}
          disabled={name.trim() === ""}
          onClose={close}
        />
      </form>
      {question}
    </Modal>
  );
}
