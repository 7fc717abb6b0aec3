"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import type { CellValue } from "#components/grid/grid-model.ts";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { useHref, useProjectNumber } from "#components/ui/use-href.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { formatMoment } from "#lib/core/format.ts";
import { readHistory } from "./cell-changes.ts";
import styles from "./dialogs.module.css";
import { PlanDialog } from "./plan-dialog.tsx";
import { columnRef } from "./plan-keys.ts";

type Props = {
  rowKey: string;
  columnKey: string;
  /** DU, activity and field in words. */
  place: string;
  show: (value: CellValue) => string;
  onClose: () => void;
};

/** Who set a cell to what, when and why. */
export function CellHistory({ rowKey, columnKey, place, show, onClose }: Props) {
  const t = useTranslations("plan-grid");
  const { offset, can } = useSession();
  const project = useProjectNumber();
  const href = useHref();
  const { field, activityId } = columnRef(columnKey);
  const found = useQuery({
    queryKey: ["plan cell", project, rowKey, columnKey],
    queryFn: ({ signal }) => readHistory(rowKey, columnKey, signal),
    staleTime: 0,
  });
  const text = (value: unknown) => show(value as CellValue) || "-";
  return (
    <PlanDialog onClose={onClose} title={t("history.title")} size={520}>
      <p className={styles.place}>{place}</p>
      {found.isError && <ErrorPanel title={t("history.failed")} failed={found.error} onRetry={() => found.refetch()} />}
      {found.data?.length === 0 && <p className={styles.quiet}>{t("history.none")}</p>}
      <ol className={styles.timeline} aria-busy={found.isFetching}>
        {found.data?.map((change) => (
          <li key={`${change.batchId}-${change.at}`}>
            <span className={styles.values}>
              <s>{text(change.old)}</s> → <b>{text(change.new)}</b>
            </span>
            <span className={styles.quiet}>
              {formatMoment(change.at, offset)} · {change.actor ?? t("history.system")} · {t(`source.${change.source}`)}
            </span>
            {change.reason && <span className={styles.reason}>{change.reason}</span>}
            {can("planLog.view") && (
              <Link className={styles.log} href={href("planLog", { query: { batch: change.batchId } })} prefetch={false}>
                {t("history.batch")}
              </Link>
            )}
          </li>
        ))}
      </ol>
      {can("planLog.view") && (
        <Link className={styles.log} href={href("planLog", { query: { duId: rowKey, activity: activityId, field } })} prefetch={false}>
          {t("history.log")}
        </Link>
      )}
    </PlanDialog>
  );
}
