"use client";
import { useTranslations } from "next-intl";
import { Tag } from "#components/ui/status-tag.tsx";
import { emptyText } from "#lib/core/format.ts";
import type { ClusterView } from "#lib/dimension-views/clusters/queries.ts";

/** Readiness in percent, "-" where nothing can be counted. */
export const rateOf = ({ rate }: Pick<ClusterView, "rate">): string => (rate === null ? emptyText : `${rate.toFixed(2)} %`);

/** Colour token of a cluster on the map: ready, not ready, not measured. */
export const readyColor = ({ rate, ready }: Pick<ClusterView, "rate" | "ready">): string =>
  ready ? "ok" : rate === null ? "fg-3" : "warn";

/** Whether a cluster is ready, in a word. */
export function ReadyTag({ cluster }: { cluster: Pick<ClusterView, "rate" | "ready"> }) {
  const t = useTranslations("clusters.status");
  if (cluster.ready) return <Tag tone="ok">{t("ready")}</Tag>;
  return cluster.rate === null ? <Tag>{t("unmeasured")}</Tag> : <Tag tone="warn">{t("notReady")}</Tag>;
}
