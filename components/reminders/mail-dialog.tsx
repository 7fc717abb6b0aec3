"use client";
import { Button, Modal } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { formatBytes, formatMoment } from "#lib/core/format.ts";
import type { MailText } from "#lib/reminders/outbox/queries.ts";
import { MailActions } from "./mail-actions.tsx";
import classes from "./mail-log.module.css";
import { MailError, MailState } from "./mail-state.tsx";

type Props = {
  /** The mail to show; null closes the dialog. */
  id: number | null;
  onClose: () => void;
  onChange: () => void;
};

/** One mail: to whom, what became of it, and its words. */
export function MailDialog({ id, onClose, onChange }: Props) {
  const t = useTranslations("reminders");
  const { offset } = useSession();
  const project = useProjectNumber();
  const client = useQueryClient();
  const key = ["mail", project, id];
  const reading = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => dataOf(await callDoor<MailText>(`emailAuto/mailLog/find/${id}`, {}, { signal })),
    enabled: id !== null,
    retry: false,
  });
  const mail = reading.data;
  const changed = () => {
    void client.invalidateQueries({ queryKey: key });
    onChange();
  };
  return (
    <Modal
      opened={id !== null}
      onClose={onClose}
      title={mail?.subject ?? t("log.label")}
      size={720}
      closeButtonProps={{ "aria-label": t("action.close") }}
      attributes={{ header: { role: "presentation" } }}
    >
      {reading.isError ? (
        <ErrorPanel title={t("mail.failed")} failed={reading.error} onRetry={() => reading.refetch()} />
      ) : mail ? (
        <>
          <div className={classes.facts}>
            <MailState status={mail.status} />
            <span>
              {t(mail.cc ? "mail.cc" : "mail.to")}: {mail.toName ? `${mail.toName} <${mail.toAddress}>` : mail.toAddress}
            </span>
            <span className={classes.quiet}>
              {t("mail.attempts", { count: mail.attempts })} · {formatMoment(mail.sentAt ?? mail.createdAt, offset)}
            </span>
          </div>
          {mail.lastError ? (
            <p className={classes.error}>
              <MailError error={mail.lastError} />
            </p>
          ) : null}
          <ScrollRegion className={classes.text} label={t("mail.body")}>
            {mail.text ?? t("mail.withheld")}
          </ScrollRegion>
          {mail.attachments.length > 0 ? (
            <p className={classes.quiet}>
              {t("mail.attachments")}: {mail.attachments.map(({ name, size }) => `${name} (${formatBytes(size)})`).join(", ")}
            </p>
          ) : null}
          <div className={classes.foot}>
            <MailActions mails={[mail]} onChange={changed} />
            <Button data-autofocus className={classes.last} onClick={onClose}>
              {t("action.close")}
            </Button>
          </div>
        </>
      ) : (
        <div aria-busy="true" />
      )}
    </Modal>
  );
}
