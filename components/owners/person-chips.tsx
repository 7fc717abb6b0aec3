"use client";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import type { Owner } from "#lib/owners/people/logic.ts";
import classes from "./owners.module.css";

/** Owners as chips; one who could not be chosen today is marked with the reason, and nobody stands out where somebody should be. */
export function PersonChips({ people, expected = false }: { people: readonly Owner[]; expected?: boolean }) {
  const t = useTranslations("owners");
  if (people.length === 0)
    return expected ? (
      <span className={classes.blank}>
        <IconAlertTriangle size={12} stroke={1.7} color="var(--warn)" aria-hidden="true" />
        {t("regions.blank")}
      </span>
    ) : (
      <>-</>
    );
  return (
    <span className={classes.people}>
      {people.map(({ userId, name, account, invalid }) => (
        <span key={userId} className={classes.person} data-invalid={invalid ?? undefined} title={account}>
          {name}
          {invalid ? (
            <>
              <IconAlertTriangle size={12} stroke={1.7} color="var(--warn)" aria-hidden="true" />
              {t(`invalidReason.${invalid}`)}
            </>
          ) : null}
        </span>
      ))}
    </span>
  );
}
