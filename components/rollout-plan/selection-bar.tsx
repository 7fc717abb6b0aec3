"use client";

import { Button } from "@mantine/core";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import styles from "./plan-bar.module.css";

/** Takes the place of the filter row while rows are chosen: how many, what can be done with them, and Clear. */
export function SelectionBar({ count, onClear, children }: { count: number; onClear: () => void; children: ReactNode }) {
  const t = useTranslations("plan-grid");
  return (
    <div className={`${styles.bar} ${styles.chips}`}>
      <span className={styles.chosen} role="status">
        {t("selection.count", { count })}
      </span>
      {children}
      <span className={styles.grow} />
      <Button variant="subtle" color="gray" onClick={onClear}>
        {t("selection.clear")}
      </Button>
    </div>
  );
}
