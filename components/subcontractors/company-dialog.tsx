"use client";
import { Modal, MultiSelect, Select, Switch, TagsInput, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { useCloseGuard, useEdited } from "#components/ui/close-guard.tsx";
import { DayInput } from "#components/ui/day-input.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import {
  type CompanyStatus,
  companyCodeChars,
  companyNameChars,
  companyStatuses,
  companyTypesMax,
  countriesMax,
} from "#lib/resources/subcontractors/limits.ts";
import type { CompanyRow, CompanyType } from "#lib/resources/subcontractors/queries.ts";
import classes from "./subcontractors.module.css";
import { useSave } from "./use-save.ts";

type Props = { company: CompanyRow | null; types: readonly CompanyType[]; onSaved: () => void; onClose: () => void };

/** A company: its code, its kinds, the countries it works from, and its agreement on data processing. */
export function CompanyDialog({ company, types, onSaved, onClose }: Props) {
  const t = useTranslations("subcontractors");
  const common = useTranslations("common");
  const id = useId();
  const [values, setValues] = useState({
    code: company?.code ?? "",
    name: company?.name ?? "",
    typeIds: company?.typeIds ?? [],
    countries: company?.countries ?? [],
    dpaRequired: company?.dpaRequired ?? false,
    dpaExpires: company?.dpaExpires ?? "",
    status: company?.status ?? ("ACTIVE" as CompanyStatus),
  });
  const set = (given: Partial<typeof values>) => setValues((before) => ({ ...before, ...given }));
  const { busy, faults, problem, save } = useSave("subcontractor/save", (path) => path in values);
  const { close, question } = useCloseGuard(useEdited(values), onClose);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const input = { ...values, dpaExpires: values.dpaExpires || null, ...(company && { id: company.id, rowVersion: company.rowVersion }) };
    if (await save(input)) onSaved();
  };
  const note = (key: keyof typeof values) => ({
    id: `${id}-${key}`,
    "aria-describedby": fieldNoteId(`${id}-${key}`),
    error: Boolean(faults[key]),
  });
  return (
    <Modal
      opened
      onClose={close}
      title={company ? company.name : t("company.new")}
      size={560}
      closeButtonProps={{ "aria-label": common("close") }}
    >
      <form className={classes.form} onSubmit={submit} noValidate>
        <div className={classes.pair}>
          <Field
            id={`${id}-code`}
            label={common("code")}
            required
            count={{ used: values.code.trim().length, max: companyCodeChars }}
            error={faults.code}
          >
            <TextInput
              {...note("code")}
              required
              data-autofocus
              value={values.code}
              onChange={(event) => set({ code: event.currentTarget.value })}
            />
          </Field>
          <Field
            id={`${id}-name`}
            label={common("name")}
            required
            count={{ used: [...values.name.trim()].length, max: companyNameChars }}
            error={faults.name}
          >
            <TextInput {...note("name")} required value={values.name} onChange={(event) => set({ name: event.currentTarget.value })} />
          </Field>
          <Field id={`${id}-typeIds`} label={t("field.types")} error={faults.typeIds}>
            <MultiSelect
              {...note("typeIds")}
              searchable
              maxValues={companyTypesMax}
              data={types.map((type) => ({ value: String(type.id), label: type.name }))}
              value={values.typeIds.map(String)}
              onChange={(given) => set({ typeIds: given.map(Number) })}
            />
          </Field>
          <Field id={`${id}-countries`} label={t("field.countries")} help={t("company.countriesHelp")} error={faults.countries}>
            <TagsInput
              {...note("countries")}
              maxTags={countriesMax}
              value={values.countries}
              onChange={(given) =>
                set({
                  countries: [...new Set(given.map((country) => country.trim().toUpperCase()))].filter((country) =>
                    /^[A-Z]{2}$/.test(country),
                  ),
                })
              }
            />
          </Field>
          <Field id={`${id}-dpaExpires`} label={t("field.dpaExpires")} help={t("company.dpaHelp")} error={faults.dpaExpires}>
            <DayInput {...note("dpaExpires")} clearable value={values.dpaExpires} onChange={(dpaExpires) => set({ dpaExpires })} />
          </Field>
          <Field id={`${id}-status`} label={common("status")} error={faults.status}>
            <Select
              {...note("status")}
              allowDeselect={false}
              data={companyStatuses.map((value) => ({ value, label: t(`status.${value}`) }))}
              value={values.status}
              onChange={(status) => set({ status: (status ?? "ACTIVE") as CompanyStatus })}
            />
          </Field>
        </div>
        <Switch
          label={t("field.dpaRequired")}
          checked={values.dpaRequired}
          onChange={(event) => set({ dpaRequired: event.currentTarget.checked })}
        />
        <DialogFoot problem={problem} verb={common("save")} busy={busy} onClose={close} />
      </form>
      {question}
    </Modal>
  );
}
