"use client";
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import type { CheckFinding } from "#lib/activity-flows/graph/logic.ts";
import classes from "./editor-panel.module.css";
import type { FlowEditing } from "./use-flow-editor.ts";

const glyphs = { error: IconCircleX, release: IconCircleX, warning: IconAlertTriangle };

/** What the live check finds: a click chooses the activities concerned. Refusals of the server stand above. */
export function CheckCard({ editing, onShow }: { editing: FlowEditing; onShow: (keys: readonly string[]) => void }) {
  const { findings, refusal } = editing;
  const t = useTranslations("activity-flows");
  const lines = refusal?.problems?.length
    ? refusal.problems.map((problem) => problem.msg)
    : refusal
      ? [refusal.msg ?? t("form.failed")]
      : [];
  return (
    <section className={classes.section} aria-label={t("check.title")}>
      <h2 className={classes.title}>{t("check.title")}</h2>
      {refusal ? (
        <div className={classes.refusal} role="alert">
          <p>{t("check.refused")}</p>
          <ul>
            {[...new Set(lines)].map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          {refusal.code === "STALE" ? <p>{t("check.stale")}</p> : null}
        </div>
      ) : null}
      {findings.length === 0 ? (
        <p className={classes.fine}>
          <IconCircleCheck size={16} stroke={1.4} aria-hidden="true" />
          {t("check.fine")}
        </p>
      ) : (
        <ul className={classes.findings} aria-live="polite">
          {findings.map((finding) => (
            <Finding key={finding.code} finding={finding} onShow={onShow} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Finding({ finding, onShow }: { finding: CheckFinding; onShow: (keys: readonly string[]) => void }) {
  const t = useTranslations("activity-flows");
  const Glyph = glyphs[finding.weight];
  const inside = (
    <>
      <Glyph size={16} stroke={1.4} aria-hidden="true" />
      <span>
        <span className={classes.weight}>{t(`check.${finding.weight}`)}</span> {t(`finding.${finding.code}`, finding.params)}
      </span>
    </>
  );
  return (
    <li className={classes.finding} data-weight={finding.weight}>
      {finding.keys.length > 0 ? (
        <button type="button" onClick={() => onShow(finding.keys)}>
          {inside}
        </button>
      ) : (
        <div>{inside}</div>
      )}
    </li>
  );
}
