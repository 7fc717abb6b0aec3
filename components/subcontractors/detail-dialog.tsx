"use client";
import { Modal, Select, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { useCloseGuard, useEdited } from "#components/ui/close-guard.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { isolationValueChars } from "#lib/resources/isolation/limits.ts";
import type { IsolationAttribute, IsolationDetail } from "#lib/resources/isolation/queries.ts";
import classes from "./subcontractors.module.css";
import { useSave } from "./use-save.ts";

type Props = {
  detail: IsolationDetail | null;
  attributes: readonly IsolationAttribute[];
  companies: readonly { id: number; code: string; name: string }[];
  onSaved: () => void;
  onClose: () => void;
};

/** A value of an attribute and the company whose DUs have it. */
export function DetailDialog({ detail, attributes, companies, onSaved, onClose }: Props) {
  const t = useTranslations("subcontractors.isolation");
  const common = useTranslations("common");
  const id = useId();
  const [attributeId, setAttribute] = useState(detail ? String(detail.attributeId) : null);
  const [value, setValue] = useState(detail?.value ?? "");
  const [company, setCompany] = useState(detail ? String(detail.subcontractorId) : null);
  const { busy, faults, problem, save } = useSave("subcon/save", (path) => path.startsWith("details.0."));
  const { close, question } = useCloseGuard(useEdited([attributeId, value, company]), onClose);
  const attribute = attributes.find((one) => String(one.id) === attributeId);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const base = detail && { attributeId: detail.attributeId, value: detail.value, subcontractorId: detail.subcontractorId };
    const given = { attributeId: Number(attributeId), value, subcontractorId: Number(company), ...(detail && { id: detail.id, base }) };
    if (await save({ details: [given] })) onSaved();
  };
  const note = (key: string) => ({
    id: `${id}-${key}`,
    "aria-describedby": fieldNoteId(`${id}-${key}`),
    error: Boolean(faults[`details.0.${key}`]),
  });
  return (
    <Modal opened onClose={close} title={t(detail ? "edit" : "new")} size={480} closeButtonProps={{ "aria-label": common("close") }}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <Field id={`${id}-attributeId`} label={common("attribute")} required error={faults["details.0.attributeId"]}>
          <Select
            {...note("attributeId")}
            searchable
            required
            data={attributes.map((one) => ({ value: String(one.id), label: one.name, disabled: one.editable }))}
            value={attributeId}
            onChange={(given) => {
              setAttribute(given);
              setValue("");
            }}
          />
        </Field>
        <Field
          id={`${id}-value`}
          label={common("value")}
          required
          error={faults["details.0.value"]}
          {...(attribute?.choices ? {} : { count: { used: [...value.trim()].length, max: isolationValueChars } })}
        >
          {attribute?.choices ? (
            <Select
              {...note("value")}
              searchable
              required
              data={attribute.choices.map((choice) => ({ value: choice.value, label: choice.title }))}
              value={value || null}
              onChange={(given) => setValue(given ?? "")}
            />
          ) : (
            <TextInput {...note("value")} required value={value} onChange={(event) => setValue(event.currentTarget.value)} />
          )}
        </Field>
        <Field id={`${id}-subcontractorId`} label={common("subcontractor")} required error={faults["details.0.subcontractorId"]}>
          <Select
            {...note("subcontractorId")}
            searchable
            required
            data={companies.map((one) => ({ value: String(one.id), label: `${one.code} ${one.name}` }))}
            value={company}
            onChange={setCompany}
          />
        </Field>
        <DialogFoot
          problem={problem}
          verb={common("save")}
          busy={busy}
          disabled={!attributeId || !company || value.trim() === ""}
          onClose={close}
        />
      </form>
      {question}
    </Modal>
  );
}
