"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import styles from "./plan-bar.module.css";
import { gridViewKey, type PlanView } from "./plan-views.ts";

type Props = { views: readonly PlanView[]; shown: string; onView: (key: string) => void };

/** The views of the plan by name, the shown one pressed; nothing where the grid is the only one. */
export function ViewSwitch({ views, shown, onView }: Props) {
  const t = useTranslations("plan-grid");
  if (views.length === 0) return null;
  const button = (key: string, label: string) => (
    <button key={key} type="button" className={styles.view} aria-pressed={key === shown} onClick={() => onView(key)}>
      {label}
    </button>
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be a form's.
    <div role="group" aria-label={t("views.label")} className={styles.views}>
      {button(gridViewKey, t("views.grid"))}
      {views.map((view) =>
        "href" in view ? (
          <Link key={view.key} className={styles.view} href={view.href} prefetch={false}>
            {view.label}
          </Link>
        ) : (
          button(view.key, view.label)
        ),
      )}
    </div>
  );
}
