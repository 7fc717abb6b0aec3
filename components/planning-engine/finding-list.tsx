"use client";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { PagedRows } from "#components/ui/paged-rows.tsx";
import { MarkGlyph } from "#components/ui/status-glyph.tsx";
import type { FindingRow, InputCheck } from "#lib/planning-engine/input-check/queries.ts";
import { inputOf } from "./engine-blocks.ts";
import classes from "./home.module.css";

type Props = {
  check: Pick<InputCheck, "errors" | "warnings">;
  /** Where a finding leads to. */
  lead: (finding: FindingRow, text: ReactNode) => ReactNode;
};

/** What the check found: first what keeps the version from being calculated, then what should be looked at. */
export function FindingList({ check, lead }: Props) {
  const t = useTranslations("engine-home");
  const findings = [
    ...check.errors.map((finding) => ({ ...finding, level: "error" as const })),
    ...check.warnings.map((finding) => ({ ...finding, level: "warning" as const })),
  ];
  const label = t("check.found", { errors: check.errors.length, warnings: check.warnings.length });
  return (
    <PagedRows rows={findings} startSize={100} label={label} className={classes.findings}>
      {(shown) => (
        <ul aria-label={label}>
          {shown.map((finding, at) => (
            <li key={`${finding.code} ${finding.duId} ${at}`} data-level={finding.level}>
              <MarkGlyph mark={finding.level === "error" ? "refused" : "warning"} />
              <span className="visually-hidden">{t(`check.level.${finding.level}`)}</span>
              <span className={classes.where}>{t(`blocks.${inputOf[finding.block] ?? "setting"}`)}</span>
              {lead(finding, finding.text)}
            </li>
          ))}
        </ul>
      )}
    </PagedRows>
  );
}
