"use client";
import { IconInbox } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import classes from "./state-panel.module.css";

type Props = {
  /** What is not there; else that no data was found. */
  title?: string | undefined;
  text?: ReactNode;
  icon?: ReactNode;
  /** 1 where it is the heading of the page. */
  level?: 1 | 2;
  children?: ReactNode;
};

/** A place with nothing in it: one outline icon, one sentence, and what ends it (buttons, or the chips to drop). */
export function EmptyState({ title, text, icon, level = 2, children }: Props) {
  const t = useTranslations("ui");
  const Heading = level === 1 ? "h1" : "h2";
  return (
    <div className={classes.panel}>
      {icon ?? <IconInbox size={28} stroke={1} aria-hidden="true" />}
      <Heading className={classes.title}>{title ?? t("table.empty")}</Heading>
      {text ? <p className={classes.text}>{text}</p> : null}
      {children ? <div className={classes.actions}>{children}</div> : null}
    </div>
  );
}
