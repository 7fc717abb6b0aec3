"use client";
import { Select, Textarea, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { useEdited } from "#components/ui/close-guard.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { FormModal, type GuardedForm } from "#components/ui/form-modal.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { refreshList } from "#components/ui/use-list.ts";
import { useTellEdited } from "#components/ui/use-tell-edited.ts";
import { saveDuRelation } from "#lib/activity-flows/du-relations/actions.ts";
import { type RelationKind, relationKinds, relationNoteChars } from "#lib/activity-flows/du-relations/limits.ts";
import type { DuRelationRow } from "#lib/activity-flows/du-relations/queries.ts";
import { callDoor, listAddress } from "#lib/core/call-door.ts";
import type { Page } from "#lib/core/paging.ts";
import classes from "./dialog.module.css";
import type { DuRow } from "./flow-data.ts";
import { problemText } from "./problem-text.ts";

/** Makes a relation (`new`) or changes one. */
export function RelationDialog({ row, onClose }: { row: DuRelationRow | "new" | null; onClose: () => void }) {
  const t = useTranslations("activity-flows.relations");
  return (
    <FormModal opened={row !== null} title={t(row === "new" ? "new" : "edit")} size={480} onClose={onClose}>
      {(guarded) => (row === null ? null : <RelationForm row={row === "new" ? null : row} onClose={onClose} {...guarded} />)}
    </FormModal>
  );
}

const ends = ["code", "relatedCode"] as const;
const pathOf = { code: "duId", relatedCode: "relatedDuId" } as const;

type FormProps = GuardedForm & { row: DuRelationRow | null; onClose: () => void };

function RelationForm({ row, onEdited, onCancel, onClose }: FormProps) {
  const t = useTranslations("activity-flows.relations");
  const common = useTranslations("common");
  const form = useTranslations("activity-flows.form");
  const id = useId();
  const client = useQueryClient();
  const [codes, setCodes] = useState({ code: row?.code ?? "", relatedCode: row?.relatedCode ?? "" });
  const [kind, setKind] = useState<RelationKind>(row?.kind ?? "parent");
  const [note, setNote] = useState(row?.note ?? "");
  const [problems, setProblems] = useState<Record<string, string>>({});
  const [save] = useAction(saveDuRelation);
  const [busy, setBusy] = useState(false);
  useTellEdited(useEdited([codes, kind, note]), onEdited);

  const send = async () => {
    const given = ends.map((end) => codes[end].trim());
    const found = await callDoor<Page<DuRow>>(
      listAddress("duFlow/list", 1, 20, [{ field: "code", type: "in", values: given }]),
      {},
      { reading: true },
    );
    if (!found.data) return setProblems({ "": found.msg ?? form("failed") });
    const ids = given.map((code) => found.data?.records.find((du) => du.code === code)?.id);
    const unknown = ends.find((_, at) => ids[at] === undefined);
    if (unknown) return setProblems({ [pathOf[unknown]]: t("unknown") });
    const [duId, relatedDuId] = ids as [number, number];
    const answer = await save({ duId, relatedDuId, kind, note, ...(row && { id: row.id, rowVersion: row.rowVersion }) });
    if (answer.status >= 400) return setProblems(problemText(answer, "", form("failed")));
    toast.done(t("saved"));
    await refreshList(client, "duRelation/list");
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
      {ends.map((end) => (
        <Field key={end} id={`${id}-${end}`} label={t(`column.${end}`)} required error={problems[pathOf[end]]} help={t(`help.${end}`)}>
          <TextInput
            id={`${id}-${end}`}
            required
            data-autofocus={end === "code" || undefined}
            maxLength={60}
            value={codes[end]}
            error={Boolean(problems[pathOf[end]])}
            aria-describedby={fieldNoteId(`${id}-${end}`)}
            onChange={(event) => setCodes({ ...codes, [end]: event.currentTarget.value })}
          />
        </Field>
      ))}
      <Field id={`${id}-kind`} label={t("column.kind")} required error={problems.kind}>
        <Select
          id={`${id}-kind`}
          allowDeselect={false}
          data={relationKinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
          value={kind}
          error={Boolean(problems.kind)}
          aria-describedby={fieldNoteId(`${id}-kind`)}
          onChange={(value) => value && setKind(value as RelationKind)}
        />
      </Field>
      <Field id={`${id}-note`} label={t("column.note")} count={{ used: note.length, max: relationNoteChars }} error={problems.note}>
        <Textarea
          id={`${id}-note`}
          autosize
          minRows={2}
          maxRows={6}
          maxLength={relationNoteChars}
          value={note}
          error={Boolean(problems.note)}
          aria-describedby={fieldNoteId(`${id}-note`)}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
      </Field>
      <DialogFoot
        problem={problems[""]}
        busy={busy}
        disabled={ends.some((end) => codes[end].trim() === "")}
        verb={common("save")}
        onClose={onCancel}
      />
    </form>
  );
}
