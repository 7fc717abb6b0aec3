"use client";

import { Popover } from "@mantine/core";
import {
  IconArrowAutofitWidth,
  IconArrowDown,
  IconArrowLeft,
  IconArrowRight,
  IconArrowsSort,
  IconArrowUp,
  IconChecklist,
  IconEyeOff,
  IconLock,
  IconLockOpen,
  IconX,
} from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { Fragment, type ReactNode } from "react";
import { lockedMax } from "#components/grid/column-layout.ts";
import type { GridColumn } from "#components/grid/grid-model.ts";
import { ColumnFilter } from "./column-filter.tsx";
import styles from "./menu.module.css";
import { menuWidth } from "./menu-width.ts";
import type { PlanFilter, PlanQuestion, PlanSort } from "./plan-filters.ts";
import { columnRef } from "./plan-keys.ts";

export type ColumnMenuActions = {
  sort: (key: string, dir: "asc" | "desc" | null, add: boolean) => void;
  filter: (key: string, filter: PlanFilter | null) => void;
  lock: (key: string, locked: boolean) => void;
  hide: (key: string, everywhere: boolean) => void;
  fold: (key: string) => void;
  fit: (key: string) => void;
  /** One place to the left or right, inside the group or among the locked columns. */
  move: (key: string, by: -1 | 1) => void;
  canMove: (key: string, by: -1 | 1) => boolean;
};

type Props = {
  column: GridColumn;
  /** Name of the column with its activity. */
  title: string;
  anchor: DOMRect;
  question: PlanQuestion;
  locked: readonly string[];
  actions: ColumnMenuActions;
  /** Sets the column for every shown DU; `hint` says why it cannot. */
  setAll?: { hint: string | undefined; run: () => void };
  onClose: () => void;
};

/** Menu of a column head: order, condition, locking, hiding, folding, width. */
export function ColumnMenu({ column, title, anchor, question, locked, actions, setAll, onClose }: Props) {
  const t = useTranslations("plan-grid");
  const { key } = column;
  const { activityId } = columnRef(key);
  const sort: PlanSort | undefined = question.sort.find((given) => given.key === key);
  const isLocked = locked.includes(key);
  const full = !isLocked && locked.length >= lockedMax;
  const run = (work: () => void) => () => {
    work();
    onClose();
  };
  const item = (
    icon: ReactNode,
    text: string,
    work: () => void,
    options: { pressed?: boolean; disabled?: boolean; hint?: string } = {},
  ) => (
    <button
      type="button"
      className={styles.item}
      aria-pressed={options.pressed}
      aria-disabled={options.disabled || undefined}
      title={options.hint}
      onClick={options.disabled ? undefined : run(work)}
    >
      {icon}
      {text}
    </button>
  );
  const several = question.sort.some((given) => given.key !== key);
  return (
    <Popover opened width={menuWidth} onDismiss={onClose} onClose={onClose} position="bottom-start" trapFocus returnFocus>
      <Popover.Target>
        <button
          type="button"
          tabIndex={-1}
          aria-label={title}
          className={styles.anchor}
          style={{ left: anchor.left, top: anchor.top, width: anchor.width, height: anchor.height }}
        />
      </Popover.Target>
      <Popover.Dropdown p={4} aria-label={title}>
        <div className={styles.title}>{title}</div>
        {column.sortable && (
          <div className={styles.list}>
            {item(<IconArrowUp size={16} stroke={1.4} />, t("column.asc"), () => actions.sort(key, "asc", false), {
              pressed: sort?.dir === "asc",
            })}
            {item(<IconArrowDown size={16} stroke={1.4} />, t("column.desc"), () => actions.sort(key, "desc", false), {
              pressed: sort?.dir === "desc",
            })}
            {several && !sort && item(<IconArrowsSort size={16} stroke={1.4} />, t("column.thenBy"), () => actions.sort(key, "asc", true))}
            {sort && item(<IconX size={16} stroke={1.4} />, t("column.unsort"), () => actions.sort(key, null, true))}
          </div>
        )}
        <ColumnFilter
          column={column}
          filter={question.filters.find((given) => given.key === key)}
          question={question}
          onApply={(filter) => {
            actions.filter(key, filter);
            onClose();
          }}
        />
        <div className={styles.section} style={{ padding: "4px 0 0" }}>
          {setAll &&
            item(<IconChecklist size={16} stroke={1.4} />, t("column.setAll"), setAll.run, {
              disabled: setAll.hint !== undefined,
              ...(setAll.hint ? { hint: setAll.hint } : {}),
            })}
          {item(
            isLocked ? <IconLockOpen size={16} stroke={1.4} /> : <IconLock size={16} stroke={1.4} />,
            isLocked ? t("column.unlock") : t("column.lock"),
            () => actions.lock(key, !isLocked),
            { disabled: full, ...(full ? { hint: t("column.lockFull", { max: lockedMax }) } : {}) },
          )}
          {([-1, 1] as const).map((by) => (
            <Fragment key={by}>
              {item(
                by < 0 ? <IconArrowLeft size={16} stroke={1.4} /> : <IconArrowRight size={16} stroke={1.4} />,
                t(by < 0 ? "column.left" : "column.right"),
                () => actions.move(key, by),
                { disabled: !actions.canMove(key, by) },
              )}
            </Fragment>
          ))}
          {item(<IconArrowAutofitWidth size={16} stroke={1.4} />, t("column.fit"), () => actions.fit(key))}
          {item(<IconEyeOff size={16} stroke={1.4} />, t("column.hide"), () => actions.hide(key, false))}
          {activityId !== null && item(<IconEyeOff size={16} stroke={1.4} />, t("column.hideAll"), () => actions.hide(key, true))}
          {activityId !== null && item(<IconArrowAutofitWidth size={16} stroke={1.4} />, t("column.fold"), () => actions.fold(key))}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
