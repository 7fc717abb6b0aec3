"use client";
import { Button, Modal } from "@mantine/core";
import { useTranslations } from "next-intl";
import table from "#components/ui/data-table.module.css";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { Tag } from "#components/ui/status-tag.tsx";
import { useSession } from "#components/ui/use-session.tsx";
import { formatMoment } from "#lib/core/format.ts";
import { detailLines, objectText } from "#lib/logs/audit/logic.ts";
import type { AuditRow } from "#lib/logs/audit/queries.ts";
import classes from "./audit.module.css";

type Props = {
  /** The line to show; null closes the dialog. */
  line: AuditRow | null;
  onClose: () => void;
  /** All lines of the same request are asked for. */
  onRequest: (requestId: string) => void;
};

/** One line of the audit log with its values before and after. */
export function AuditDialog({ line, onClose, onRequest }: Props) {
  const t = useTranslations("audit");
  const { offset } = useSession();
  const lines = line ? detailLines(line.detail) : [];
  const request = line?.requestId;
  return (
    <Modal
      opened={line !== null}
      onClose={onClose}
      title={line?.object ? objectText(line.object, t) : t("title")}
      size={720}
      closeButtonProps={{ "aria-label": t("close") }}
      attributes={{ header: { role: "presentation" } }}
    >
      {line ? (
        <>
          <p className={classes.facts}>
            <Tag>{t(`event.${line.event}`)}</Tag>
            <span>
              {line.actor ?? t("system")} · {formatMoment(line.at, offset)}
            </span>
            {line.object ? <span className={classes.code}>{line.object}</span> : null}
            {line.address ? <span className={classes.code}>{line.address}</span> : null}
            {line.requestId ? <span className={classes.code}>{line.requestId}</span> : null}
          </p>
          {lines.length === 0 ? (
            <p className={classes.quiet}>{t("nothing")}</p>
          ) : (
            <ScrollRegion className={classes.values} label={t("title")}>
              <table className={table.table}>
                <thead>
                  <tr>
                    <th scope="col">{t("column.field")}</th>
                    <th scope="col">{t("column.before")}</th>
                    <th scope="col">{t("column.after")}</th>
                  </tr>
                </thead>
                <tbody>
                  {lines.map(({ field, before, after, changed }) => (
                    <tr key={field}>
                      <th scope="row" className={classes.field}>
                        {field}
                      </th>
                      <td data-wrap>{before === null ? <Blank /> : changed ? <del className={classes.old}>{before}</del> : before}</td>
                      <td data-wrap>{after === null ? <Blank /> : changed ? <ins className={classes.new}>{after}</ins> : after}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </ScrollRegion>
          )}
          <div className={classes.foot}>
            {request ? <Button onClick={() => onRequest(request)}>{t("all")}</Button> : null}
            <Button data-autofocus className={classes.last} onClick={onClose}>
              {t("close")}
            </Button>
          </div>
        </>
      ) : null}
    </Modal>
  );
}

function Blank() {
  const t = useTranslations("audit");
  return <span className={classes.quiet}>{t("blank")}</span>;
}
