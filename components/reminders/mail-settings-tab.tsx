"use client";
import { Button, Select, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type Dispatch, type FormEvent, type SetStateAction, useId, useState } from "react";
import card from "#components/ui/card.module.css";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { toast } from "#components/ui/toast.ts";
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

/** The settings as they are edited, with the revision they were edited upon; null while they are as they were read. */
type Edited = { draft: MailSettings | null; onDraft: Dispatch<SetStateAction<MailSettings | null>> };

/** Sender, answers, time, and the attributes without which a DU is not written about. */
export function MailSettingsTab(edited: Edited) {
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
      {found.isError && !found.data ? (
        <ErrorPanel title={t("failed")} failed={found.error} onRetry={() => found.refetch()} />
      ) : found.data ? (
        <SettingsForm
          {...edited}
          found={found.data}
          onSaved={(saved) => client.setQueryData<Found>(key, (before) => before && { ...before, ...saved })}
          onReload={async () => (await found.refetch()).isSuccess}
        />
      ) : (
        <div className={card.card} aria-busy="true" />
      )}
    </div>
  );
}

type FormProps = Edited & {
  found: Found;
  onSaved: (saved: MailSettings) => void;
  /** Reads the present settings; whether that went well. */
  onReload: () => Promise<boolean>;
};

function SettingsForm({ found, draft, onDraft, onSaved, onReload }: FormProps) {
  const t = useTranslations("reminders.settings");
  const { can } = useSession();
  const id = useId();
  const shown = draft ?? found;
  const [fault, setFault] = useState<string>();
  const [timeFault, setTimeFault] = useState<string>();
  const [problem, setProblem] = useState<{ text: string; stale: boolean }>();
  const [save, saving] = useAction(saveSettings);
  const mayEdit = can("notice.edit");
  const change = (part: Partial<MailSettings>) => {
    const { senderName, replyTo, defaultSendTime, equipmentAccountAttributeId, productNameAttributeId, rowVersion } = { ...shown, ...part };
    const next = { senderName, replyTo, defaultSendTime, equipmentAccountAttributeId, productNameAttributeId, rowVersion };
    const isAsRead = !saving && (Object.keys(next) as (keyof MailSettings)[]).every((name) => next[name] === found[name]);
    onDraft(isAsRead ? null : next);
    setProblem(undefined);
  };
  const reload = async () => {
    if (!(await onReload())) return setProblem({ text: t("failed"), stale: true });
    onDraft(null);
    setFault(undefined);
    setTimeFault(undefined);
    setProblem(undefined);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (draft === null) return;
    const answer = await save(draft);
    if (answer.status < 400 && answer.data) {
      const saved = answer.data;
      toast.done(t("saved"));
      onSaved(saved);
      // What was changed while the save ran stays, upon what was saved.
      return onDraft((now) => (now === draft ? null : now && { ...now, rowVersion: saved.rowVersion }));
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
        value={shown[name] === null ? "" : String(shown[name])}
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
        count={{ used: shown.senderName?.length ?? 0, max: senderNameChars }}
        width={320}
      >
        <TextInput
          id={`${id}-sender`}
          aria-describedby={fieldNoteId(`${id}-sender`)}
          disabled={!mayEdit}
          maxLength={senderNameChars}
          value={shown.senderName ?? ""}
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
          value={shown.replyTo ?? ""}
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
          value={shown.defaultSendTime}
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
            <Button variant="subtle" size="compact-xs" onClick={reload}>
              {t("reload")}
            </Button>
          ) : null}
        </p>
      ) : null}
      {mayEdit ? (
        <div>
          <Button type="submit" variant="filled" loading={saving} disabled={draft === null}>
            {t("save")}
          </Button>
        </div>
      ) : null}
    </form>
  );
}
