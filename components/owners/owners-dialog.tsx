"use client";
import { Select } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { FormModal, type GuardedForm } from "#components/ui/form-modal.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useTellEdited } from "#components/ui/use-tell-edited.ts";
import type { Answer } from "#lib/core/error.ts";
import type { Owner } from "#lib/owners/people/logic.ts";
import { ownersMax } from "#lib/rollout-plan/plan-rows/limits.ts";
import classes from "./owners.module.css";
import { PeopleField, type Person } from "./people-field.tsx";
import { PersonChips } from "./person-chips.tsx";

/** One kind of owners with who they are now. */
export type Group = { key: string; label: string; people: readonly Owner[] };
type Changed = { key: string; accounts: string[] };
type Refused = { ownerKind?: string; msg: string };

type Props<Row, Failed extends Refused> = {
  opened: boolean;
  title: string;
  groups: readonly Group[];
  /** Each kind is chosen and set for many at once; otherwise each kind has its field. */
  choose?: boolean;
  action: (input: { rows: Row[] }) => Promise<Answer<{ saved: number; failed: Failed[] }>>;
  rowsOf: (changed: Changed[]) => Row[];
  /** What a row or its refusal is about, where there are many. */
  nameOf?: (about: Row | Failed) => string;
  /** Told what was sent and what of it was refused. */
  onSaved: (rows: readonly Row[], failed: readonly Failed[]) => unknown;
  onClose: () => void;
};

/** Refusals that are told one by one; of the others the number. */
const refusalsTold = 3;

/** Owners of one thing kind by kind, or of many things for the kinds that are chosen one after the other. */
export function OwnersDialog<Row, Failed extends Refused>({ opened, title, onClose, ...rest }: Props<Row, Failed>) {
  return (
    <FormModal opened={opened} title={title} size={560} onClose={onClose}>
      {(guarded) => (opened ? <OwnersForm key={title} onClose={onClose} {...guarded} {...rest} /> : null)}
    </FormModal>
  );
}

type FormProps<Row, Failed extends Refused> = Omit<Props<Row, Failed>, "opened" | "title"> & GuardedForm;

function OwnersForm<Row, Failed extends Refused>({
  groups,
  choose = false,
  action,
  rowsOf,
  nameOf,
  onSaved,
  onEdited,
  onCancel,
  onClose,
}: FormProps<Row, Failed>) {
  const t = useTranslations("owners");
  const common = useTranslations("common");
  const id = useId();
  const [kind, setKind] = useState(groups[0]?.key ?? "");
  const [people, setPeople] = useState<ReadonlyMap<string, readonly Person[]>>(
    new Map(groups.map(({ key, people: held }) => [key, held.map(({ account, name }) => ({ account, name }))])),
  );
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [problem, setProblem] = useState<string | undefined>();
  const [save, saving] = useAction(action);
  useTellEdited(touched.size > 0, onEdited);
  const shown = choose ? groups.filter(({ key }) => key === kind) : groups;
  const chosen = (key: string) => people.get(key) ?? [];
  // Nobody for many is saved as well: it clears the owners of the kind that is shown.
  const isSent = (key: string) => touched.has(key) || (choose && touched.size === 0 && key === kind);
  const tell = (refusals: { about: Row | Failed | undefined; msg: string }[]) => {
    const told = refusals.slice(0, refusalsTold).map(({ about, msg }) => (about && nameOf ? `${nameOf(about)}: ${msg}` : msg));
    const more = refusals.length - told.length;
    return [...told, ...(more > 0 ? [t("done.more", { count: more })] : [])].join("; ");
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const changed = groups.flatMap(({ key }) => (isSent(key) ? [{ key, accounts: chosen(key).map(({ account }) => account) }] : []));
    if (changed.length === 0) return onClose();
    const rows = rowsOf(changed);
    const answer = await save({ rows });
    if (!answer.data) {
      const refusals = (answer.problems ?? []).map(({ path, msg }) => ({ about: rows[Number(/^rows\.(\d+)/.exec(path)?.[1] ?? -1)], msg }));
      return setProblem(tell(refusals) || (answer.msg ?? t("failed")));
    }
    const { saved, failed } = answer.data;
    await onSaved(rows, failed);
    if (failed.length > 0) {
      setTouched(new Set(failed.flatMap(({ ownerKind }) => ownerKind ?? [])));
      const reason = tell(failed.map((about) => ({ about, msg: about.msg })));
      return setProblem(t("done.partly", { saved, failed: failed.length, reason }));
    }
    toast.done(t("done.saved"));
    onClose();
  };
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      {choose ? (
        <Field id={`${id}-kind`} label={t("dus.kind")}>
          <Select
            id={`${id}-kind`}
            allowDeselect={false}
            data={groups.map(({ key, label }) => ({ value: key, label }))}
            value={kind}
            onChange={(key) => key && setKind(key)}
          />
        </Field>
      ) : null}
      {shown.map(({ key, label, people: held }) => {
        const invalid = held.filter((person) => person.invalid && chosen(key).some(({ account }) => account === person.account));
        return (
          <Field
            key={key}
            id={`${id}-${key}`}
            label={label}
            count={{ used: chosen(key).length, max: ownersMax }}
            help={
              choose && isSent(key) && chosen(key).length === 0 ? (
                t("dus.emptyClears")
              ) : invalid.length > 0 ? (
                <PersonChips people={invalid} />
              ) : (
                t("form.peopleHelp", { max: ownersMax })
              )
            }
          >
            <PeopleField
              id={`${id}-${key}`}
              aria-describedby={fieldNoteId(`${id}-${key}`)}
              value={chosen(key)}
              onChange={(next) => {
                setProblem(undefined);
                setPeople(new Map(people).set(key, next));
                setTouched(new Set(touched).add(key));
              }}
            />
          </Field>
        );
      })}
      <DialogFoot problem={problem} busy={saving} verb={common("save")} onClose={onCancel} />
    </form>
  );
}
