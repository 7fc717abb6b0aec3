"use client";
import { useTranslations } from "next-intl";
import type { RunHead } from "#lib/planning-engine/runs/schema.ts";
import classes from "./outputs.module.css";

/** What a run is in a line: how many are late or short, when it ends, whether it still fits its inputs. */
export function RunLine({ run }: { run: RunHead }) {
  const t = useTranslations("outputs.line");
  const { incumbent } = run;
  return (
    <p className={classes.runLine}>
      {incumbent
        ? [
            incumbent.finishDate ? t("finish", { day: incumbent.finishDate }) : null,
            t("late", { dus: incumbent.lateDus, days: incumbent.lateDays }),
            incumbent.gapDus > 0 ? t("gap", { dus: incumbent.gapDus }) : null,
          ]
            .filter(Boolean)
            .join(" · ")
        : null}
      {run.inputsChanged ? <span className={classes.warn}> {t("changed")}</span> : null}
    </p>
  );
}
