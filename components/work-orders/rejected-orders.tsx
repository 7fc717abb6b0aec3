"use client";
import { Button } from "@mantine/core";
import { useTranslations } from "next-intl";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { MarkGlyph } from "#components/ui/status-glyph.tsx";
import classes from "./orders.module.css";

export type RejectedLine = { id: number | null; duId: number | null; activityId: number | null; msg: string };
/** What rejected rows are called: DUs and activities by their ids, where they are known. */
export type Names = { du: (duId: number) => string | undefined; activity: (activityId: number) => string | undefined };

/** Rejected rows, each with its reason. */
export function RejectedTable({ rows, names }: { rows: readonly RejectedLine[]; names: Names }) {
  const t = useTranslations("work-orders.result");
  return (
    <ScrollRegion className={classes.rejected} label={t("rejected")}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t("du")}</th>
            <th scope="col">{t("activity")}</th>
            <th scope="col">{t("reason")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              <td>{row.duId === null ? `#${row.id}` : (names.du(row.duId) ?? row.duId)}</td>
              <td>{row.activityId === null ? "" : (names.activity(row.activityId) ?? row.activityId)}</td>
              <td>
                <MarkGlyph mark="warning" /> {row.msg}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

type Props = {
  title: string;
  note?: string | undefined;
  rows: readonly RejectedLine[];
  names: Names;
  /** Chooses the rejected rows in the grid. */
  onSelect?: ((duIds: number[]) => void) | undefined;
  onClose: () => void;
};

/** What a batch did: counts in the title, every rejected row with its reason, and the way back to them. */
export function RejectedOrders({ title, note, rows, names, onSelect, onClose }: Props) {
  const t = useTranslations("work-orders.result");
  const common = useTranslations("common");
  const duIds = [...new Set(rows.flatMap(({ duId }) => duId ?? []))];
  return (
    <div className={classes.form}>
      <p className={classes.help} role="status">
        {title}
      </p>
      {note ? <p className={classes.help}>{note}</p> : null}
      {rows.length > 0 ? <RejectedTable rows={rows} names={names} /> : null}
      <div className={classes.foot}>
        {onSelect && duIds.length > 0 ? <Button onClick={() => onSelect(duIds)}>{t("select")}</Button> : null}
        <Button data-autofocus variant="filled" onClick={onClose}>
          {common("close")}
        </Button>
      </div>
    </div>
  );
}
