"use client";
import { ActionIcon } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import classes from "./binding.module.css";

/** A DU that was left as it is, and why. */
export type RefusedLine = { code: string; text: string };

/** The refused DUs of the last run, until closed. */
export function RefusedList({ lines, onClose }: { lines: readonly RefusedLine[]; onClose: () => void }) {
  const t = useTranslations("activity-flows");
  const common = useTranslations("common");
  if (lines.length === 0) return null;
  return (
    <div className={classes.refused} role="alert">
      <div className={classes.refusedHead}>
        <h2>{t("refused.title", { count: lines.length })}</h2>
        <ActionIcon size={24} aria-label={common("close")} onClick={onClose}>
          <IconX size={14} stroke={1.4} />
        </ActionIcon>
      </div>
      <ul>
        {lines.map((line) => (
          <li key={`${line.code} ${line.text}`}>
            {line.code ? <strong>{line.code}</strong> : null} {line.text}
          </li>
        ))}
      </ul>
    </div>
  );
}
