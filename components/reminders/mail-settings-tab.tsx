"use client";
import { Button, Select, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import card from "#components/ui/card.module.css";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { toast } from "#components/ui/toast.ts";
import { useUnsaved } from "#components/ui/unsaved.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { addressChars } from "#lib/reminders/outbox/limits.ts";
import { saveSettings } from "#lib/reminders/settings/actions.ts";
import { senderNameChars, standardSendTime } from "#lib/reminders/settings/limits.ts";
import type { MailSettings } from "#lib/reminders/settings/queries.ts";
import classes from "./settings.module.css";

type Found = MailSettings & { from: string; attributes: { id: number; name: string }[] };

/** Sender, answers, time, and the attributes without which a DU is not written about. */
export function MailSettingsTab() {
  const t = useTranslations("reminders.settings");
  const project = useProjectNumber();
  const client = useQueryClient();
  const key = ["mail-settings", project];
  const found = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => dataOf(await callDoor<Found>("remSetting/find", {}, { signal })),
    retry: false,
  });
  return (
    <div className={classes.page}>
      {found.isError ? (
        <ErrorPanel title={t("failed")} failed={found.error} onRetry={() => found.refetch()} />
      ) : found.data ? (
        <SettingsForm key={found.data.rowVersion} found={found.data} onChange={() => client.invalidateQueries({ queryKey: key })} />
      ) : (
        <div className={card.card} aria-busy="true" />
      )}
    </div>
  );
}

function SettingsForm({ found, onChange }: { found: Found; onChange: () => Promise<void> }) {
  const t = useTranslations("reminders.settings");
  const { can } = useSession();
  const id = useId();
  const [draft, setDraft] = useState<MailSettings>(found);
  const [fault, setFault] = useState<string>();
  const [timeFault, setTimeFault] = useState<string>();
  const [problem, setProblem] = useState<{ text: string; stale: boolean }>();
  const [save, saving] = useAction(saveSettings);
  const mayEdit = can("notice.edit");
  const dirty = (Object.keys(draft) as (keyof MailSettings)[]).some((name) => draft[name] !== found[name]);
  useUnsaved(dirty);
  const change = (part: Partial<MailSettings>) => {
    setDraft((before) => ({ ...before, ...part }));
    setProblem(undefined);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { senderName, replyTo, defaultSendTime, equipmentAccountAttributeId, productNameAttributeId, rowVersion } = draft;
    const answer = await save({ senderName, replyTo, defaultSendTime, equipmentAccountAttributeId, productNameAttributeId, rowVersion });
    if (answer.status < 400) {
      toast.done(t("saved"));
      return onChange();
    }
    const wrong = answer.problems?.find(({ path }) => path === "replyTo");
    const time = answer.problems?.find(({ path }) => path === "defaultSendTime");
    if (time) {
      setTimeFault(time.msg);
      document.getElementById(`${id}-time`)?.focus();
    } else if (wrong) {
      setFault(wrong.msg);
      document.getElementById(`${id}-reply`)?.focus();
    } else setProblem({ text: answer.code === "STALE" ? t("stale") : (answer.msg ?? String(answer.code)), stale: answer.code === "STALE" });
  };
  const attribute = (name: "equipmentAccountAttributeId" | "productNameAttributeId", label: string) => (
    <Field id={`${id}-${name}`} label={label} help={t("attributeHelp")} width={320}>
      <Select
        id={`${id}-${name}`}
        aria-describedby={fieldNoteId(`${id}-${name}`)}
        searchable
        allowDeselect={false}
        disabled={!mayEdit}
        data={[{ value: "", label: t("none") }, ...found.attributes.map((one) => ({ value: String(one.id), label: one.name }))]}
        value={draft[name] === null ? "" : String(draft[name])}
        onChange={(value) => change({ [name]: value ? Number(value) : null })}
      />
    </Field>
  );
  return (
    <form className={`${card.card} ${classes.form}`} onSubmit={submit} noValidate>
      <Field
        id={`${id}-sender`}
        label={t("senderName")}
        help={t("senderHelp", { from: found.from })}
        count={{ used: draft.senderName?.length ?? 0, max: senderNameChars }}
        width={320}
      >
        <TextInput
          id={`${id}-sender`}
          aria-describedby={fieldNoteId(`${id}-sender`)}
          disabled={!mayEdit}
          maxLength={senderNameChars}
          value={draft.senderName ?? ""}
          onChange={(event) => change({ senderName: event.currentTarget.value || null })}
        />
      </Field>
      <Field id={`${id}-reply`} label={t("replyTo")} help={t("replyHelp")} error={fault} width={320}>
        <TextInput
          id={`${id}-reply`}
          type="email"
          aria-describedby={fieldNoteId(`${id}-reply`)}
          error={Boolean(fault)}
          disabled={!mayEdit}
          maxLength={addressChars}
          value={draft.replyTo ?? ""}
          onChange={(event) => {
            setFault(undefined);
            change({ replyTo: event.currentTarget.value || null });
          }}
        />
      </Field>
      <Field id={`${id}-time`} label={t("sendTime")} help={t("sendTimeHelp")} error={timeFault} width={320}>
        <TextInput
          id={`${id}-time`}
          w={96}
          required
          maxLength={5}
          placeholder={standardSendTime}
          error={Boolean(timeFault)}
          aria-describedby={fieldNoteId(`${id}-time`)}
          disabled={!mayEdit}
          value={draft.defaultSendTime}
          onChange={(event) => {
            setTimeFault(undefined);
            change({ defaultSendTime: event.currentTarget.value });
          }}
        />
      </Field>
      {attribute("equipmentAccountAttributeId", t("equipment"))}
      {attribute("productNameAttributeId", t("product"))}
      {problem ? (
        <p className={classes.problem} role="alert">
          {problem.text}{" "}
          {problem.stale ? (
            <Button variant="subtle" size="compact-xs" onClick={onChange}>
              {t("reload")}
            </Button>
          ) : null}
        </p>
      ) : null}
      {mayEdit ? (
        <div>
          <Button type="submit" variant="filled" loading={saving} disabled={!dirty}>
            {t("save")}
          </Button>
        </div>
      ) : null}
    </form>
  );
}
