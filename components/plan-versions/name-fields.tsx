"use client";
import { Textarea, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useId } from "react";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { versionNameChars, versionRemarkChars } from "#lib/plan-versions/limits.ts";

type Props = {
  name: string;
  remark: string;
  /** What is wrong with each, by field. */
  faults: Partial<Record<"name" | "remark", string>>;
  onChange: (given: { name?: string; remark?: string }) => void;
};

/** Name and remark of a version. */
export function NameFields({ name, remark, faults, onChange }: Props) {
  const t = useTranslations("plan-versions");
  const common = useTranslations("common");
  const id = useId();
  return (
    <>
      <Field id={`${id}-name`} label={t("name")} required count={{ used: [...name].length, max: versionNameChars }} error={faults.name}>
        <TextInput
          id={`${id}-name`}
          data-autofocus
          required
          maxLength={versionNameChars}
          value={name}
          error={faults.name !== undefined}
          aria-describedby={fieldNoteId(`${id}-name`)}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
      </Field>
      <Field id={`${id}-remark`} label={common("remark")} count={{ used: remark.length, max: versionRemarkChars }} error={faults.remark}>
        <Textarea
          id={`${id}-remark`}
          autosize
          minRows={2}
          maxRows={6}
          maxLength={versionRemarkChars}
          value={remark}
          error={faults.remark !== undefined}
          aria-describedby={fieldNoteId(`${id}-remark`)}
          onChange={(event) => onChange({ remark: event.currentTarget.value })}
        />
      </Field>
    </>
  );
}
