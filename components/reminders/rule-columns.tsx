"use client";
import { useTranslations } from "next-intl";
import type { Column } from "#components/ui/data-table.tsx";
import { Tag, type Tone } from "#components/ui/status-tag.tsx";
import { useSession } from "#components/ui/use-session.tsx";
import { emptyText, formatMinute } from "#lib/core/format.ts";
import type { Frequency } from "#lib/reminders/occurrences/schema.ts";
import type { DisabledReason } from "#lib/reminders/rules/limits.ts";
import type { LastFire } from "#lib/reminders/rules/queries.ts";
import { beijingTime, frequencyText, shownLocal } from "./reminder-view.ts";

type Row = {
  frequency: Frequency;
  sendTime: string | null;
  validBegin: string;
  validEnd: string;
  nextLocal: string | null;
  status: "ENABLED" | "DISABLED";
  disabledReason: DisabledReason | null;
  last: LastFire | null;
};

const tones: Record<LastFire["result"], Tone> = { SENT: "ok", NOTHING: "neutral", MISSED: "warn", ERROR: "danger" };

/** What a list shows of when a reminder is sent: how often, at what time here and in Beijing, its validity, state, next mail and last result. */
export function useTimeColumns<Given extends Row>(): Column<Given>[] {
  const t = useTranslations("reminder-rules");
  const common = useTranslations("common");
  const { offset } = useSession();
  return [
    { key: "frequency", label: t("column.frequency"), width: 150, render: ({ frequency }) => frequencyText(frequency, t) },
    {
      key: "sendTime",
      label: t("column.sendTime"),
      width: 120,
      render: ({ sendTime }) => (sendTime ? `${sendTime} / ${beijingTime(sendTime, offset)}` : emptyText),
    },
    {
      key: "valid",
      label: t("column.valid"),
      width: 190,
      render: ({ validBegin, validEnd }) => (
        <span title={`${shownLocal(validBegin)} – ${shownLocal(validEnd)}`}>{`${validBegin.slice(0, 10)} – ${validEnd.slice(0, 10)}`}</span>
      ),
    },
    {
      key: "status",
      label: common("status"),
      width: 130,
      render: ({ status, disabledReason }) => (
        <Tag tone={status === "ENABLED" ? "ok" : disabledReason === "MANUAL" || disabledReason === "EXPIRED" ? "neutral" : "warn"}>
          {status === "ENABLED" ? common("enabled") : t(`disabled.${disabledReason ?? "MANUAL"}`)}
        </Tag>
      ),
    },
    { key: "next", label: t("column.next"), width: 130, render: ({ nextLocal }) => (nextLocal ? shownLocal(nextLocal) : emptyText) },
    {
      key: "last",
      label: t("column.last"),
      width: 150,
      render: ({ last }) =>
        last ? (
          <span title={formatMinute(last.at, offset)}>
            <Tag tone={tones[last.result]}>{t(`result.${last.result}`, { mails: last.mails })}</Tag>
          </span>
        ) : (
          emptyText
        ),
    },
  ];
}
