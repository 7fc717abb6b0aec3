"use client";
import { Modal, Select } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import type { Answer } from "#lib/core/error.ts";
import type { Owner } from "#lib/owners/people/logic.ts";
import { ownersMax } from "#lib/rollout-plan/plan-rows/limits.ts";
import classes from "./owners.module.css";
import { PeopleField, type Person } from "./people-field.tsx";
import { PersonChips } from "./person-chips.tsx";

/** One kind of owners with who they are now. */
export type Group = { key: string; label: string; people: readonly Owner[] };
type Changed = { key: string; accounts: string[] };
type Saved = { saved: number; failed: { msg: string }[] };

type Props<Input> = {
  opened: boolean;
  title: string;
  groups: readonly Group[];
  /** One kind is chosen and set for many at once; otherwise each kind has its field. */
  choose?: boolean;
  action: (input: Input) => Promise<Answer<Saved>>;
  inputOf: (changed: Changed[]) => Input;
  onSaved: () => unknown;
  onClose: () => void;
};

/** Owners of one thing kind by kind, or of many things for one kind. */
export function OwnersDialog<Input>({ opened, title, onClose, ...rest }: Props<Input>) {
  const common = useTranslations("common");
  return (
    <Modal opened={opened} onClose={onClose} title={title} size={560} closeButtonProps={{ "aria-label": common("close") }}>
      {opened ? <OwnersForm key={title} onClose={onClose} {...rest} /> : null}
    </Modal>
  );
}

function OwnersForm<Input>({ groups, choose = false, action, inputOf, onSaved, onClose }: Omit<Props<Input>, "opened" | "title">) {
  const t = useTranslations("owners");
  const common = useTranslations("common");
  const id = useId();
  const [kind, setKind] = useState(groups[0]?.key ?? "");
  const [people, setPeople] = useState<ReadonlyMap<string, readonly Person[]>>(
    new Map(groups.map(({ key, people: held }) => [key, held.map(({ account, name }) => ({ account, name }))])),
  );
  const [problem, setProblem] = useState<string | undefined>();
  const [save, saving] = useAction(action);
  const shown = choose ? groups.filter(({ key }) => key === kind) : groups;
  const chosen = (key: string) => people.get(key) ?? [];
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const changed = shown.flatMap(({ key, people: held }) => {
      const accounts = chosen(key).map(({ account }) => account);
      const same = accounts.length === held.length && held.every(({ account }) => accounts.includes(account));
      return !choose && same ? [] : [{ key, accounts }];
    });
    if (changed.length === 0) return onClose();
    const answer = await save(inputOf(changed));
    if (!answer.data) return setProblem(answer.problems?.[0]?.msg ?? answer.msg ?? t("failed"));
    await onSaved();
    const { saved, failed } = answer.data;
    if (failed.length > 0) toast.problem(t("done.partly", { saved, failed: failed.length, reason: failed[0]?.msg ?? "" }));
    else toast.done(t("done.saved"));
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
              choose && chosen(key).length === 0 ? (
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
              }}
            />
          </Field>
        );
      })}
      <DialogFoot problem={problem} busy={saving} verb={common("save")} onClose={onClose} />
    </form>
  );
}
