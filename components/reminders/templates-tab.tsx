"use client";
import { Button, SegmentedControl, Textarea, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocale, useTranslations } from "next-intl";
import { useId, useRef, useState } from "react";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { Field } from "#components/ui/field.tsx";
import { toast } from "#components/ui/toast.ts";
import { useUnsaved } from "#components/ui/unsaved.ts";
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

/** The standard texts of every kind of mail in three languages, with what a mail made of them looks like. */
export function TemplatesTab() {
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
  const refresh = () => client.invalidateQueries({ queryKey: key });
  const rows = found.data?.templates ?? [];
  const row = rows.find((one) => one.kind === kind && one.lang === lang);
  if (found.isError) return <ErrorPanel title={t("failed")} failed={found.error} onRetry={() => found.refetch()} />;
  return (
    <div className={classes.templates}>
      <nav className={classes.kinds} aria-label={t("list")} aria-busy={found.isPending}>
        {templateKinds.map((one) => (
          <button key={one} type="button" className={classes.kind} aria-current={one === kind} onClick={() => setKind(one)}>
            <span>{t(`kind.${one}`)}</span>
            {rows.some((given) => given.kind === one && given.rowVersion > 0) ? <span className={classes.quiet}>{t("own")}</span> : null}
          </button>
        ))}
      </nav>
      <div className={classes.editor}>
        <SegmentedControl
          className={classes.languages ?? ""}
          aria-label={t("language")}
          data={locales.map((value) => ({ value, label: languageNames[value] }))}
          value={lang}
          onChange={(value) => setLang(value as Locale)}
        />
        {row && found.data ? (
          <Editor key={`${kind} ${lang} ${row.rowVersion}`} row={row} sample={found.data.samples[lang]} onChange={refresh} />
        ) : (
          <div aria-busy="true" />
        )}
      </div>
    </div>
  );
}

const languageNames: Record<Locale, string> = { zh: "ZH", en: "EN", ja: "JA" };

type EditorProps = { row: TemplateRow; sample: TemplateSample; onChange: () => Promise<void> };

function Editor({ row, sample, onChange }: EditorProps) {
  const t = useTranslations("reminders.settings");
  const { can } = useSession();
  const id = useId();
  const body = useRef<HTMLTextAreaElement>(null);
  const [draft, setDraft] = useState<Template>({ subject: row.subject, body: row.body });
  const [problem, setProblem] = useState<{ text: string; stale: boolean }>();
  const [save, saving] = useAction(saveTemplate);
  const mayEdit = can("notice.edit");
  const dirty = draft.subject !== row.subject || draft.body !== row.body;
  useUnsaved(dirty);
  const preview = fillParts(draft, sample.values, sample.table);
  const change = (part: Partial<Template>) => {
    setDraft((before) => ({ ...before, ...part }));
    setProblem(undefined);
  };
  const insert = (name: string) => {
    const field = body.current;
    const [from, to] = [field?.selectionStart ?? draft.body.length, field?.selectionEnd ?? draft.body.length];
    const word = `{${name}}`;
    change({ body: draft.body.slice(0, from) + word + draft.body.slice(to) });
    // The caret stands behind the word once it is drawn.
    requestAnimationFrame(() => {
      field?.focus();
      field?.setSelectionRange(from + word.length, from + word.length);
    });
  };
  const store = async (words: Template) => {
    const answer = await save({ kind: row.kind, lang: row.lang, ...words, rowVersion: row.rowVersion });
    if (answer.status < 400) {
      toast.done(t(words.subject === "" ? "restored" : "savedText"));
      return onChange();
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
          void store(draft);
        }}
      >
        <Field id={`${id}-subject`} label={t("subject")} required count={{ used: draft.subject.length, max: templateSubjectChars }}>
          <TextInput
            id={`${id}-subject`}
            required
            readOnly={!mayEdit}
            maxLength={templateSubjectChars}
            value={draft.subject}
            onChange={(event) => change({ subject: event.currentTarget.value })}
          />
        </Field>
        <Field id={`${id}-body`} label={t("body")} required count={{ used: draft.body.length, max: templateBodyChars }}>
          <Textarea
            id={`${id}-body`}
            ref={body}
            required
            readOnly={!mayEdit}
            autosize
            minRows={8}
            maxRows={18}
            maxLength={templateBodyChars}
            value={draft.body}
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
              <Button variant="subtle" size="compact-xs" onClick={onChange}>
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
              disabled={!dirty || draft.subject.trim() === "" || draft.body.trim() === ""}
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
