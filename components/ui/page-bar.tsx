"use client";
import Link from "next/link";
import { useTranslations } from "next-intl";
import type { KeyboardEvent, ReactNode } from "react";
import { Breadcrumb } from "./breadcrumb.tsx";
import classes from "./page-bar.module.css";
import { PageMenu } from "./page-menu.tsx";

export type PageTab = { key: string; label: string; icon?: ReactNode; count?: string; href?: string };

type Props = {
  /** What the title says beyond the name of the screen: the record shown. */
  record?: string;
  /** Tag of the record's state. */
  status?: ReactNode;
  /** Shows the dot of unsaved edits. */
  edited?: boolean;
  tabs?: readonly PageTab[];
  tab?: string;
  onTab?: (key: string) => void;
  /** Actions at the right: quiet ones first, the one primary last. */
  children?: ReactNode;
};

/** Bar at the top of a screen: where it is, what state it is in, its tabs, its actions. */
export function PageBar({ record, status, edited = false, tabs = [], tab, onTab, children }: Props) {
  const t = useTranslations("ui");
  return (
    <div className={classes.bar}>
      <Breadcrumb {...(record ? { record } : {})} />
      {status}
      {edited ? <span className={classes.edited} role="img" aria-label={t("page.edited")} title={t("page.edited")} /> : null}
      {tabs.length > 0 ? <Tabs tabs={tabs} tab={tab} onTab={onTab} label={t("page.tabs")} /> : null}
      <div className={classes.actions}>
        <div className={classes.own} data-page-actions>
          {children}
        </div>
        <PageMenu />
      </div>
    </div>
  );
}

type TabsProps = { tabs: readonly PageTab[]; tab: string | undefined; onTab: ((key: string) => void) | undefined; label: string };

function Tabs({ tabs, tab, onTab, label }: TabsProps) {
  const inside = (given: PageTab) => (
    <>
      {given.icon}
      {given.label}
      {given.count ? <small>{given.count}</small> : null}
    </>
  );
  if (tabs.every((given) => given.href))
    return (
      <nav className={classes.tabs} aria-label={label}>
        {tabs.map((given) => (
          <Link
            key={given.key}
            href={given.href ?? ""}
            prefetch={false}
            className={classes.tab}
            aria-current={given.key === tab ? "page" : undefined}
          >
            {inside(given)}
          </Link>
        ))}
      </nav>
    );
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const next = step && tabs[(tabs.findIndex((given) => given.key === tab) + step + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    onTab?.(next.key);
    event.currentTarget.querySelector<HTMLButtonElement>(`[data-tab="${CSS.escape(next.key)}"]`)?.focus();
  };
  return (
    <div className={classes.tabs} role="tablist" aria-label={label} tabIndex={-1} onKeyDown={onKeyDown}>
      {tabs.map((given) => (
        <button
          key={given.key}
          type="button"
          role="tab"
          data-tab={given.key}
          className={classes.tab}
          aria-selected={given.key === tab}
          tabIndex={given.key === tab ? 0 : -1}
          onClick={() => onTab?.(given.key)}
        >
          {inside(given)}
        </button>
      ))}
    </div>
  );
}
