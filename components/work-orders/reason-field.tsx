"use client";
import { Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { lookup } from "#components/ui/query-client.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { orderReasonMax } from "#lib/work-orders/orders/limits.ts";
import classes from "./orders.module.css";

type Props = {
  id: string;
  label: string;
  value: string;
  fault: string | null;
  required?: boolean;
  /** Offers the reasons given last. */
  recent?: boolean;
  onChange: (reason: string) => void;
};

/** One reason for the whole batch, with the ones given before to choose from. */
export function ReasonField({ id, label, value, fault, required = true, recent = true, onChange }: Props) {
  const t = useTranslations("work-orders.form");
  const project = useProjectNumber();
  const reasons = useQuery({
    queryKey: ["order-reasons", project],
    queryFn: async ({ signal }) => dataOf(await callDoor<string[]>("workOrder/reasons", {}, { signal })),
    enabled: recent,
    meta: lookup,
    // What was given a moment ago is among them.
    refetchOnMount: "always",
    retry: false,
  });
  const offered = (reasons.data ?? []).filter((reason) => reason !== value).slice(0, 5);
  return (
    <div>
      <Field id={id} label={label} required={required} count={{ used: value.length, max: orderReasonMax }} error={fault ?? undefined}>
        <Textarea
          id={id}
          required={required}
          autosize
          minRows={2}
          maxRows={6}
          maxLength={orderReasonMax}
          value={value}
          error={fault !== null}
          aria-describedby={fieldNoteId(id)}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      </Field>
      {recent && offered.length > 0 ? <RecentReasons label={t("recent")} reasons={offered} onChoose={onChange} /> : null}
    </div>
  );
}

function RecentReasons({ label, reasons, onChoose }: { label: string; reasons: readonly string[]; onChoose: (reason: string) => void }) {
  return (
    <ul aria-label={label} className={classes.recent}>
      {reasons.map((reason) => (
        <li key={reason}>
          <button type="button" title={reason} onClick={() => onChoose(reason)}>
            {reason}
          </button>
        </li>
      ))}
    </ul>
  );
}
