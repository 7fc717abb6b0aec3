"use client";
import { Modal, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { deleteVersions } from "#lib/plan-versions/actions.ts";
import type { VersionRow } from "#lib/plan-versions/queries.ts";
import classes from "./versions.module.css";

/** Deletes historical versions once the name of the one, or the number of the many, was typed. */
export function DeleteDialog({ versions, onClose, onDeleted }: { versions: VersionRow[]; onClose: () => void; onDeleted: () => void }) {
  const t = useTranslations("plan-versions.delete");
  const common = useTranslations("common");
  const id = useId();
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState<string>();
  const [remove, removing] = useAction(deleteVersions);
  const count = versions.length;
  const wanted = count === 1 ? versions[0]!.name : String(count);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const answer = await remove({ ids: versions.map((version) => version.id) });
    if (!answer.data) return setProblem(answer.problems?.[0]?.msg ?? answer.msg ?? answer.code);
    toast.done(t("done", { count: answer.data.deleted }));
    onDeleted();
    onClose();
  };
  return (
    <Modal opened onClose={onClose} title={t("title", { count })} size={480} closeButtonProps={{ "aria-label": common("close") }}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <ul className={classes.named}>
          {versions.map(({ id: key, code, name }) => (
            <li key={key}>
              {code} {name}
            </li>
          ))}
        </ul>
        <p className={classes.help}>{t("final")}</p>
        <Field id={id} label={count === 1 ? t("typeName") : t("typeNumber")} required help={wanted}>
          <TextInput
            id={id}
            data-autofocus
            required
            autoComplete="off"
            value={typed}
            aria-describedby={fieldNoteId(id)}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        </Field>
        <DialogFoot
          problem={problem}
          verb={t("verb", { count })}
          busy={removing}
          disabled={typed.trim() !== wanted}
          danger
          onClose={onClose}
        />
      </form>
    </Modal>
  );
}
