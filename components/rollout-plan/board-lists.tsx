"use client";

import { useTranslations } from "next-intl";
import type { PointerEvent } from "react";
import { unscheduledMax } from "#lib/rollout-plan/board/limits.ts";
import styles from "./board.module.css";
import type { BoardItem } from "./board-store.ts";
import { PlanDialog } from "./plan-dialog.tsx";

type Props = {
  /** The drawer of what is not planned stands open. */
  waiting: boolean;
  /** What is not planned is not known yet. */
  loading: boolean;
  waits: readonly BoardItem[];
  more: boolean;
  /** Cards of a cell that has more than it shows. */
  listed: { title: string; items: readonly BoardItem[] } | null;
  nameOf: (activityId: number) => string;
  readOnly: boolean;
  onGrab: (event: PointerEvent, item: BoardItem) => void;
  onAsk: (item: BoardItem) => void;
  onCloseList: () => void;
};

/** Lists beside the board: what is not planned, to be dragged to a day, and all cards of a full cell. */
export function BoardLists({ waiting, loading, waits, more, listed, nameOf, readOnly, onGrab, onAsk, onCloseList }: Props) {
  const t = useTranslations("plan-timeline");
  const common = useTranslations("common");
  return (
    <>
      {waiting ? (
        <aside className={styles.drawer} aria-label={t("unscheduled.title")}>
          <p className={styles.drawerTitle}>{t("unscheduled.title")}</p>
          <p className={styles.drawerHint}>
            {loading ? common("loading") : waits.length === 0 ? t("unscheduled.none") : t("unscheduled.hint")}
            {more ? ` · ${t("unscheduled.more", { max: unscheduledMax })}` : ""}
          </p>
          <ul className={styles.waits}>
            {waits.map((item) => (
              <li key={item.key}>
                <button
                  type="button"
                  className={styles.wait}
                  disabled={readOnly}
                  title={`${item.du.code} ${item.du.name}, ${nameOf(item.activityId)}`}
                  onPointerDown={(event) => onGrab(event, item)}
                  onDoubleClick={() => onAsk(item)}
                  // A click of the keyboard, or of a screen reader, has no pointer behind it that could drag.
                  onClick={(event) => event.detail === 0 && onAsk(item)}
                >
                  <span className={styles.code}>{item.du.code}</span>
                  <span className={styles.activity}>{nameOf(item.activityId)}</span>
                </button>
              </li>
            ))}
          </ul>
        </aside>
      ) : null}
      {listed ? (
        <PlanDialog title={listed.title} size={480} onClose={onCloseList}>
          <ul className={styles.waits}>
            {listed.items.map((item) => (
              <li key={item.key}>
                <button
                  type="button"
                  className={styles.wait}
                  onClick={() => {
                    onCloseList();
                    if (!readOnly) onAsk(item);
                  }}
                >
                  <span className={styles.code}>{item.du.code}</span>
                  <span className={styles.activity}>{nameOf(item.activityId)}</span>
                </button>
              </li>
            ))}
          </ul>
        </PlanDialog>
      ) : null}
    </>
  );
}
