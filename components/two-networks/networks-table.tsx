"use client";
import { useTranslations } from "next-intl";
import { Fragment } from "react";
import { DayText } from "#components/ui/day-text.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { MarkGlyph } from "#components/ui/status-glyph.tsx";
import { Tag } from "#components/ui/status-tag.tsx";
import { emptyText, formatRange } from "#lib/core/format.ts";
import type { JointCell, NetworkHead, NetworkPair } from "#lib/rollout-plan/two-networks/queries.ts";
import classes from "./networks.module.css";

/** A joint date as it is to be saved. */
export type Joint = { duAId: number; duBId: number; activityId: number; jointDate: string | null; rowVersion: number | null };
/** Place of a joint date. */
export const jointKey = ({ duAId, duBId, activityId }: Pick<Joint, "duAId" | "duBId" | "activityId">): string =>
  `${duAId} ${duBId} ${activityId}`;

type Props = {
  rows: readonly NetworkPair[];
  columns: NetworkHead["columns"];
  lines: readonly [string, string];
  joints: ReadonlyMap<string, Joint>;
  /** Why a joint date was refused, by its place. */
  faults: ReadonlyMap<string, string>;
  busy: boolean;
  /** Absent where nothing may be changed. */
  onChange?: ((joint: Joint, before: string | null) => void) | undefined;
};

/** A row per pair of DUs; per activity the plan of both and the joint date, which becomes the plan end of both. */
export function NetworksTable({ rows, columns, lines, joints, faults, busy, onChange }: Props) {
  const t = useTranslations("two-networks");
  const cells = (row: NetworkPair, cell: JointCell, name: string) => {
    const place = { duAId: row.duA.id, duBId: row.duB.id, activityId: cell.activityId };
    const key = jointKey(place);
    const given = joints.get(key);
    const jointDate = given ? given.jointDate : cell.jointDate;
    const fault = faults.get(key);
    const both = cell.a !== null && cell.b !== null;
    const next = given?.jointDate;
    const plan = (side: JointCell["a"]) => (
      <td data-changed={Boolean(next) || undefined}>
        {side ? formatRange(side.planStart, next ?? side.planEnd) || emptyText : <span className={classes.none}>{t("notThere")}</span>}
      </td>
    );
    return [
      <Fragment key={`${key} a`}>{plan(cell.a)}</Fragment>,
      <Fragment key={`${key} b`}>{plan(cell.b)}</Fragment>,
      <td key={`${key} joint`} className={classes.joint}>
        {both && onChange ? (
          <>
            <DayText
              value={jointDate ?? ""}
              changed={given !== undefined}
              error={fault !== undefined}
              aria-label={t("jointOf", { activity: name, a: row.duA.code, b: row.duB.code })}
              aria-describedby={fault ? `fault ${key}`.replaceAll(" ", "-") : undefined}
              onChange={(day) => onChange({ ...place, jointDate: day || null, rowVersion: cell.rowVersion }, cell.jointDate)}
            />
            {fault ? (
              <span id={`fault ${key}`.replaceAll(" ", "-")} className={classes.fault} role="alert">
                <MarkGlyph mark="refused" />
                {fault}
              </span>
            ) : null}
          </>
        ) : (
          (jointDate ?? emptyText)
        )}
      </td>,
    ];
  };
  return (
    <ScrollRegion className={classes.scroll} label={t("label")} busy={busy}>
      <table className={classes.table} aria-label={t("label")}>
        <thead>
          <tr>
            <th rowSpan={2} scope="col">
              {t("site")}
            </th>
            <th rowSpan={2} scope="col">
              {lines[0]}
            </th>
            <th rowSpan={2} scope="col">
              {lines[1]}
            </th>
            <th rowSpan={2} scope="col">
              {t("rfc")}
            </th>
            {columns.map(({ activityId, name }) => (
              <th key={activityId} colSpan={3} scope="colgroup" className={classes.group}>
                {name}
              </th>
            ))}
          </tr>
          <tr>
            {columns.flatMap(({ activityId }) => [
              <th key={`${activityId} a`} scope="col">
                {lines[0]}
              </th>,
              <th key={`${activityId} b`} scope="col">
                {lines[1]}
              </th>,
              <th key={`${activityId} joint`} scope="col">
                {t("joint")}
              </th>,
            ])}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.duA.id} ${row.duB.id}`}>
              <th scope="row" title={row.siteName}>
                {row.siteCode}
              </th>
              <td title={row.duA.name}>{row.duA.code}</td>
              <td title={row.duB.name}>{row.duB.code}</td>
              <td>
                {row.rfcDiffers ? (
                  <>
                    {row.duA.rfcNumber ?? emptyText} / {row.duB.rfcNumber ?? emptyText} <Tag tone="warn">{t("rfcDiffers")}</Tag>
                  </>
                ) : (
                  (row.duA.rfcNumber ?? emptyText)
                )}
              </td>
              {columns.flatMap(({ activityId, name }) => {
                const cell = row.cells.find((one) => one.activityId === activityId);
                return cell ? cells(row, cell, name) : [];
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
