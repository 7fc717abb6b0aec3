"use client";
import { Modal } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { useCloseGuard, useEdited } from "#components/ui/close-guard.tsx";
import { DayInput } from "#components/ui/day-input.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { useAction } from "#components/ui/use-action.ts";
import { saveResources } from "#lib/resources/pool/actions.ts";
import { peoplePerCall } from "#lib/resources/pool/limits.ts";
import { yearAfter } from "#lib/resources/pool/logic.ts";
import type { Resource } from "#lib/resources/pool/queries.ts";
import classes from "./resources.module.css";

type Props = { people: readonly Resource[]; today: string; onClose: () => void; onDone: () => Promise<void> };

/** The same authorisation for many people, at most a year long. [RES-18] */
export function ExtendDialog({ people, today, onClose, onDone }: Props) {
  const t = useTranslations("resources");
  const common = useTranslations("common");
  const id = useId();
  const [start, setStart] = useState(today);
  const [end, setEnd] = useState(yearAfter(today));
  const [problem, setProblem] = useState<string>();
  const [save, saving] = useAction(saveResources);
  const { close, question } = useCloseGuard(useEdited([start, end]), onClose);
  const many = people.length > peoplePerCall;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const answer = await save({
      rows: people.map((person) => ({ id: person.id, rowVersion: person.rowVersion, authStart: start || null, authEnd: end || null })),
    });
    if (answer.status >= 400) return setProblem(answer.problems?.[0]?.msg ?? answer.msg ?? answer.code);
    await onDone();
    onClose();
  };
  return (
    <Modal
      opened
      onClose={close}
      title={t("extend.of", { count: people.length })}
      size={420}
      closeButtonProps={{ "aria-label": common("close") }}
    >
      <form className={classes.form} onSubmit={submit} noValidate>
        <div className={classes.pair}>
          <Field id={`${id}-start`} label={t("field.authStart")} required>
            <DayInput id={`${id}-start`} aria-describedby={fieldNoteId(`${id}-start`)} value={start} onChange={setStart} />
          </Field>
          <Field id={`${id}-end`} label={t("field.authEnd")} required>
            <DayInput id={`${id}-end`} aria-describedby={fieldNoteId(`${id}-end`)} value={end} onChange={setEnd} />
          </Field>
        </div>
        <p className={classes.hint}>{t("person.authHelp")}</p>
        {many ? <p className={classes.warn}>{t("tooMany", { max: peoplePerCall })}</p> : null}
        <DialogFoot problem={problem} verb={t("extend.verb")} busy={saving} disabled={many} onClose={close} />
      </form>
      {question}
    </Modal>
  );
}
