"use client";
import { Textarea } from "@mantine/core";
import { useTranslations } from "next-intl";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { freezeReasonMax } from "#lib/scheduling/locks/limits.ts";

type Props = {
  id: string;
  value: string;
  /** What is wrong with the reason, or why it was refused. */
  fault: string | null;
  onChange: (reason: string) => void;
  autofocus?: boolean;
};

/** The reason a freeze, or its end, has to be given. */
export function ReasonField({ id, value, fault, onChange, autofocus }: Props) {
  const t = useTranslations("scheduling.lock");
  return (
    <Field id={id} label={t("reason")} required count={{ used: value.length, max: freezeReasonMax }} error={fault ?? undefined}>
      <Textarea
        id={id}
        data-autofocus={autofocus || undefined}
        required
        autosize
        minRows={2}
        maxRows={6}
        maxLength={freezeReasonMax}
        value={value}
        error={fault !== null}
        aria-describedby={fieldNoteId(id)}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </Field>
  );
}
