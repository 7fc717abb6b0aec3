"use client";
import { Checkbox, Modal, MultiSelect, NumberInput, Select, TagsInput, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { useCloseGuard, useEdited } from "#components/ui/close-guard.tsx";
import { DayInput } from "#components/ui/day-input.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { lookup } from "#components/ui/query-client.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { roleName } from "#lib/core/format.ts";
import { roles as allRoles, type Role } from "#lib/permissions.ts";
import { saveResources } from "#lib/resources/pool/actions.ts";
import { addedTypes, contractorChars, peoplePerCall, phoneChars, skillsMax, visaTypeChars } from "#lib/resources/pool/limits.ts";
import type { Resource } from "#lib/resources/pool/queries.ts";
import type { ResourceSettings } from "#lib/resources/settings/queries.ts";
import { AccountField } from "./account-field.tsx";
import classes from "./resources.module.css";

/** Roles that come with rows a person owns, and with delegation; they are not granted here. */
const derived: readonly string[] = ["SITE_OWNER", "REGION_OWNER", "INVENTORY_OWNER"];

type Props = {
  /** The person to change; null for new ones. */
  person: Resource | null;
  /** New people are of the customer. */
  customer: boolean;
  skills: readonly string[];
  onClose: () => void;
  onSaved: () => Promise<void>;
};

type Values = {
  accounts: string[];
  type: (typeof addedTypes)[number];
  contractor: string;
  phone: string;
  authStart: string;
  authEnd: string;
  visaType: string;
  visaStart: string;
  visaEnd: string;
  skills: string[];
  longitude: number | string;
  latitude: number | string;
  publicAccount: boolean;
  dataOwner: boolean;
  roles: string[];
};

const valuesOf = (person: Resource | null, customer: boolean): Values => ({
  accounts: [],
  type: addedTypes.find((type) => type === person?.type) ?? (customer ? "CUSTOMER" : "OWN"),
  contractor: person?.contractor ?? "",
  phone: person?.phone ?? "",
  authStart: person?.authStart ?? "",
  authEnd: person?.authEnd ?? "",
  visaType: person?.visaType ?? "",
  visaStart: person?.visaStart ?? "",
  visaEnd: person?.visaEnd ?? "",
  skills: person?.skills ?? [],
  longitude: person?.longitude ?? "",
  latitude: person?.latitude ?? "",
  publicAccount: person?.publicAccount ?? false,
  dataOwner: person?.dataOwner ?? false,
  roles: person?.roles ?? [],
});

const numberOrNull = (value: number | string) => (value === "" ? null : Number(value));

/** A person of the pool as a form, or several who come into it with the same words. */
export function PersonDialog({ person, customer, skills, onClose, onSaved }: Props) {
  const t = useTranslations("resources");
  const common = useTranslations("common");
  const id = useId();
  const { can } = useSession();
  const project = useProjectNumber();
  const [values, setValues] = useState(() => valuesOf(person, customer));
  const [faults, setFaults] = useState<Record<string, string>>({});
  const [problem, setProblem] = useState<string>();
  const [save, saving] = useAction(saveResources);
  const { close, question } = useCloseGuard(useEdited(values), onClose);
  const settings = useQuery({
    queryKey: ["resource settings", project],
    enabled: can("role.assign"),
    queryFn: async ({ signal }) => dataOf(await callDoor<ResourceSettings>("resSetting/find", {}, { signal })),
    meta: lookup,
  });
  const set = (given: Partial<Values>) => {
    setValues((before) => ({ ...before, ...given }));
    setFaults({});
    setProblem(undefined);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { accounts, type, roles, ...rest } = values;
    const fields = {
      ...rest,
      authStart: rest.authStart || null,
      authEnd: rest.authEnd || null,
      visaStart: rest.visaStart || null,
      visaEnd: rest.visaEnd || null,
      longitude: numberOrNull(rest.longitude),
      latitude: numberOrNull(rest.latitude),
      ...(can("role.assign") && roles.join() !== (person?.roles ?? []).join() && { roles: roles as Role[] }),
    };
    const answer = await save({
      confirmPublic: values.publicAccount,
      rows: person
        ? [{ id: person.id, rowVersion: person.rowVersion, ...fields, ...(person.type !== "SUBCONTRACT" && { type }) }]
        : accounts.map((account) => ({ account, type, ...fields })),
    });
    if (answer.data) {
      await onSaved();
      return onClose();
    }
    const own = Object.fromEntries((answer.problems ?? []).map(({ path, msg }) => [path.replace(/^rows\.\d+\.?/, ""), msg]));
    if (own.account) own.accounts = own.account;
    setFaults(own);
    if (!Object.keys(own).some((key) => key in values)) setProblem(answer.problems?.[0]?.msg ?? answer.msg ?? answer.code);
  };
  const field = (name: keyof Values) => ({ id: `${id}-${name}`, label: t(`field.${name}`), error: faults[name] });
  const control = (name: keyof Values) => ({
    id: `${id}-${name}`,
    error: faults[name] !== undefined,
    "aria-describedby": fieldNoteId(`${id}-${name}`),
  });
  const locked = settings.data && !settings.data.keyRoleSwitch ? settings.data.keyRoles : [];
  return (
    <Modal
      opened
      onClose={close}
      title={person ? person.name : t("person.add")}
      size={720}
      closeButtonProps={{ "aria-label": common("close") }}
    >
      <form className={classes.form} onSubmit={submit} noValidate>
        {person ? null : (
          <Field {...field("accounts")} required help={t("person.accountsHelp", { max: peoplePerCall })}>
            <AccountField {...control("accounts")} max={peoplePerCall} value={values.accounts} onChange={(accounts) => set({ accounts })} />
          </Field>
        )}
        <div className={classes.pair}>
          {person?.type === "SUBCONTRACT" ? null : (
            <Field {...field("type")}>
              <Select
                {...control("type")}
                allowDeselect={false}
                data={addedTypes.map((value) => ({ value, label: t(`type.${value}`) }))}
                value={values.type}
                onChange={(value) => set({ type: addedTypes.find((type) => type === value) ?? "OWN" })}
              />
            </Field>
          )}
          <Field {...field("contractor")}>
            <TextInput
              {...control("contractor")}
              maxLength={contractorChars}
              value={values.contractor}
              onChange={(event) => set({ contractor: event.currentTarget.value })}
            />
          </Field>
          <Field {...field("phone")} help={t("person.phoneHelp")} count={{ used: values.phone.length, max: phoneChars }}>
            <TextInput
              {...control("phone")}
              inputMode="tel"
              maxLength={phoneChars}
              value={values.phone}
              onChange={(event) => set({ phone: event.currentTarget.value })}
            />
          </Field>
        </div>
        <div className={classes.days}>
          {(["authStart", "authEnd", "visaStart", "visaEnd"] as const).map((name) => (
            <Field key={name} {...field(name)}>
              <DayInput {...control(name)} clearable value={values[name]} onChange={(day) => set({ [name]: day })} />
            </Field>
          ))}
        </div>
        <p className={classes.hint}>{t("person.authHelp")}</p>
        <div className={classes.pair}>
          <Field {...field("visaType")}>
            <TextInput
              {...control("visaType")}
              maxLength={visaTypeChars}
              value={values.visaType}
              onChange={(event) => set({ visaType: event.currentTarget.value })}
            />
          </Field>
          {(["longitude", "latitude"] as const).map((name) => (
            <Field key={name} {...field(name)} help={name === "longitude" ? t("person.baseHelp") : undefined}>
              <NumberInput
                {...control(name)}
                decimalScale={6}
                hideControls
                value={values[name]}
                onChange={(value) => set({ [name]: value })}
              />
            </Field>
          ))}
        </div>
        <div className={classes.pair}>
          <Field {...field("skills")}>
            <TagsInput
              {...control("skills")}
              data={[...skills]}
              maxTags={skillsMax}
              splitChars={[",", ";"]}
              clearable
              clearButtonProps={{ "aria-label": common("clear") }}
              value={values.skills}
              onChange={(given) => set({ skills: given })}
            />
          </Field>
          {can("role.assign") ? (
            <Field {...field("roles")} help={locked.length > 0 ? t("person.rolesLocked") : t("person.rolesHelp")}>
              <MultiSelect
                {...control("roles")}
                searchable
                data={allRoles
                  .filter((role) => !derived.includes(role))
                  .map((role) => ({ value: role, label: roleName(role), disabled: locked.includes(role) }))}
                value={values.roles}
                onChange={(roles) => set({ roles })}
              />
            </Field>
          ) : null}
        </div>
        <div className={classes.pair}>
          <Checkbox
            label={t("person.public")}
            checked={values.publicAccount}
            onChange={(event) => set({ publicAccount: event.currentTarget.checked })}
          />
          <Checkbox
            label={t("person.dataOwner")}
            checked={values.dataOwner}
            onChange={(event) => set({ dataOwner: event.currentTarget.checked })}
          />
        </div>
        {values.publicAccount && !person?.publicAccount ? <p className={classes.warn}>{t("person.publicConfirm")}</p> : null}
        <DialogFoot
          problem={problem}
          verb={common("save")}
          busy={saving}
          disabled={person === null && values.accounts.length === 0}
          onClose={close}
        />
      </form>
      {question}
    </Modal>
  );
}
