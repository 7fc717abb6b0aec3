"use client";
import { Button } from "@mantine/core";
import { IconArrowBackUp, IconRefresh } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Confirm } from "#components/ui/confirm.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { cancelMails, resendMails } from "#lib/reminders/outbox/actions.ts";
import type { MailRow } from "#lib/reminders/outbox/queries.ts";

type Props = {
  mails: readonly Pick<MailRow, "id" | "status" | "may">[];
  onChange: () => void;
  /** The work is done and the selection is over. */
  onDone?: () => void;
};

/** What may be done with mails now: sent again, or taken back; both are asked first. */
export function MailActions({ mails, onChange, onDone }: Props) {
  const t = useTranslations("reminders");
  const refusal = useTranslations("errors");
  const [asked, setAsked] = useState<"resend" | "cancel" | null>(null);
  const [resend] = useAction(resendMails);
  const [cancel] = useAction(cancelMails);
  const again = mails.filter(({ may }) => may.resend).map(({ id }) => id);
  const back = mails.filter(({ may }) => may.cancel).map(({ id }) => id);
  const run = async (verb: "resend" | "cancel") => {
    const ids = verb === "resend" ? again : back;
    const answer = await (verb === "resend" ? resend({ ids }) : cancel({ ids }));
    if (answer.status >= 400) toast.problem(answer.msg ?? answer.code);
    else {
      const { done, rejected } = answer.data ?? { done: 0, rejected: [] };
      toast.done(t(verb === "resend" ? "done.resent" : "done.cancelled", { count: done }));
      const [first] = rejected;
      if (first) toast.problem(t("done.rejected", { count: rejected.length, reason: refusal(first.code, first.params ?? {}) }));
      onDone?.();
    }
    onChange();
  };
  return (
    <>
      {again.length > 0 ? (
        <Button leftSection={<IconRefresh size={16} stroke={1.4} />} onClick={() => setAsked("resend")}>
          {t("action.resend", { count: again.length })}
        </Button>
      ) : null}
      {back.length > 0 ? (
        <Button leftSection={<IconArrowBackUp size={16} stroke={1.4} />} onClick={() => setAsked("cancel")}>
          {t("action.cancel", { count: back.length })}
        </Button>
      ) : null}
      <Confirm
        opened={asked !== null}
        verb={t(asked === "cancel" ? "confirm.cancelTitle" : "confirm.resendTitle", {
          count: asked === "cancel" ? back.length : again.length,
        })}
        onConfirm={() => run(asked ?? "resend")}
        onClose={() => setAsked(null)}
      >
        {asked === "cancel" ? t("confirm.cancelText") : mails.some(({ status }) => status === "UNCERTAIN") ? t("confirm.resendText") : null}
      </Confirm>
    </>
  );
}
