"use client";
import { IconRefresh } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useSyncExternalStore } from "react";
import { useSession } from "#components/ui/use-session.tsx";
import { formatMoment } from "#lib/core/format.ts";
import styles from "./plan-page.module.css";
import type { PlanSource } from "./plan-source.ts";
import { neverSynced, type PlanSync } from "./plan-sync.ts";

type Props = {
  sync: PlanSync;
  source: PlanSource;
  onAsk: () => void;
};

/** Tells when the rows were last those of the server; pressed, they are asked for again. */
export function SyncNote({ sync, source, onAsk }: Props) {
  const t = useTranslations("plan-grid.sync");
  const { offset } = useSession();
  const { at, failed } = useSyncExternalStore(sync.subscribe, sync.get, () => neverSynced);
  const lacks = useSyncExternalStore(
    source.subscribe,
    () => source.behind || source.failed !== null,
    () => false,
  );
  const isBehind = failed || lacks;
  return (
    <button type="button" className={isBehind ? `${styles.sync} ${styles.behind}` : styles.sync} title={t("again")} onClick={onAsk}>
      <IconRefresh size={12} stroke={1.7} aria-hidden />
      {text()}
    </button>
  );

  function text(): string {
    if (!at) return isBehind ? t("never") : t("asking");
    const time = formatMoment(at, offset).slice(11);
    return isBehind ? t("behind", { time }) : t("at", { time });
  }
}
