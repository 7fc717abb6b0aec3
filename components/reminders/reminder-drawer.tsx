"use client";
import { Drawer } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type ComponentProps, type FormEvent, type ReactNode, useState } from "react";
import { useCloseGuard, useEdited } from "#components/ui/close-guard.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { useAction } from "#components/ui/use-action.ts";
import { useSession } from "#components/ui/use-session.tsx";
import type { Answer } from "#lib/core/error.ts";
import { formatDay } from "#lib/core/format.ts";
import type { Receivers } from "#lib/reminders/recipients/schema.ts";
import { type LookInput, LookPanel } from "./look-panel.tsx";
import { ReceiverFields } from "./receiver-fields.tsx";
import classes from "./reminders.module.css";
import { newTimes, type Times, TimesFields } from "./times-fields.tsx";
import type { ReminderForm } from "./use-reminder-form.ts";

const nobody: Receivers = { userIds: [], groupIds: [], roles: [], addresses: [] };

/** When a reminder is sent and whom it goes to, as its form holds them. */
export function useReminderParts(
  given: (Times & { receivers?: Receivers }) | null,
  sendTime: string,
  receivers = given?.receivers ?? nobody,
) {
  const { offset } = useSession();
  const times = useState<Times>(given ?? newTimes(formatDay(new Date(), offset), sendTime));
  const whom = useState<Receivers>(receivers);
  return { times: times[0], setTimes: times[1], receivers: whom[0], setReceivers: whom[1] };
}

type Parts = ReturnType<typeof useReminderParts>;
type Props<Input, Result> = {
  id: string;
  title: string;
  size?: number;
  isNew: boolean;
  form: ReminderForm;
  /** Fields that show their problems themselves. */
  shown: readonly string[];
  parts: Parts;
  /** What else is typed, as its state holds it. */
  typed: unknown;
  /** Whether it may follow changes at once. */
  realtime?: boolean;
  whom: { legend: string; help?: string } & Pick<
    ComponentProps<typeof ReceiverFields>,
    "choices" | "known" | "outside" | "required" | "path"
  >;
  /** The reminder as it is typed; null while something it needs is missing. */
  read: () => Input | null;
  look: (input: Input) => LookInput;
  save: (input: Input) => Promise<Answer<Result>>;
  onSaved: (result: Result) => unknown;
  onClose: () => void;
  /** What it tells of. */
  children: ReactNode;
  /** Its own words. */
  words?: ReactNode;
};

/** The form of a reminder: what it tells of, when it is sent, whom it goes to, and what it would send now. */
export function ReminderDrawer<Input, Result>({
  id,
  title,
  size = 640,
  isNew,
  form,
  shown,
  parts,
  typed,
  realtime = false,
  whom: { legend, help, ...whom },
  read,
  look,
  save,
  onSaved,
  onClose,
  children,
  words,
}: Props<Input, Result>) {
  const t = useTranslations("reminder-rules");
  const common = useTranslations("common");
  const [run, saving] = useAction(save);
  const { close, question } = useCloseGuard(useEdited([parts.times, parts.receivers, typed]), onClose);
  const { problems } = form;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const input = read();
    if (!input) return;
    const answer = await run(input);
    if (answer.status >= 400) return form.tell(answer);
    await onSaved(answer.data as Result);
    onClose();
  };
  return (
    <Drawer opened onClose={close} position="right" size={size} title={title} closeButtonProps={{ "aria-label": common("close") }}>
      <form className={classes.form} onSubmit={submit} noValidate>
        {children}
        <fieldset className={classes.part}>
          <legend>{t("part.when")}</legend>
          <TimesFields id={id} value={parts.times} realtime={realtime} problems={problems} onChange={parts.setTimes} />
        </fieldset>
        <fieldset className={classes.part}>
          <legend>{legend}</legend>
          {help ? <p className={classes.help}>{help}</p> : null}
          <ReceiverFields id={id} {...whom} value={parts.receivers} problems={problems} onChange={parts.setReceivers} />
        </fieldset>
        {words}
        <LookPanel
          read={() => {
            const input = read();
            return input && look(input);
          }}
          onRefused={form.tell}
        />
        <DialogFoot problem={form.rest(shown)} busy={saving} verb={isNew ? common("create") : common("save")} onClose={close} />
      </form>
      {question}
    </Drawer>
  );
}
