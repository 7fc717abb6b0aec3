"use client";
import { TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useId } from "react";
import { Field } from "#components/ui/field.tsx";
import { networkTypeChars, organisationChars, remarkChars } from "#lib/templates/limits.ts";
import type { TemplateTexts } from "./template-data.ts";
import classes from "./template-dialog.module.css";

type Props = { texts: TemplateTexts; onChange: (texts: TemplateTexts) => void };

/** What may be said of a template besides its name: network type, organisation and remark. [TPL-03] [TPL-04] */
export function TemplateTextFields({ texts, onChange }: Props) {
  const t = useTranslations("templates.form");
  const common = useTranslations("common");
  const id = useId();
  const text = (key: keyof TemplateTexts, label: string, max: number) => (
    <Field id={`${id}-${key}`} label={label} count={{ used: [...texts[key]].length, max }}>
      <TextInput
        id={`${id}-${key}`}
        maxLength={max}
        value={texts[key]}
        onChange={(event) => onChange({ ...texts, [key]: event.currentTarget.value })}
      />
    </Field>
  );
  return (
    <>
      <div className={classes.pair}>
        {text("networkType", t("networkType"), networkTypeChars)}
        {text("organisation", t("organisation"), organisationChars)}
      </div>
      {text("remark", common("remark"), remarkChars)}
    </>
  );
}
