"use client";
import { Button, Select } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { useEdited } from "#components/ui/close-guard.tsx";
import { DayInput } from "#components/ui/day-input.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { FormModal, type GuardedForm } from "#components/ui/form-modal.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { useTellEdited } from "#components/ui/use-tell-edited.ts";
import { derivedRoles, membersPerCall } from "#lib/access/limits.ts";
import { saveMemberRole } from "#lib/access/members/actions.ts";
import { projectToday } from "#lib/core/clock.ts";
import type { Answer } from "#lib/core/error.ts";
import { roleName } from "#lib/core/format.ts";
import { type Role, roles } from "#lib/permissions.ts";
import { directoryKeyChars } from "#lib/session/limits.ts";
import classes from "./access.module.css";
import { type Person, PersonField } from "./person-field.tsx";

const grantable = roles.filter((role) => !(derivedRoles as readonly string[]).includes(role));

type Props = { people: Person[] | undefined; onClose: () => void; onDone: () => unknown };

/** Gives people a role with its validity: those chosen in the list, and whoever is added from the directory. Closed without people. */
export function GrantDialog({ people, onClose, onDone }: Props) {
  const t = useTranslations("access.grantDialog");
  return (
    <FormModal opened={people !== undefined} title={t("title")} size={560} onClose={onClose}>
      {(guarded) => (people ? <GrantForm first={people} onClose={onClose} onDone={onDone} {...guarded} /> : null)}
    </FormModal>
  );
}

type FormProps = Omit<Props, "people"> & GuardedForm & { first: Person[] };

function GrantForm({ first, onEdited, onCancel, onClose, onDone }: FormProps) {
  const t = useTranslations("access.grantDialog");
  const members = useTranslations("access.members");
  const common = useTranslations("common");
  const id = useId();
  const { offset } = useSession();
  const [people, setPeople] = useState(first);
  const [role, setRole] = useState<string | null>(null);
  const [from, setFrom] = useState(projectToday(new Date(), offset));
  const [to, setTo] = useState("");
  const [tried, setTried] = useState(false);
  const [refused, setRefused] = useState<Answer | null>(null);
  const [save, saving] = useAction(saveMemberRole);
  useTellEdited(useEdited([people, role, from, to]), onEdited);
  const wrong = new Set(
    (refused?.code === "ROLE_EXISTS" ? (refused.problems ?? []) : []).map(({ path }) => people[Number(path.split(".")[1])]?.id),
  );
  const endFault = refused?.problems?.find(({ path }) => path === "validTo")?.msg;

  const change = (next: Person[]) => {
    setPeople(next);
    setRefused(null);
  };
  const submit = async () => {
    setTried(true);
    if (people.length === 0 || people.length > membersPerCall || !role || !from) return;
    const answer = await save({ userIds: people.map((person) => person.id), role: role as Role, validFrom: from, validTo: to || null });
    if (answer.status >= 400) return setRefused(answer);
    toast.done(t("done", { count: people.length, role: roleName(role) }));
    onClose();
    await onDone();
  };
  return (
    <div className={classes.form}>
      <Field
        label={t("people")}
        id={`${id}-people`}
        required
        count={{ used: people.length, max: membersPerCall }}
        error={
          tried && people.length === 0
            ? t("choosePeople")
            : people.length > membersPerCall
              ? members("tooMany", { max: membersPerCall })
              : undefined
        }
      >
        <PersonField
          id={`${id}-people`}
          among="directory"
          value={null}
          placeholder={t("add", { min: directoryKeyChars })}
          disabled={people.length >= membersPerCall}
          aria-describedby={fieldNoteId(`${id}-people`)}
          onChange={(person) => person && !people.some(({ id: known }) => known === person.id) && change([...people, person])}
        />
      </Field>
      {people.length > 0 ? (
        <ul className={classes.people} aria-label={t("people")}>
          {people.map((person) => (
            <li key={person.id} className={classes.chip} data-wrong={wrong.has(person.id) || undefined}>
              {person.name} ({person.account})
              <button
                type="button"
                aria-label={t("drop", { name: person.name })}
                onClick={() => change(people.filter((other) => other.id !== person.id))}
              >
                <IconX size={12} stroke={1.7} />
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      <div className={classes.line}>
        <Field label={members("role")} id={`${id}-role`} required width={240} error={tried && !role ? t("chooseRole") : undefined}>
          <Select
            id={`${id}-role`}
            searchable
            data={grantable.map((name) => ({ value: name, label: roleName(name) }))}
            value={role}
            error={tried && !role}
            aria-describedby={fieldNoteId(`${id}-role`)}
            onChange={(next) => {
              setRole(next);
              setRefused(null);
            }}
          />
        </Field>
        <Field label={t("from")} id={`${id}-from`} required error={tried && !from ? t("chooseFrom") : undefined}>
          <DayInput id={`${id}-from`} value={from} onChange={setFrom} error={tried && !from} aria-describedby={fieldNoteId(`${id}-from`)} />
        </Field>
        <Field label={t("to")} id={`${id}-to`} help={t("open")} error={endFault}>
          <DayInput
            id={`${id}-to`}
            value={to}
            clearable
            error={endFault !== undefined}
            aria-describedby={fieldNoteId(`${id}-to`)}
            onChange={(next) => {
              setTo(next);
              setRefused(null);
            }}
          />
        </Field>
      </div>
      <div role="alert">
        {wrong.size > 0 ? (
          <p className={classes.fault}>
            {t("exists", { count: wrong.size })}
            <Button variant="default" onClick={() => change(people.filter((person) => !wrong.has(person.id)))}>
              {t("leaveOut")}
            </Button>
          </p>
        ) : refused && !endFault ? (
          <p className={classes.fault}>{refused.problems?.[0]?.msg ?? refused.msg ?? String(refused.code)}</p>
        ) : null}
      </div>
      <div className={classes.foot}>
        <Button onClick={onCancel}>{common("cancel")}</Button>
        <Button variant="filled" loading={saving} onClick={submit}>
          {t("verb", { count: people.length })}
        </Button>
      </div>
    </div>
  );
}
