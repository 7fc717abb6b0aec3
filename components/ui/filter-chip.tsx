"use client";
import { IconX } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import classes from "./filter-chip.module.css";

/** One condition of a list: its name, its value, a cross that drops it. With `onEdit` the words open its editor. */
export function FilterChip({ name, value, onDrop, onEdit }: { name: string; value: string; onDrop: () => void; onEdit?: () => void }) {
  const t = useTranslations("ui");
  const words = (
    <>
      <span className={classes.name}>{name}</span>
      <span className={classes.value} title={value}>
        {value}
      </span>
    </>
  );
  return (
    <span className={classes.chip}>
      {onEdit ? (
        <button type="button" className={classes.body} onClick={onEdit}>
          {words}
        </button>
      ) : (
        <span className={classes.body}>{words}</span>
      )}
      <button type="button" className={classes.drop} aria-label={t("filter.drop", { name })} onClick={onDrop}>
        <IconX size={12} stroke={1.7} />
      </button>
    </span>
  );
}
