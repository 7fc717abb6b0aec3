"use client";
import { useTranslations } from "next-intl";
import { useState } from "react";
import classes from "./mapping.module.css";

type Props = {
  label: string;
  activities: readonly { id: number; name: string }[];
  value: number | null;
  edited: boolean;
  /** Why the cell cannot be saved as it is. */
  fault: string | null;
  onChange: (activityId: number | null) => void;
};

/** A cell of the matrix: the activity of a flow, or none. Its choices are drawn once pointer or focus come: a wide matrix has thousands of them. */
export function MappingSelect({ label, activities, value, edited, fault, onChange }: Props) {
  const t = useTranslations("milestones.mapping");
  const [near, setNear] = useState(false);
  const come = () => setNear(true);
  const shown = near ? activities : activities.filter(({ id }) => id === value);
  return (
    <td
      className={classes.cell}
      data-empty={value === null || undefined}
      data-edited={edited || undefined}
      data-fault={fault !== null || undefined}
    >
      <select
        aria-label={label}
        aria-invalid={fault !== null || undefined}
        title={fault ?? undefined}
        value={value ?? ""}
        onFocus={come}
        onPointerEnter={come}
        onChange={(event) => onChange(Number(event.currentTarget.value) || null)}
      >
        <option value="">{t("none")}</option>
        {shown.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </td>
  );
}
