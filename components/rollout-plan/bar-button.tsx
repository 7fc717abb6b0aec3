"use client";

import { IconChevronDown } from "@tabler/icons-react";
import { type ComponentProps, forwardRef } from "react";
import styles from "./plan-bar.module.css";

type Props = Omit<ComponentProps<"button">, "type"> & { label: string; value: string };

/** A choice in the tool bar: its name in quiet text, what is chosen, an arrow. */
export const BarButton = forwardRef<HTMLButtonElement, Props>(function BarButton({ label, value, className, ...rest }, ref) {
  return (
    <button ref={ref} type="button" className={`${styles.choice} ${className ?? ""}`} {...rest}>
      <span className={styles.choiceLabel}>{label}</span>
      <span className={styles.choiceValue}>{value}</span>
      <IconChevronDown size={12} stroke={2.2} aria-hidden />
    </button>
  );
});
