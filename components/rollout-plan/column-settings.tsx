"use client";

import { Button } from "@mantine/core";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useId } from "react";
import { lockedMax } from "#components/grid/column-layout.ts";
import type { GridHead } from "#components/grid/grid-model.ts";
import { inOrder, swapped, withList } from "./column-order.ts";
import styles from "./dialogs.module.css";
import { activityFields, activityOrder, columnTitle, type PlanHead } from "./plan-columns.ts";
import { PlanDialog } from "./plan-dialog.tsx";
import { columnRef, everyActivity, groupKey } from "./plan-keys.ts";

type Props = {
  head: PlanHead;
  grid: GridHead;
  hidden: readonly string[];
  folded: readonly string[];
  locked: readonly string[];
  onHidden: (hidden: string[]) => void;
  onFolded: (folded: string[]) => void;
  onLocked: (locked: string[]) => void;
  order: readonly string[];
  onOrder: (order: string[]) => void;
  onReset: () => void;
  /** Keeps what is shown as a template. */
  onSaveAs: () => void;
  onClose: () => void;
};

type Item = { key: string; title: string };

/** Which columns are shown: of DUs, of every activity, attributes; in which order; which activities are unfolded, and what is locked. Takes effect at once. */
export function ColumnSettings(props: Props) {
  const { head, grid, hidden, folded, locked, onHidden, onFolded, onLocked, order, onOrder, onReset, onSaveAs, onClose } = props;
  const t = useTranslations("plan-grid");
  const id = useId();
  const off = new Set(hidden);
  const activities = activityOrder(head);
  const toggle = (key: string, shown: boolean) => onHidden(shown ? hidden.filter((given) => !covers(given, key)) : [...hidden, key]);
  const moved = (items: readonly Item[]) => (key: string, by: -1 | 1) => {
    const names = items.map((item) => item.key);
    onOrder(withList(order, swapped(names, key, by)));
  };
  const sorted = (items: readonly Item[]) => inOrder(items, (item) => item.key, order);
  const perActivity = sorted(activityFields(head).map((column) => ({ key: everyActivity(column.key), title: column.title })));
  const fields = sorted(head.fields);
  const attributes = sorted(head.attributes.filter((attribute) => attribute.level === "DU"));
  const list = (
    title: string,
    items: readonly Item[],
    isOn: (key: string) => boolean,
    change: (key: string, on: boolean) => void,
    move?: (key: string, by: -1 | 1) => void,
  ) =>
    items.length > 0 && (
      <fieldset className={styles.group} style={{ border: 0, margin: "0 0 12px", padding: 0 }}>
        <legend className={styles.quiet}>{title}</legend>
        {items.map((item, at) => (
          <div key={item.key} className={styles.check}>
            <input
              id={`${id}-${title}-${item.key}`}
              type="checkbox"
              checked={isOn(item.key)}
              onChange={(event) => change(item.key, event.currentTarget.checked)}
            />
            <label htmlFor={`${id}-${title}-${item.key}`}>{item.title}</label>
            {move && (
              <span className={styles.steps}>
                <button
                  type="button"
                  aria-label={t("columns.up", { title: item.title })}
                  disabled={at === 0}
                  onClick={() => move(item.key, -1)}
                >
                  <IconChevronUp size={12} stroke={1.7} aria-hidden />
                </button>
                <button
                  type="button"
                  aria-label={t("columns.down", { title: item.title })}
                  disabled={at === items.length - 1}
                  onClick={() => move(item.key, 1)}
                >
                  <IconChevronDown size={12} stroke={1.7} aria-hidden />
                </button>
              </span>
            )}
          </div>
        ))}
      </fieldset>
    );
  return (
    <PlanDialog onClose={onClose} title={t("columns.title")} size={640}>
      <div className={styles.columns} style={{ maxHeight: "60vh", overflow: "auto" }}>
        {list(
          t("columns.locked", { max: lockedMax }),
          locked.map((key) => ({ key, title: columnTitle(grid, key) })),
          () => true,
          (key) => onLocked(locked.filter((given) => given !== key)),
          (key, by) => onLocked(swapped(locked, key, by)),
        )}
        {list(t("columns.everyActivity"), perActivity, (key) => !off.has(key), toggle, moved(perActivity))}
        {list(
          t("columns.unfolded"),
          activities.map((activity) => ({ key: groupKey(activity.activityId), title: activity.name })),
          (key) => !folded.includes(key),
          (key, on) => onFolded(on ? folded.filter((given) => given !== key) : [...folded, key]),
        )}
        {list(t("columns.fields"), fields, (key) => !off.has(key), toggle, moved(fields))}
        {list(t("columns.attributes"), attributes, (key) => !off.has(key), toggle, moved(attributes))}
      </div>
      <div className={styles.foot}>
        <Button variant="subtle" color="gray" onClick={onReset}>
          {t("columns.reset")}
        </Button>
        <Button onClick={onSaveAs}>{t("columns.saveAs")}</Button>
        <span className={styles.grow} />
        <Button variant="filled" data-autofocus onClick={onClose}>
          {t("columns.done")}
        </Button>
      </div>
    </PlanDialog>
  );
}

/** Showing a column of every activity also shows it where it was hidden for one. */
function covers(hidden: string, key: string): boolean {
  if (hidden === key) return true;
  return key.startsWith("*:") && columnRef(hidden).activityId !== null && columnRef(hidden).field === key.slice(2);
}
