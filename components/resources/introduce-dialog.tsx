"use client";
import { Modal, Select } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { useCloseGuard, useEdited } from "#components/ui/close-guard.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { introduce } from "#lib/resources/introductions/actions.ts";
import { introducedMax } from "#lib/resources/introductions/limits.ts";
import { AccountField } from "./account-field.tsx";
import classes from "./resources.module.css";

type Props = { companies: readonly { id: number; name: string }[]; onClose: () => void; onDone: () => Promise<void> };

/** Brings people of a company into the pool; a manager approves them. [RES-23] [RES-42] */
export function IntroduceDialog({ companies, onClose, onDone }: Props) {
  const t = useTranslations("resources");
  const common = useTranslations("common");
  const id = useId();
  const [company, setCompany] = useState<string | null>(companies.length === 1 ? String(companies[0]?.id) : null);
  const [accounts, setAccounts] = useState<string[]>([]);
  const [problem, setProblem] = useState<string>();
  const [send, sending] = useAction(introduce);
  const { close, question } = useCloseGuard(useEdited([company, accounts]), onClose);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const answer = await send({ subcontractorId: Number(company), accounts });
    if (answer.status >= 400) return setProblem(answer.problems?.[0]?.msg ?? answer.msg ?? answer.code);
    toast.done(t("introduce.sent"));
    await onDone();
    onClose();
  };
  return (
    <Modal opened onClose={close} title={t("introduce.title")} size={480} closeButtonProps={{ "aria-label": common("close") }}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <Field id={`${id}-company`} label={t("field.subcontractor")} required>
          <Select
            id={`${id}-company`}
            aria-describedby={fieldNoteId(`${id}-company`)}
            searchable
            data={companies.map(({ id: value, name }) => ({ value: String(value), label: name }))}
            value={company}
            onChange={setCompany}
          />
        </Field>
        <Field id={`${id}-people`} label={t("field.accounts")} required help={t("person.accountsHelp", { max: introducedMax })}>
          <AccountField
            id={`${id}-people`}
            aria-describedby={fieldNoteId(`${id}-people`)}
            max={introducedMax}
            error={problem !== undefined}
            value={accounts}
            onChange={(given) => {
              setAccounts(given);
              setProblem(undefined);
            }}
          />
        </Field>
        <DialogFoot
          problem={problem}
          verb={common("submit")}
          busy={sending}
          disabled={company === null || accounts.length === 0}
          onClose={close}
        />
      </form>
      {question}
    </Modal>
  );
}
