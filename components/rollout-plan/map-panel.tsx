"use client";

import { Button } from "@mantine/core";
import { IconLasso, IconMapPinOff, IconTable } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { formatNumber } from "#lib/core/format.ts";
import { selectionDusMax } from "#lib/rollout-plan/limits.ts";
import { type PointStatus, unlocatedMax } from "#lib/rollout-plan/map-points/limits.ts";
import { MapList } from "./map-list.tsx";
import styles from "./map-page.module.css";
import bar from "./plan-bar.module.css";
import type { MapData } from "./use-plan-map.ts";

export const mapTabs = ["chosen", "view", "unlocated"] as const;
export type MapTab = (typeof mapTabs)[number];

type Props = {
  tab: MapTab;
  onTab: (tab: MapTab) => void;
  /** null until it has been read: the panel stands there from the start, so that the map beside it keeps its size. */
  data: MapData | null;
  /** DUs whose points are in view, up to as many as may be chosen. */
  inView: readonly number[];
  chosen: ReadonlySet<number>;
  counts: boolean;
  opening: boolean;
  statusOf: (duId: number) => PointStatus | null;
  onChoose: (duIds: readonly number[]) => void;
  onToggle: (duId: number) => void;
  onGoTo: (duId: number) => void;
  onOpen: () => void;
};

/** The lists beside the map: what was chosen, what is in view, what has no place on it. */
export function MapPanel(props: Props) {
  const { tab, onTab, data, inView, chosen, counts, opening, statusOf, onChoose, onToggle, onGoTo, onOpen } = props;
  const t = useTranslations("plan-map");
  const common = useTranslations("common");
  const tooMany = chosen.size > selectionDusMax;
  const list = { statusOf, chosen, onToggle, onGoTo, counts };
  return (
    <aside className={styles.panel} aria-label={t("tabs.label")}>
      <div className={styles.panelHead}>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be a form's. */}
        <div role="group" aria-label={t("tabs.label")} className={`${bar.views} ${styles.tabs}`}>
          {mapTabs.map((name) => (
            <button key={name} type="button" className={bar.view} aria-pressed={name === tab} onClick={() => onTab(name)}>
              {t(`tabs.${name}`)}
            </button>
          ))}
        </div>
      </div>
      {tab === "chosen" ? (
        chosen.size === 0 ? (
          <EmptyState title={t("none")} text={t("noneHelp")} icon={<IconLasso size={28} stroke={1} aria-hidden />} />
        ) : (
          <>
            <div className={styles.verbs}>
              <span role="status">{counts ? t("chosenCount", { count: formatNumber(chosen.size), n: chosen.size }) : t("chosenSome")}</span>
              <Button variant="subtle" color="gray" onClick={() => onChoose([])}>
                {t("clear")}
              </Button>
            </div>
            <MapList label={t("tabs.chosen")} duIds={[...chosen]} {...list} />
            <div className={styles.foot}>
              {tooMany ? <p role="alert">{t("openMax", { max: formatNumber(selectionDusMax) })}</p> : null}
              <Button
                variant="filled"
                fullWidth
                leftSection={<IconTable size={16} stroke={1.4} />}
                disabled={tooMany}
                loading={opening}
                onClick={onOpen}
              >
                {t("open")}
              </Button>
            </div>
          </>
        )
      ) : null}
      {tab !== "chosen" && data === null ? (
        <p className={styles.note} role="status">
          {common("loading")}
        </p>
      ) : null}
      {tab === "view" && data ? (
        inView.length === 0 ? (
          <EmptyState title={t("viewEmpty")} text={t("viewHelp")} />
        ) : (
          <>
            <div className={styles.verbs}>
              <span>{t("viewHelp")}</span>
              <Button variant="subtle" color="gray" onClick={() => onChoose([...new Set([...chosen, ...inView])])}>
                {t("selectView")}
              </Button>
            </div>
            <MapList label={t("tabs.view")} duIds={inView} {...list} />
          </>
        )
      ) : null}
      {tab === "unlocated" && data ? (
        data.unlocated.length === 0 ? (
          <EmptyState title={t("allLocated")} icon={<IconMapPinOff size={28} stroke={1} aria-hidden />} />
        ) : (
          <ScrollRegion className={styles.rows} label={t("tabs.unlocated")}>
            {data.unlocated.length < (data.unlocatedCount ?? unlocatedMax) || data.unlocatedCount === null ? (
              <p className={styles.note}>
                {data.unlocatedCount === null
                  ? t("unlocatedFirst", { max: formatNumber(unlocatedMax) })
                  : t("unlocatedMore", { max: formatNumber(data.unlocated.length), total: formatNumber(data.unlocatedCount) })}
              </p>
            ) : null}
            <ul>
              {data.unlocated.map((du) => (
                <li key={du.duId}>
                  <span className={styles.du}>
                    <span className={styles.code}>{du.code}</span>
                    <span className={styles.name}>{du.name}</span>
                  </span>
                </li>
              ))}
            </ul>
          </ScrollRegion>
        )
      ) : null}
    </aside>
  );
}
