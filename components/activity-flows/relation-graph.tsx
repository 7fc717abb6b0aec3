"use client";
import { useTranslations } from "next-intl";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { useList } from "#components/ui/use-list.ts";
import type { DuRelationRow } from "#lib/activity-flows/du-relations/queries.ts";
import classes from "./relations.module.css";

const width = 316;
const rowHeight = 34;
const box = { width: 118, height: 24 };
const shown = 50;

/** A DU with those it is related to: what it points to at the right, what points to it at the left. */
export function RelationGraph({ duId, code }: { duId: number; code: string }) {
  const t = useTranslations("activity-flows");
  const list = useList<DuRelationRow>({
    address: "duRelation/list",
    page: 1,
    size: shown,
    filters: [{ field: "duId", type: "eq", values: [duId] }],
  });
  if (list.isError && !list.data)
    return <ErrorPanel title={t("relations.graphFailed", { code })} failed={list.error} onRetry={() => list.refetch()} />;
  // What is still shown of the list may be around the DU that was chosen before.
  const found = list.isPlaceholderData ? undefined : list.data;
  if (!found) return <div aria-busy="true" />;
  const rows = found.records;
  const sides = {
    right: rows.filter((row) => row.duId === duId).map((row) => ({ id: row.id, kind: row.kind, code: row.relatedCode })),
    left: rows.filter((row) => row.duId !== duId).map((row) => ({ id: row.id, kind: row.kind, code: row.code })),
  };
  const lines = Math.max(sides.left.length, sides.right.length, 1);
  const height = (lines + 1) * rowHeight;
  const words = rows.map((row) => `${row.code} → ${row.relatedCode}: ${t(`relations.kind.${row.kind}`)}`).join("; ");
  return (
    <section aria-label={t("relations.graph", { code })}>
      <h2>{t("relations.graph", { code })}</h2>
      <svg className={classes.graph} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={words || code}>
        {(["left", "right"] as const).flatMap((side) =>
          sides[side].map((end, at) => {
            const x = side === "left" ? 0 : width - box.width;
            const y = (at + 1) * rowHeight;
            const edge = side === "left" ? box.width : x;
            return (
              <g key={end.id}>
                <line x1={width / 2} y1={box.height} x2={edge} y2={y + box.height / 2} />
                <rect x={x} y={y} rx={3} {...box} />
                <text x={x + 6} y={y + 10}>
                  {short(end.code)}
                </text>
                <text data-kind="" x={x + 6} y={y + 20}>
                  {t(`relations.kind.${end.kind}`)}
                </text>
              </g>
            );
          }),
        )}
        <rect data-centre="" x={(width - box.width) / 2} y={0} rx={3} {...box} />
        <text x={width / 2} y={16} textAnchor="middle">
          {short(code)}
        </text>
      </svg>
      {found.total > rows.length ? <p className={classes.hint}>{t("relations.graphMore", { count: found.total - rows.length })}</p> : null}
    </section>
  );
}

const short = (code: string): string => (code.length > 17 ? `${code.slice(0, 16)}…` : code);
