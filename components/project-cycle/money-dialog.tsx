"use client";
import { Checkbox, Modal, NumberInput, Select } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { useCloseGuard } from "#components/ui/close-guard.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { type Currency, currencies, type RateKind, rateBounds, rateKinds } from "#lib/resources/project-money/limits.ts";
import type { ClusterRate, ProjectCurrency } from "#lib/resources/project-money/queries.ts";
import classes from "./cycle.module.css";

type Props = { currency: ProjectCurrency; rate: ClusterRate; onSaved: () => void; onClose: () => void };

/** The currency of the project, changed once confirmed, and the rate from which on a cluster counts as completed. */
export function MoneyDialog({ onSaved, onClose, ...given }: Props) {
  const t = useTranslations("project-cycle.money");
  const common = useTranslations("common");
  const errors = useTranslations("errors");
  const { can } = useSession();
  const id = useId();
  const [opened] = useState(given);
  const { rate } = opened;
  const [currency, setCurrency] = useState(opened.currency);
  const [code, setCode] = useState<Currency>(currency.code);
  const [confirm, setConfirm] = useState(false);
  const [kind, setKind] = useState<RateKind | null>(rate.kind);
  const [value, setValue] = useState<number | string>(rate.value ?? "");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const changes = code !== currency.code;
  const isEdited = changes || kind !== rate.kind || value !== (rate.value ?? "");
  const isSaved = currency !== opened.currency;
  const { close, question } = useCloseGuard(isEdited, isSaved ? onSaved : onClose);
  /** Why the currency was refused; once it is saved, a rate that is refused is sent again alone. */
  const saveCurrency = async () => {
    const answer = await callDoor<{ rowVersion: number }>("projectCurrency/save", { code, confirm, rowVersion: currency.rowVersion });
    if (!answer.data) return answer;
    setCurrency({ code, rowVersion: answer.data.rowVersion });
    setConfirm(false);
    return null;
  };
  const saveRate = async (rateKind: RateKind) => {
    const answer = await callDoor("clusterRate/save", { kind: rateKind, value: Number(value), rowVersion: rate.rowVersion });
    return answer.status >= 400 ? answer : null;
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const isRated = kind !== null && (kind !== rate.kind || Number(value) !== rate.value);
    if (!changes && !isRated) return isSaved ? onSaved() : setProblem(errors("NOTHING_MODIFIED"));
    setBusy(true);
    const refused = (changes ? await saveCurrency() : null) ?? (isRated ? await saveRate(kind) : null);
    setBusy(false);
    if (refused) setProblem(refused.problems?.[0]?.msg ?? refused.msg);
    else onSaved();
  };
  return (
    <Modal opened onClose={close} title={t("title")} size={480} closeButtonProps={{ "aria-label": common("close") }}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <Field id={`${id}-code`} label={t("currency")} required>
          <Select
            id={`${id}-code`}
            allowDeselect={false}
            data={[...currencies]}
            value={code}
            onChange={(given) => setCode((given ?? currency.code) as Currency)}
          />
        </Field>
        {changes ? (
          <Checkbox
            label={t("confirm", { from: currency.code, to: code })}
            checked={confirm}
            onChange={(event) => setConfirm(event.currentTarget.checked)}
          />
        ) : null}
        <Field id={`${id}-kind`} label={t("kind")}>
          <Select
            id={`${id}-kind`}
            data={rateKinds.map((given) => ({ value: given, label: t(`kinds.${given}`) }))}
            value={kind}
            onChange={(given) => setKind(given as RateKind | null)}
          />
        </Field>
        <Field id={`${id}-value`} label={t("rate")} {...(kind && { range: rateBounds[kind] })}>
          <NumberInput
            id={`${id}-value`}
            hideControls
            disabled={kind === null}
            decimalScale={kind ? rateBounds[kind].decimals : 0}
            aria-describedby={fieldNoteId(`${id}-value`)}
            value={value}
            onChange={setValue}
          />
        </Field>
        <DialogFoot
          problem={problem}
          verb={common("save")}
          busy={busy}
          disabled={!can("resource.edit") || (changes && !confirm)}
          onClose={close}
        />
      </form>
      {question}
    </Modal>
  );
}
