"use client";
import { Button } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Confirm } from "#components/ui/confirm.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { deleteReminders, disableReminders, enableReminders } from "#lib/reminders/switching/actions.ts";
import type { ReminderKind } from "#lib/reminders/switching/limits.ts";

type Row = { id: number; status: "ENABLED" | "DISABLED" };
type Verb = "enable" | "disable" | "delete";

/** Puts chosen reminders into force or out of it, or deletes them; each is asked first. */
export function SwitchActions({ kind, rows, onDone }: { kind: ReminderKind; rows: readonly Row[]; onDone: () => unknown }) {
  const t = useTranslations("reminder-rules");
  const common = useTranslations("common");
  const [asked, setAsked] = useState<Verb | null>(null);
  const [enable] = useAction(enableReminders);
  const [disable] = useAction(disableReminders);
  const [remove] = useAction(deleteReminders);
  const idsOf = (verb: Verb | null) =>
    rows.filter(({ status }) => verb === "delete" || (status === "ENABLED") === (verb === "disable")).map(({ id }) => id);
  const ids = idsOf(asked);
  const run = async () => {
    const call = asked === "enable" ? enable : asked === "disable" ? disable : remove;
    const answer = await call({ kind, ids });
    if (answer.status >= 400) toast.problem(answer.msg ?? t("failed"));
    else toast.done(t(`done.${asked ?? "delete"}`, { count: ids.length }));
    await onDone();
  };
  return (
    <>
      {(["enable", "disable", "delete"] as const).map((verb) =>
        idsOf(verb).length > 0 ? (
          <Button key={verb} onClick={() => setAsked(verb)}>
            {common(verb)}
          </Button>
        ) : null,
      )}
      <Confirm
        opened={asked !== null}
        danger={asked === "delete"}
        verb={asked ? t(`verb.${asked}`, { count: ids.length }) : ""}
        onConfirm={run}
        onClose={() => setAsked(null)}
      >
        {asked ? t(`confirm.${asked}`) : null}
      </Confirm>
    </>
  );
}
