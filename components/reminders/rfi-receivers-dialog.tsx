"use client";
import { Modal } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { useCloseGuard, useEdited } from "#components/ui/close-guard.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { useAction } from "#components/ui/use-action.ts";
import { saveRfi } from "#lib/reminders/rfi/actions.ts";
import type { RfiState } from "#lib/reminders/rfi/queries.ts";
import type { ReminderChoices } from "#lib/reminders/rules/queries.ts";
import { ReceiverFields } from "./receiver-fields.tsx";
import classes from "./reminders.module.css";
import { useReminderForm } from "./use-reminder-form.ts";

type Props = { state: RfiState; choices: ReminderChoices; onClose: () => void; onSaved: () => unknown };

/** Who hears of sites of a state that wait too long. [REM-05] */
export function RfiReceiversDialog({ state, choices, onClose, onSaved }: Props) {
  const t = useTranslations("reminder-rules");
  const common = useTranslations("common");
  const id = useId();
  const form = useReminderForm();
  const remind = state.remind!;
  const [receivers, setReceivers] = useState(remind.exceptionReceivers);
  const [save, saving] = useAction(saveRfi);
  const { close, question } = useCloseGuard(useEdited(receivers), onClose);
  const path = "rows.0.exceptionReceivers.";
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { id: own, rowVersion, minDays, maxDays, remindTypes, untilActivityId } = remind;
    const answer = await save({
      rows: [
        { id: own, rowVersion, stateId: state.stateId, minDays, maxDays, remindTypes, untilActivityId, exceptionReceivers: receivers },
      ],
    });
    if (answer.status >= 400) return form.tell(answer);
    await onSaved();
    onClose();
  };
  return (
    <Modal
      opened
      onClose={close}
      size={640}
      title={t("rfi.receiversOf", { state: state.stateName ?? state.stateId })}
      closeButtonProps={{ "aria-label": common("close") }}
    >
      <form className={classes.form} onSubmit={submit} noValidate>
        <ReceiverFields
          id={id}
          value={receivers}
          choices={choices}
          known={remind}
          outside
          problems={form.problems}
          path={path}
          onChange={setReceivers}
        />
        <DialogFoot problem={form.rest([`${path}addresses`])} busy={saving} verb={common("save")} onClose={close} />
      </form>
      {question}
    </Modal>
  );
}
