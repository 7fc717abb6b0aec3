"use client";
import { Select, TagsInput, Textarea, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, useEffect, useId, useState } from "react";
import { useEdited } from "#components/ui/close-guard.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { FormModal, type GuardedForm } from "#components/ui/form-modal.tsx";
import { lookup } from "#components/ui/query-client.ts";
import { toast } from "#components/ui/toast.ts";
import { askToLeave } from "#components/ui/unsaved.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useHref } from "#components/ui/use-href.ts";
import { dataOf, refreshList } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { useTellEdited } from "#components/ui/use-tell-edited.ts";
import { saveFlow } from "#lib/activity-flows/actions.ts";
import { deliveryTypeChars, deliveryTypesMax, flowDescriptionChars, flowNameChars } from "#lib/activity-flows/limits.ts";
import { copyFlow } from "#lib/activity-flows/replications/actions.ts";
import { callDoor } from "#lib/core/call-door.ts";
import classes from "./dialog.module.css";
import { problemText } from "./problem-text.ts";

export type FlowDialogMode =
  | { kind: "create" }
  | ({ kind: "edit"; id: number; rowVersion: number } & FlowFields)
  | { kind: "copy"; id: number; name: string };

export type FlowFields = { name: string; description: string | null; deliveryTypes: string[] };

type Props = { mode: FlowDialogMode | null; onClose: () => void; onDone: (id: number, rowVersion: number, fields: FlowFields) => void };

/** Name, description and delivery types of a flow: for a new one, for a draft, and the name for a copy. */
export function FlowDialog({ mode, onClose, onDone }: Props) {
  const t = useTranslations("activity-flows");
  return (
    <FormModal opened={mode !== null} title={mode ? t(`dialog.${mode.kind}`) : ""} size={480} onClose={onClose}>
      {(guarded) => (mode ? <FlowForm key={mode.kind} mode={mode} onClose={onClose} onDone={onDone} {...guarded} /> : null)}
    </FormModal>
  );
}

type FormProps = Omit<Props, "mode"> & GuardedForm & { mode: FlowDialogMode };

function FlowForm({ mode, onEdited, onCancel, onClose, onDone }: FormProps) {
  const t = useTranslations("activity-flows");
  const common = useTranslations("common");
  const id = useId();
  const client = useQueryClient();
  const [name, setName] = useState(
    mode.kind === "edit" ? mode.name : mode.kind === "copy" ? t("dialog.copyName", { name: mode.name }).slice(0, flowNameChars) : "",
  );
  const [description, setDescription] = useState(mode.kind === "edit" ? (mode.description ?? "") : "");
  const [deliveryTypes, setDeliveryTypes] = useState(mode.kind === "edit" ? mode.deliveryTypes : []);
  const [problems, setProblems] = useState<Record<string, string>>({});
  const [save, saving] = useAction(saveFlow);
  const [copy, copying] = useAction(copyFlow);
  const { can, project } = useSession();
  const router = useRouter();
  const href = useHref();
  const [into, setInto] = useState<string | null>(null);
  useTellEdited(useEdited([name, description, deliveryTypes, into]), onEdited);
  const mayTransfer = mode.kind === "copy" && can("flow.transfer");
  const projects = useQuery({
    queryKey: ["projects to copy a flow into"],
    queryFn: async ({ signal }) =>
      dataOf(
        await callDoor<{ records: { number: string; name: string }[] }>("personal/getProjectList/list", { page: 1, size: 200 }, { signal }),
      ),
    enabled: mayTransfer,
    meta: lookup,
  });
  useEffect(() => {
    const first = Object.keys(problems)[0];
    if (first) document.getElementById(`${id}-${first}`)?.focus();
  }, [problems, id]);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === "") return setProblems({ name: t("form.nameMissing") });
    const answer =
      mode.kind === "copy"
        ? await copy({ id: mode.id, name, ...(into === null ? {} : { toProjectNumber: into }) })
        : await save({ name, description, deliveryTypes, ...(mode.kind === "edit" ? { id: mode.id, rowVersion: mode.rowVersion } : {}) });
    if (answer.status >= 400 || !answer.data) return setProblems(problemText(answer, "name", t("form.failed")));
    if ("taskId" in answer.data) {
      const show = { label: t("dialog.showLog"), run: () => askToLeave(() => router.push(href("replicationLog"))) };
      toast.done(t("dialog.started", { project: into ?? "" }), { actions: can("replicationLog.view") ? [show] : [] });
      return onClose();
    }
    await refreshList(client, "flow/list");
    onDone(answer.data.id, answer.data.rowVersion, { name: name.trim(), description: description.trim() || null, deliveryTypes });
    onClose();
  };

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <Field
        id={`${id}-name`}
        label={common("name")}
        required
        count={{ used: name.length, max: flowNameChars }}
        error={problems.name}
        help={t("form.nameHelp")}
      >
        <TextInput
          id={`${id}-name`}
          data-autofocus
          required
          maxLength={flowNameChars}
          value={name}
          error={Boolean(problems.name)}
          aria-describedby={fieldNoteId(`${id}-name`)}
          onChange={(event) => {
            setName(event.currentTarget.value);
            setProblems({});
          }}
        />
      </Field>
      {mayTransfer ? (
        <Field id={`${id}-into`} label={t("dialog.intoProject")} help={t("dialog.intoHelp")} error={problems.toProjectNumber}>
          <Select
            id={`${id}-into`}
            searchable
            clearable
            clearButtonProps={{ "aria-label": common("clear") }}
            placeholder={t("dialog.intoHere")}
            data={(projects.data?.records ?? [])
              .filter(({ number }) => number !== project.number)
              .map(({ number, name: title }) => ({ value: number, label: `${number} · ${title}` }))}
            value={into}
            aria-describedby={fieldNoteId(`${id}-into`)}
            onChange={(value) => {
              setInto(value);
              setProblems({});
            }}
          />
        </Field>
      ) : null}
      {mode.kind === "copy" ? null : (
        <>
          <Field
            id={`${id}-description`}
            label={common("description")}
            count={{ used: description.length, max: flowDescriptionChars }}
            error={problems.description}
          >
            <Textarea
              id={`${id}-description`}
              autosize
              minRows={2}
              maxRows={8}
              maxLength={flowDescriptionChars}
              value={description}
              error={Boolean(problems.description)}
              aria-describedby={fieldNoteId(`${id}-description`)}
              onChange={(event) => setDescription(event.currentTarget.value)}
            />
          </Field>
          <Field
            id={`${id}-deliveryTypes`}
            label={t("form.deliveryTypes")}
            count={{ used: deliveryTypes.length, max: deliveryTypesMax }}
            error={problems.deliveryTypes}
            help={t("form.deliveryTypesHelp")}
          >
            <TagsInput
              id={`${id}-deliveryTypes`}
              value={deliveryTypes}
              maxTags={deliveryTypesMax}
              maxLength={deliveryTypeChars}
              error={Boolean(problems.deliveryTypes)}
              aria-describedby={fieldNoteId(`${id}-deliveryTypes`)}
              onChange={setDeliveryTypes}
            />
          </Field>
        </>
      )}
      <DialogFoot
        problem={problems[""]}
        busy={saving || copying}
        verb={mode.kind === "edit" ? common("save") : mode.kind === "copy" ? common("copy") : common("create")}
        onClose={onCancel}
      />
    </form>
  );
}
