"use client";
import { MultiSelect, NumberInput, Switch } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { useEdited } from "#components/ui/close-guard.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { FormModal, type GuardedForm } from "#components/ui/form-modal.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { useTellEdited } from "#components/ui/use-tell-edited.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { roleName } from "#lib/core/format.ts";
import { type Role, roles } from "#lib/permissions.ts";
import { saveSettings } from "#lib/resources/settings/actions.ts";
import { availabilityDays, presenceDays } from "#lib/resources/settings/limits.ts";
import type { ResourceSettings } from "#lib/resources/settings/queries.ts";
import classes from "./resources.module.css";

/** What holds for the pool: days of idleness, key roles, and the switch only the PD changes. [RES-20] [RES-24] */
export function SettingsDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations("resources");
  const project = useProjectNumber();
  const found = useQuery({
    queryKey: ["resource settings", project, "form"],
    queryFn: async ({ signal }) => dataOf(await callDoor<ResourceSettings>("resSetting/find", {}, { signal })),
    // What is edited is read anew for every dialog.
    gcTime: 0,
  });
  return (
    <FormModal opened title={t("settings.title")} size={480} onClose={onClose}>
      {(guarded) =>
        found.data ? (
          <SettingsForm given={found.data} onClose={onClose} {...guarded} />
        ) : found.isError ? (
          <ErrorPanel title={t("settings.notLoaded")} failed={found.error} onRetry={() => found.refetch()} />
        ) : (
          <div aria-busy="true" />
        )
      }
    </FormModal>
  );
}

type FormProps = GuardedForm & { given: ResourceSettings; onClose: () => void };

function SettingsForm({ given, onEdited, onCancel, onClose }: FormProps) {
  const t = useTranslations("resources");
  const common = useTranslations("common");
  const id = useId();
  const { can } = useSession();
  const client = useQueryClient();
  const [values, setValues] = useState(given);
  const [faults, setFaults] = useState<Record<string, string>>({});
  const [problem, setProblem] = useState<string>();
  const [save, saving] = useAction(saveSettings);
  useTellEdited(useEdited(values), onEdited);
  const mayEdit = can("resource.edit");
  const maySwitch = can("resource.keyRoleSwitch");
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { keyRoleSwitch, rowVersion, keyRoles, availabilityInactiveDays, presenceInactiveDays } = values;
    const answer = await save({
      rowVersion,
      ...(maySwitch && { keyRoleSwitch }),
      ...(mayEdit && { availabilityInactiveDays, presenceInactiveDays, keyRoles: keyRoles as Role[] }),
    });
    if (answer.status < 400) {
      toast.done(common("saved"));
      await client.invalidateQueries({ queryKey: ["resource settings"] });
      return onClose();
    }
    const own = Object.fromEntries((answer.problems ?? []).map(({ path, msg }) => [path, msg]));
    setFaults(own);
    if (Object.keys(own).length === 0) setProblem(answer.msg ?? answer.code);
  };
  const days = (name: "availabilityInactiveDays" | "presenceInactiveDays", range: { min: number; max: number }) => (
    <Field id={`${id}-${name}`} label={t(`settings.${name}`)} range={range} error={faults[name]}>
      <NumberInput
        id={`${id}-${name}`}
        aria-describedby={fieldNoteId(`${id}-${name}`)}
        w={128}
        disabled={!mayEdit}
        allowDecimal={false}
        error={faults[name] !== undefined}
        value={values[name]}
        onChange={(value) => {
          setValues({ ...values, [name]: Number(value) });
          setFaults({});
        }}
      />
    </Field>
  );
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      {days("availabilityInactiveDays", availabilityDays)}
      {days("presenceInactiveDays", presenceDays)}
      <Field id={`${id}-roles`} label={t("settings.keyRoles")} help={t("settings.keyRolesHelp")}>
        <MultiSelect
          id={`${id}-roles`}
          aria-describedby={fieldNoteId(`${id}-roles`)}
          disabled={!mayEdit}
          searchable
          data={roles.map((role) => ({ value: role, label: roleName(role) }))}
          value={values.keyRoles}
          onChange={(keyRoles) => setValues({ ...values, keyRoles })}
        />
      </Field>
      <Switch
        label={t("settings.keyRoleSwitch")}
        description={maySwitch ? undefined : t("settings.pdOnly")}
        disabled={!maySwitch}
        checked={values.keyRoleSwitch}
        onChange={(event) => setValues({ ...values, keyRoleSwitch: event.currentTarget.checked })}
      />
      <DialogFoot problem={problem} verb={common("save")} busy={saving} disabled={!mayEdit && !maySwitch} onClose={onCancel} />
    </form>
  );
}
