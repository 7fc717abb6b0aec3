"use client";
import { MultiSelect, Select, Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useLocale, useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { useEdited } from "#components/ui/close-guard.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { FormModal, type GuardedForm } from "#components/ui/form-modal.tsx";
import { lookup } from "#components/ui/query-client.ts";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useTellEdited } from "#components/ui/use-tell-edited.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { type Locale, locales } from "#lib/core/locale.ts";
import { sendDuNotification } from "#lib/reminders/du-notifications/actions.ts";
import {
  notifiedActivitiesMax,
  notifiedAttributesMax,
  notifiedCcMax,
  notifiedContentChars,
  notifiedDusMax,
  notifiedSubjectChars,
} from "#lib/reminders/du-notifications/limits.ts";
import type { TemplateRow } from "#lib/reminders/mail-templates/queries.ts";
import { AddressField } from "./address-field.tsx";
import { PeopleField } from "./people-field.tsx";
import classes from "./settings.module.css";

type Props = { opened: boolean; duIds: number[]; duCode: (duId: number) => string; onClose: () => void };

/** Writes to addresses and members about the chosen DUs. */
export function DuNotificationDialog({ opened, duIds, duCode, onClose }: Props) {
  const t = useTranslations("reminders.notification");
  const project = useProjectNumber();
  const template = useQuery({
    queryKey: ["mail-templates", project, "DU_NOTIFICATION"],
    queryFn: async ({ signal }) =>
      dataOf(await callDoor<{ templates: TemplateRow[] }>("mailTemplate/find", { kind: "DU_NOTIFICATION" }, { signal })).templates,
    enabled: opened,
    retry: false,
  });
  return (
    <FormModal opened={opened} title={t("title")} size={640} onClose={onClose}>
      {(guarded) =>
        template.isError && !template.data ? (
          <ErrorPanel title={t("failed")} failed={template.error} onRetry={() => template.refetch()} />
        ) : opened && template.data ? (
          <NotificationForm duIds={duIds} duCode={duCode} templates={template.data} onClose={onClose} {...guarded} />
        ) : (
          <div aria-busy="true" />
        )
      }
    </FormModal>
  );
}

type HeadPart = { activities: { activityId: number; name: string }[]; attributes: { attributeId: number; title: string; level: string }[] };
type FormProps = Omit<Props, "opened"> & GuardedForm & { templates: TemplateRow[] };
const paths = ["addresses", "ccUserIds", "subject", "content"] as const;
type Faults = Partial<Record<(typeof paths)[number], string>>;

function NotificationForm({ duIds, duCode, templates, onEdited, onCancel, onClose }: FormProps) {
  const t = useTranslations("reminders.notification");
  const id = useId();
  const project = useProjectNumber();
  const shown = useLocale() as Locale;
  const wordsOf = (lang: Locale) => templates.find((row) => row.lang === lang) ?? { subject: "", body: "" };
  // One click is one request, however often it is sent.
  const [requestId] = useState(() => crypto.randomUUID());
  const [lang, setLang] = useState<Locale>(shown);
  const [addresses, setAddresses] = useState<string[]>([]);
  const [ccUserIds, setCc] = useState<number[]>([]);
  const [attributeIds, setAttributes] = useState<string[]>([]);
  const [activityIds, setActivities] = useState<string[]>([]);
  const [subject, setSubject] = useState(wordsOf(shown).subject);
  const [content, setContent] = useState(wordsOf(shown).body);
  const [faults, setFaults] = useState<Faults>({});
  const [problem, setProblem] = useState<string>();
  const [send, busy] = useAction(sendDuNotification);
  useTellEdited(useEdited([lang, addresses, ccUserIds, attributeIds, activityIds, subject, content]), onEdited);
  const head = useQuery({
    queryKey: ["notification-columns", project],
    queryFn: async ({ signal }) => dataOf(await callDoor<HeadPart>("rolloutPlan/head", {}, { signal })),
    retry: false,
    meta: lookup,
  });
  const chooseLang = (next: Locale) => {
    // Words nobody has touched follow the language.
    if (subject === wordsOf(lang).subject) setSubject(wordsOf(next).subject);
    if (content === wordsOf(lang).body) setContent(wordsOf(next).body);
    setLang(next);
  };
  const clear = (path: keyof Faults) => {
    setFaults(({ [path]: _gone, ...rest }) => rest);
    setProblem(undefined);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const answer = await send({
      duIds,
      attributeIds: attributeIds.map(Number),
      activityIds: activityIds.map(Number),
      addresses,
      ccUserIds,
      subject,
      content,
      lang,
      requestId,
    });
    if (answer.data) {
      const { sent, message } = answer.data;
      if (message) toast.note(`${t("sent", { count: sent })} ${message}`);
      else toast.done(t("sent", { count: sent }));
      return onClose();
    }
    const own = (answer.problems ?? []).filter(({ path }) => (paths as readonly string[]).includes(path));
    setFaults(Object.fromEntries(own.map(({ path, msg }) => [path, msg])));
    if (own.length === 0) setProblem(answer.problems?.[0]?.msg ?? answer.msg ?? answer.code);
    else document.getElementById(`${id}-${own[0]!.path}`)?.focus();
  };
  return (
    <form className={classes.dialogForm} onSubmit={submit} noValidate>
      <p className={classes.dus}>
        {t("dus", { count: duIds.length, max: notifiedDusMax })} {duIds.slice(0, 20).map(duCode).join(", ")}
        {duIds.length > 20 ? " …" : ""}
      </p>
      <AddressField
        id={`${id}-addresses`}
        label={t("addresses")}
        required
        value={addresses}
        error={faults.addresses}
        onChange={(next) => {
          setAddresses(next);
          clear("addresses");
        }}
      />
      <Field
        id={`${id}-ccUserIds`}
        label={t("cc")}
        help={t("ccHelp")}
        error={faults.ccUserIds}
        count={{ used: ccUserIds.length, max: notifiedCcMax }}
      >
        <PeopleField
          id={`${id}-ccUserIds`}
          value={ccUserIds}
          error={Boolean(faults.ccUserIds)}
          onChange={(next) => {
            setCc(next);
            clear("ccUserIds");
          }}
        />
      </Field>
      <div className={classes.pair}>
        <Field id={`${id}-attributes`} label={t("attributes")} count={{ used: attributeIds.length, max: notifiedAttributesMax }}>
          <MultiSelect
            id={`${id}-attributes`}
            searchable
            maxValues={notifiedAttributesMax}
            data={(head.data?.attributes ?? [])
              .filter(({ level }) => level === "DU")
              .map(({ attributeId, title }) => ({ value: String(attributeId), label: title }))}
            value={attributeIds}
            nothingFoundMessage={head.isSuccess ? t("nothing") : undefined}
            onChange={setAttributes}
          />
        </Field>
        <Field id={`${id}-activities`} label={t("activities")} count={{ used: activityIds.length, max: notifiedActivitiesMax }}>
          <MultiSelect
            id={`${id}-activities`}
            searchable
            maxValues={notifiedActivitiesMax}
            data={(head.data?.activities ?? []).map(({ activityId, name }) => ({ value: String(activityId), label: name }))}
            value={activityIds}
            nothingFoundMessage={head.isSuccess ? t("nothing") : undefined}
            onChange={setActivities}
          />
        </Field>
      </div>
      <Field id={`${id}-lang`} label={t("language")} help={t("languageHelp")} width={200}>
        <Select
          id={`${id}-lang`}
          allowDeselect={false}
          aria-describedby={fieldNoteId(`${id}-lang`)}
          data={locales.map((value) => ({ value, label: t(`lang.${value}`) }))}
          value={lang}
          onChange={(value) => chooseLang((value ?? lang) as Locale)}
        />
      </Field>
      <Field
        id={`${id}-subject`}
        label={t("subject")}
        required
        error={faults.subject}
        count={{ used: subject.length, max: notifiedSubjectChars }}
      >
        <TextInput
          id={`${id}-subject`}
          required
          maxLength={notifiedSubjectChars}
          value={subject}
          error={Boolean(faults.subject)}
          onChange={(event) => {
            setSubject(event.currentTarget.value);
            clear("subject");
          }}
        />
      </Field>
      <Field
        id={`${id}-content`}
        label={t("content")}
        required
        error={faults.content}
        count={{ used: content.length, max: notifiedContentChars }}
      >
        <Textarea
          id={`${id}-content`}
          required
          autosize
          minRows={3}
          maxRows={8}
          maxLength={notifiedContentChars}
          value={content}
          error={Boolean(faults.content)}
          onChange={(event) => {
            setContent(event.currentTarget.value);
            clear("content");
          }}
        />
      </Field>
      <DialogFoot
        problem={problem}
        verb={t("send", { count: duIds.length })}
        busy={busy}
        disabled={duIds.length > notifiedDusMax}
        onClose={onCancel}
      />
    </form>
  );
}
