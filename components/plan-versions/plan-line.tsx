"use client";
import { ActionIcon, Modal, TextInput } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { useAction } from "#components/ui/use-action.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { formatMinute, formatNumber } from "#lib/core/format.ts";
import { savePlan } from "#lib/plan-versions/actions.ts";
import { versionNameChars } from "#lib/plan-versions/limits.ts";
import type { PlanHead } from "#lib/plan-versions/queries.ts";
import classes from "./versions.module.css";

/** The plan itself: its name, how often the whole of it was published, who made and changed it. */
export function PlanLine({ first }: { first: PlanHead }) {
  const t = useTranslations("plan-versions.plan");
  const { offset, can } = useSession();
  const [plan, setPlan] = useState(first);
  const [editing, setEditing] = useState(false);
  const person = (name: string | null) => name ?? t("system");
  const facts = [
    ["name", plan.name],
    ["version", formatNumber(plan.version)],
    ["created", `${formatMinute(plan.createdAt, offset)} ${person(plan.createdByName)}`],
    ["updated", `${formatMinute(plan.updatedAt, offset)} ${person(plan.updatedByName)}`],
  ] as const;
  return (
    <section className={classes.plan} aria-label={t("label")}>
      <dl>
        {facts.map(([key, value]) => (
          <div key={key}>
            <dt>{t(key)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {can("version.edit") ? (
        <ActionIcon aria-label={t("rename")} title={t("rename")} onClick={() => setEditing(true)}>
          <IconPencil size={16} stroke={1.4} />
        </ActionIcon>
      ) : null}
      {editing ? (
        <PlanDialog
          plan={plan}
          onClose={() => setEditing(false)}
          onSaved={(saved) => {
            setPlan(saved);
            setEditing(false);
          }}
        />
      ) : null}
    </section>
  );
}

function PlanDialog({ plan, onClose, onSaved }: { plan: PlanHead; onClose: () => void; onSaved: (plan: PlanHead) => void }) {
  const t = useTranslations("plan-versions.plan");
  const common = useTranslations("common");
  const id = useId();
  const [name, setName] = useState(plan.name);
  const [fault, setFault] = useState<string | null>(null);
  const [problem, setProblem] = useState<string>();
  const [save, saving] = useAction(savePlan);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const answer = await save({ name, rowVersion: plan.rowVersion });
    if (answer.data) return onSaved(answer.data);
    const own = answer.problems?.find(({ path }) => path === "name");
    if (own) setFault(own.msg);
    else setProblem(answer.msg ?? answer.code);
  };
  return (
    <Modal opened onClose={onClose} title={t("rename")} size={480} closeButtonProps={{ "aria-label": common("close") }}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <Field id={id} label={t("name")} required count={{ used: [...name].length, max: versionNameChars }} error={fault ?? undefined}>
          <TextInput
            id={id}
            data-autofocus
            required
            maxLength={versionNameChars}
            value={name}
            error={fault !== null}
            aria-describedby={fieldNoteId(id)}
            onChange={(event) => {
              setName(event.currentTarget.value);
              setFault(null);
            }}
          />
        </Field>
        <DialogFoot problem={problem} verb={common("save")} busy={saving} onClose={onClose} />
      </form>
    </Modal>
  );
}
