"use client";
import { useTranslations } from "next-intl";
import { type ImpactFigure, impactFigures } from "#lib/activity-flows/changes/limits.ts";
import type { Impact } from "#lib/activity-flows/changes/logic.ts";
import { formatNumber } from "#lib/core/format.ts";
import classes from "./changes.module.css";

const always: readonly ImpactFigure[] = ["planDates", "actualDates", "approvals", "workOrders"];
/** What a mapping can keep at all. */
const keepable: readonly ImpactFigure[] = ["planDates", "actualDates", "owners", "baselines", "attributes"];

/** What a change deletes and keeps, in numbers of activities. */
export function ImpactFigures({ impact }: { impact: Impact }) {
  const t = useTranslations("flow-changes");
  const shown = impactFigures.filter((figure) => always.includes(figure) || impact.lost[figure] + impact.kept[figure] > 0);
  return (
    <dl className={classes.figures} aria-label={t("impact.label")}>
      {shown.map((figure) => (
        <div key={figure} data-lost={impact.lost[figure] > 0 || undefined}>
          <dt>{t(`impact.${figure}`)}</dt>
          <dd>
            {formatNumber(impact.lost[figure])}
            {keepable.includes(figure) ? <small>{t("impact.kept", { count: impact.kept[figure] })}</small> : null}
          </dd>
        </div>
      ))}
    </dl>
  );
}
