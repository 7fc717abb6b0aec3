"use client";
import { TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { useTellEdited } from "#components/ui/use-tell-edited.ts";
import { tempMilestoneChars } from "#lib/milestones/temporary/limits.ts";
import type { TempMilestoneRow } from "#lib/milestones/temporary/queries.ts";
import classes from "./milestones.module.css";
import { useSave } from "./use-save.ts";

const fields = ["name", "productCode", "product", "deliverable"] as const;
type Values = Record<(typeof fields)[number], string>;
type Props = {
  row: TempMilestoneRow | null;
  onEdited: (isEdited: boolean) => void;
  onSaved: (saved: Values & { rowVersion: number }) => void;
  onClose: () => void;
};

/** Name and product of a temporary milestone; of a released one the name alone can change. */
export function TempForm({ row, onEdited, onSaved, onClose }: Props) {
  const t = useTranslations("milestones.temp");
  const common = useTranslations("common");
  const id = useId();
  const [values, setValues] = useState<Values>({
    name: row?.name ?? "",
    productCode: row?.productCode ?? "",
    product: row?.product ?? "",
    deliverable: row?.deliverable ?? "",
  });
  const { busy, faults, problem, clear, save } = useSave<{ id: number; rowVersion: number }>(
    "tempMilestone/save",
    (path) => path in values,
  );
  useTellEdited(
    fields.some((key) => values[key] !== (row?.[key] ?? "")),
    onEdited,
  );
  const released = row?.status === "released";
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const saved = await save({ ...values, ...(row && { id: row.id, rowVersion: row.rowVersion }) });
    if (saved) onSaved({ ...values, rowVersion: saved.rowVersion });
  };
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <div className={classes.pair}>
        {fields.map((key) => (
          <Field
            key={key}
            id={`${id}-${key}`}
            label={key === "name" ? common("name") : t(`field.${key}`)}
            required={key === "name"}
            count={{ used: [...values[key].trim()].length, max: tempMilestoneChars[key] }}
            error={faults[key]}
            help={key === "product" || key === "deliverable" ? t(released ? "fixed" : "forRelease") : undefined}
          >
            <TextInput
              id={`${id}-${key}`}
              required={key === "name"}
              readOnly={released && key !== "name"}
              value={values[key]}
              error={Boolean(faults[key])}
              aria-describedby={fieldNoteId(`${id}-${key}`)}
              onChange={(event) => {
                const { value } = event.currentTarget;
                setValues((before) => ({ ...before, [key]: value }));
                clear();
              }}
            />
          </Field>
        ))}
      </div>
      <DialogFoot problem={problem} verb={common("save")} busy={busy} onClose={onClose} />
    </form>
  );
}
