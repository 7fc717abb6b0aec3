"use client";
import { Button, Modal, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Tag, type Tone } from "#components/ui/status-tag.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { formatMoment } from "#lib/core/format.ts";
import { decideIntroduction, withdrawIntroduction } from "#lib/resources/introductions/actions.ts";
import { type IntroductionStatus, reasonChars } from "#lib/resources/introductions/limits.ts";
import type { Introduction } from "#lib/resources/introductions/queries.ts";
import { introductionsAddress } from "./pool-data.ts";
import classes from "./resources.module.css";

const tones: Record<IntroductionStatus, Tone> = { PENDING: "warn", APPROVED: "ok", REJECTED: "danger", WITHDRAWN: "neutral" };

/** The introductions, the newest first; a manager approves or refuses, the applicant takes his own back. [RES-42] */
export function IntroductionsDialog({ onClose, onDone }: { onClose: () => void; onDone: () => Promise<void> }) {
  const t = useTranslations("resources");
  const common = useTranslations("common");
  const { can, user, offset } = useSession();
  const [refused, setRefused] = useState<{ id: number; reason: string } | null>(null);
  const [decide, deciding] = useAction(decideIntroduction);
  const [withdraw, withdrawing] = useAction(withdrawIntroduction);
  const settle = async (answer: { status: number; msg?: string | undefined }) => {
    if (answer.status >= 400) toast.problem(answer.msg ?? t("failed"));
    else setRefused(null);
    await onDone();
  };
  const verbs = (row: Introduction) => {
    if (row.status !== "PENDING") return row.reason;
    if (refused?.id === row.id)
      return (
        <span className={classes.verbs}>
          <TextInput
            size="xs"
            aria-label={common("reason")}
            placeholder={common("reason")}
            maxLength={reasonChars}
            value={refused.reason}
            onChange={(event) => setRefused({ id: row.id, reason: event.currentTarget.value })}
          />
          <Button
            size="xs"
            disabled={refused.reason.trim() === ""}
            loading={deciding}
            onClick={async () => settle(await decide({ id: row.id, pass: false, reason: refused.reason }))}
          >
            {common("reject")}
          </Button>
        </span>
      );
    return (
      <span className={classes.verbs}>
        {can("subcon.approve") ? (
          <>
            <Button size="xs" loading={deciding} onClick={async () => settle(await decide({ id: row.id, pass: true }))}>
              {common("approve")}
            </Button>
            <Button size="xs" onClick={() => setRefused({ id: row.id, reason: "" })}>
              {common("reject")}
            </Button>
          </>
        ) : null}
        {row.applicantId === user.id ? (
          <Button size="xs" loading={withdrawing} onClick={async () => settle(await withdraw({ id: row.id }))}>
            {t("introductions.withdraw")}
          </Button>
        ) : null}
      </span>
    );
  };
  const columns: Column<Introduction>[] = [
    { key: "createdAt", label: common("time"), width: 140, render: (row) => formatMoment(new Date(row.createdAt), offset) },
    { key: "subcontractor", label: t("field.subcontractor"), width: 140 },
    { key: "people", label: t("introductions.people"), wrap: true, render: (row) => row.people.map(({ name }) => name).join(", ") },
    { key: "applicant", label: t("introductions.applicant"), width: 120 },
    {
      key: "status",
      label: common("status"),
      width: 90,
      render: (row) => <Tag tone={tones[row.status]}>{t(`introductions.state.${row.status}`)}</Tag>,
    },
    { key: "verbs", label: t("introductions.decision"), width: 260, render: verbs },
  ];
  return (
    <Modal opened onClose={onClose} title={t("introductions.title")} size={1040} closeButtonProps={{ "aria-label": common("close") }}>
      <div className={classes.list}>
        <DataTable<Introduction>
          label={t("introductions.title")}
          address={introductionsAddress}
          columns={columns}
          rowKey={(row) => row.id}
          pageSize={20}
          empty={<EmptyState title={t("introductions.empty")} />}
        />
      </div>
    </Modal>
  );
}
