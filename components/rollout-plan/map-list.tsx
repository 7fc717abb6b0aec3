"use client";

import { ActionIcon, Checkbox } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { StatusGlyph } from "#components/ui/status-glyph.tsx";
import { dataOf } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { formatNumber } from "#lib/core/format.ts";
import type { PointStatus } from "#lib/rollout-plan/map-points/limits.ts";
import type { MapDu } from "#lib/rollout-plan/map-points/queries.ts";
import styles from "./map-page.module.css";
import { statusTone } from "./plan-cells.ts";

const pageRows = 50;

type Props = {
  label: string;
  duIds: readonly number[];
  /** Status of a DU that has a point. */
  statusOf: (duId: number) => PointStatus | null;
  chosen: ReadonlySet<number>;
  onToggle: (duId: number) => void;
  onGoTo: (duId: number) => void;
  /** Whether numbers of DUs may be told. */
  counts: boolean;
};

/** DUs beside the map, page by page: to tick, and to find on it. It does by keyboard what the lasso does by hand. */
export function MapList({ label, duIds, statusOf, chosen, onToggle, onGoTo, counts }: Props) {
  const t = useTranslations("plan-map");
  const words = useTranslations("plan-grid.status");
  const { project } = useSession();
  const [page, setPage] = useState(0);
  const pages = Math.max(1, Math.ceil(duIds.length / pageRows));
  const at = Math.min(page, pages - 1);
  const shown = duIds.slice(at * pageRows, (at + 1) * pageRows);
  const found = useQuery({
    queryKey: ["map dus", project.number, shown],
    queryFn: async ({ signal }) => dataOf(await callDoor<MapDu[]>("rolloutPlan/map/dus", { duIds: shown }, { signal })),
    placeholderData: keepPreviousData,
  });
  useEffect(() => {
    if (page >= pages) setPage(0);
  }, [page, pages]);
  if (found.isError) return <ErrorPanel title={t("listFailed")} failed={found.error} onRetry={() => void found.refetch()} />;
  const [from, to] = [at * pageRows + 1, Math.min(duIds.length, (at + 1) * pageRows)];
  return (
    <>
      <ScrollRegion className={styles.rows} label={label} busy={found.isFetching}>
        <ul>
          {(found.data ?? []).map((du) => {
            const status = statusOf(du.duId);
            return (
              <li key={du.duId}>
                <Checkbox
                  size="xs"
                  aria-label={t("choose", { code: du.code })}
                  checked={chosen.has(du.duId)}
                  onChange={() => onToggle(du.duId)}
                />
                <button type="button" className={styles.du} title={t("goTo", { code: du.code })} onClick={() => onGoTo(du.duId)}>
                  <span className={styles.code}>{du.code}</span>
                  <span className={styles.name}>{du.name}</span>
                </button>
                {status ? (
                  <span className={styles.status}>
                    <StatusGlyph status={statusTone(status)} />
                    {words(status)}
                  </span>
                ) : null}
              </li>
            );
          })}
        </ul>
      </ScrollRegion>
      {pages > 1 ? (
        <div className={styles.pages}>
          <span>
            {counts
              ? t("range", { from: formatNumber(from), to: formatNumber(to), total: formatNumber(duIds.length) })
              : t("rangeOpen", { from: formatNumber(from), to: formatNumber(to) })}
          </span>
          <ActionIcon size={24} aria-label={t("previous")} disabled={at === 0} onClick={() => setPage(at - 1)}>
            <IconChevronLeft size={16} stroke={1.4} />
          </ActionIcon>
          <ActionIcon size={24} aria-label={t("next")} disabled={at === pages - 1} onClick={() => setPage(at + 1)}>
            <IconChevronRight size={16} stroke={1.4} />
          </ActionIcon>
        </div>
      ) : null}
    </>
  );
}
