"use client";
import { Button, SegmentedControl, Textarea, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocale, useTranslations } from "next-intl";
import { type Dispatch, type SetStateAction, useId, useRef, useState } from "react";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { Field } from "#components/ui/field.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { type Locale, locales } from "#lib/core/locale.ts";
import { saveTemplate } from "#lib/reminders/mail-templates/actions.ts";
import {
  placeholders,
  type TemplateKind,
  templateBodyChars,
  templateKinds,
  templateSubjectChars,
} from "#lib/reminders/mail-templates/limits.ts";
import { fillParts, type Template } from "#lib/reminders/mail-templates/logic.ts";
import type { TemplateRow, TemplateSample } from "#lib/reminders/mail-templates/queries.ts";
import classes from "./settings.module.css";

type Found = { templates: TemplateRow[]; samples: Record<Locale, TemplateSample> };

/** A text as it is typed, and the revision it was typed upon. */
type Draft = Template & { rowVersion: number };
/** Texts that are not saved, by kind and language. */
export type TemplateDrafts = ReadonlyMap<string, Draft>;
const draftKey = (kind: TemplateKind, lang: Locale) => `${kind} ${lang}`;
const marked = (title: string, isEdited: boolean) => (isEdited ? `${title} •` : title);

type Props = { drafts: TemplateDrafts; onDrafts: Dispatch<SetStateAction<TemplateDrafts>> };

/** The standard texts of every kind of mail in three languages, with what a mail made of them looks like. */
export function TemplatesTab({ drafts, onDrafts }: Props) {
  const t = useTranslations("reminders.settings");
  const project = useProjectNumber();
  const client = useQueryClient();
  const shown = useLocale() as Locale;
  const [kind, setKind] = useState<TemplateKind>("DIGEST");
  const [lang, setLang] = useState<Locale>(shown);
  const key = ["mail-templates", project];
  const found = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => dataOf(await callDoor<Found>("mailTemplate/find", {}, { signal })),
    retry: false,
  });
  const put = (saved: TemplateRow) =>
    client.setQueryData<Found>(
      key,
      (before) =>
        before && {
          ...before,
          templates: before.templates.map((one) => (one.kind === saved.kind && one.lang === saved.lang ? saved : one)),
        },
    );
  const rows = found.data?.templates ?? [];
  const row = rows.find((one) => one.kind === kind && one.lang === lang);
  const at = draftKey(kind, lang);
  const onDraft = (change: (now: Draft | undefined) => Draft | undefined) =>
    onDrafts((before) => {
      const after = new Map(before);
      const next = change(before.get(at));
      if (next) after.set(at, next);
      else after.delete(at);
      return after;
    });
  if (found.isError && !found.data) return <ErrorPanel title={t("failed")} failed={found.error} onRetry={() => found.refetch()} />;
  return (
    <div className={classes.templates}>
      <nav className={classes.kinds} aria-label={t("list")} aria-busy={found.isPending}>
        {templateKinds.map((one) => (
          <button key={one} type="button" className={classes.kind} aria-current={one === kind} onClick={() => setKind(one)}>
            <span>
              {marked(
                t(`kind.${one}`),
                locales.some((each) => drafts.has(draftKey(one, each))),
              )}
            </span>
            {rows.some((given) => given.kind === one && given.rowVersion > 0) ? <span className={classes.quiet}>{t("own")}</span> : null}
          </button>
        ))}
      </nav>
      <div className={classes.editor}>
        <SegmentedControl
          className={classes.languages ?? ""}
          aria-label={t("language")}
          data={locales.map((value) => ({ value, label: marked(languageNames[value], drafts.has(draftKey(kind, value))) }))}
          value={lang}
          onChange={(value) => setLang(value as Locale)}
        />
        {row && found.data ? (
          <Editor
            key={at}
            row={row}
            sample={found.data.samples[lang]}
            draft={drafts.get(at)}
            onDraft={onDraft}
            onSaved={put}
            onReload={async () => (await found.refetch()).isSuccess}
          />
        ) : (
          <div aria-busy="true" />
        )}
      </div>
    </div>
  );
}

const languageNames: Record<Locale, string> = { zh: "ZH", en: "EN", ja: "JA" };

type EditorProps = {
  row: TemplateRow;
  sample: TemplateSample;
  draft: Draft | undefined;
  onDraft: (change: (now: Draft | undefined) => Draft | undefined) => void;
  onSaved: (saved: TemplateRow) => void;
  /** Reads the present texts; whether that went well. */
  onReload: () => Promise<boolean>;
};

function Editor({ row, sample, draft, onDraft, onSaved, onReload }: EditorProps) {
  const t = useTranslations("reminders.settings");
  const { can } = useSession();
  const id = useId();
  const body = useRef<HTMLTextAreaElement>(null);
  const [problem, setProblem] = useState<{ text: string; stale: boolean }>();
  const [save, saving] = useAction(saveTemplate);
  const mayEdit = can("notice.edit");
  const shown: Draft = draft ?? row;
  const preview = fillParts(shown, sample.values, sample.table);
  const change = (part: Partial<Template>) => {
    const { subject, body, rowVersion } = { ...shown, ...part };
    const isAsRead = !saving && subject === row.subject && body === row.body;
    onDraft(() => (isAsRead ? undefined : { subject, body, rowVersion }));
    setProblem(undefined);
  };
  const reload = async () => {
    if (!(await onReload())) return setProblem({ text: t("failed"), stale: true });
    onDraft(() => undefined);
    setProblem(undefined);
  };
  const insert = (name: string) => {
    const field = body.current;
    const [from, to] = [field?.selectionStart ?? shown.body.length, field?.selectionEnd ?? shown.body.length];
    const word = `{${name}}`;
    change({ body: shown.body.slice(0, from) + word + shown.body.slice(to) });
    // The caret stands behind the word once it is drawn.
    requestAnimationFrame(() => {
      field?.focus();
      field?.setSelectionRange(from + word.length, from + word.length);
    });
  };
  const store = async (words: Template) => {
    const { subject, body } = words;
    const answer = await save({ kind: row.kind, lang: row.lang, subject, body, rowVersion: shown.rowVersion });
    if (answer.status < 400 && answer.data) {
      const saved = answer.data;
      toast.done(t(subject === "" ? "restored" : "savedText"));
      onSaved(saved);
      // What was typed while the save ran stays, upon what was saved.
      return onDraft((now) => (now === draft ? undefined : now && { ...now, rowVersion: saved.rowVersion }));
    }
    const [first] = answer.problems ?? [];
    const stale = answer.code === "STALE";
    setProblem({ text: stale ? t("stale") : (first?.msg ?? answer.msg ?? String(answer.code)), stale });
  };
  return (
    <div className={classes.halves}>
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void store(shown);
        }}
      >
        <Field id={`${id}-subject`} label={t("subject")} required count={{ used: shown.subject.length, max: templateSubjectChars }}>
          <TextInput
            id={`${id}-subject`}
            required
            readOnly={!mayEdit}
            maxLength={templateSubjectChars}
            value={shown.subject}
            onChange={(event) => change({ subject: event.currentTarget.value })}
          />
        </Field>
        <Field id={`${id}-body`} label={t("body")} required count={{ used: shown.body.length, max: templateBodyChars }}>
          <Textarea
            id={`${id}-body`}
            ref={body}
            required
            readOnly={!mayEdit}
            autosize
            minRows={8}
            maxRows={18}
            maxLength={templateBodyChars}
            value={shown.body}
            onChange={(event) => change({ body: event.currentTarget.value })}
          />
        </Field>
        {mayEdit ? (
          <fieldset className={classes.words} aria-label={t("insert")}>
            {placeholders.map((name) => (
              <Button key={name} size="compact-xs" onClick={() => insert(name)}>
                {t(`placeholder.${name}`)}
              </Button>
            ))}
          </fieldset>
        ) : (
          <p className={classes.quiet}>{t("readOnly")}</p>
        )}
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
          <div className={classes.words}>
            <Button
              type="submit"
              variant="filled"
              loading={saving}
              disabled={draft === undefined || draft.subject.trim() === "" || draft.body.trim() === ""}
            >
              {t("save")}
            </Button>
            {row.rowVersion > 0 ? (
              <Button disabled={saving} onClick={() => store({ subject: "", body: "" })}>
                {t("restore")}
              </Button>
            ) : null}
          </div>
        ) : null}
      </form>
      <section className={classes.preview} aria-label={t("preview")}>
        <p className={classes.previewHead}>
          <span className={classes.quiet}>{t("preview")}</span>
          <strong>{preview.subject}</strong>
        </p>
        <div className={classes.letter} lang={row.lang === "zh" ? "zh-CN" : row.lang}>
          {preview.parts.map((part, at) =>
            "table" in part ? (
              <table key="table" className={classes.table}>
                <thead>
                  <tr>
                    {part.table.head.map((title) => (
                      <th key={title} scope="col">
                        {title}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {part.table.rows.map((cells) => (
                    <tr key={cells.join()}>
                      {cells.map((cell, column) => (
                        <td key={part.table.head[column]}>{cell}</td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            ) : (
              <p key={at}>{part.line}</p>
            ),
          )}
          <p className={classes.quiet}>{sample.foot}</p>
        </div>
      </section>
    </div>
  );
}
