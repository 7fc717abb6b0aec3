"use client";
import { Checkbox, Modal, NumberInput, Select, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useRef, useState } from "react";
import { useCloseGuard, useEdited } from "#components/ui/close-guard.tsx";
import { Confirm } from "#components/ui/confirm.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { toast } from "#components/ui/toast.ts";
import { uploadFile } from "#components/ui/upload-file.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import type { OpenedFile } from "#lib/imports/file/commands.ts";
import { headerRowMax } from "#lib/imports/limits.ts";
import { templateLimits } from "#lib/templates/limits.ts";
import { PlanFileChoice } from "./plan-file-choice.tsx";
import { enteredTexts, noTexts } from "./template-data.ts";
import classes from "./template-dialog.module.css";
import { TemplateTextFields } from "./template-text-fields.tsx";

type Props = { onClose: () => void; onSaved: () => unknown };

/** Makes a reverse template from a sample of the foreign plan: which of its columns give which field of ours. */
export function ReverseForm({ onClose, onSaved }: Props) {
  const t = useTranslations("templates");
  const common = useTranslations("common");
  const discard = useTranslations("ui.discard");
  const project = useProjectNumber();
  const { can } = useSession();
  const id = useId();
  const [file, setFile] = useState<{ id: string; name: string } | null>(null);
  const [sample, setSample] = useState<(OpenedFile & { headerRow: number }) | null>(null);
  const [headerRow, setHeaderRow] = useState(1);
  const [mapping, setMapping] = useState<(string | null)[]>([]);
  const [name, setName] = useState("");
  const [texts, setTexts] = useState(noTexts);
  const [isPublic, setPublic] = useState(false);
  const [fault, setFault] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [wantedRow, setWantedRow] = useState<number | null>(null);
  const latest = useRef(0);
  const { close, question } = useCloseGuard(useEdited([file?.id, headerRow, mapping, name, texts, isPublic]), onClose);
  const read = async (fileId: string, row: number) => {
    const reading = ++latest.current;
    const answer = await callDoor<OpenedFile>("import/open", { fileId, kind: "reversePlan", headerRow: row }, { reading: true });
    if (reading !== latest.current) return;
    if (!answer.data) return setProblem(answer.msg ?? t("failed"));
    setProblem(undefined);
    setSample({ ...answer.data, headerRow: row });
    setMapping(answer.data.columns.map(({ field }) => field));
  };
  const chooseRow = async (row: number) => {
    setHeaderRow(row);
    if (file) await read(file.id, row);
  };
  const take = async (given: File) => {
    setBusy(true);
    const sent = await uploadFile(given, project, "reversePlan");
    if (sent.data) {
      setFile({ id: sent.data.fileId, name: given.name });
      await read(sent.data.fileId, headerRow);
    } else setProblem(sent.msg ?? t("failed"));
    setBusy(false);
  };
  const columns = (sample?.columns ?? []).flatMap(({ title }, at) => {
    const key = mapping[at];
    return key && title ? [{ title, key: key === "code" ? "du" : key }] : [];
  });
  const unmapped = (sample?.columns ?? []).filter(({ title }, at) => title !== "" && !mapping[at]).map(({ title }) => title);
  const isMapped = mapping.some((key, at) => key !== sample?.columns[at]?.field);
  const hasKey = columns.some(({ key }) => key === "du");
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const answer = await callDoor("template/basic/save", {
      kind: "reverse",
      isPublic,
      ...enteredTexts(texts),
      name,
      body: { headerRow, columns },
    });
    setBusy(false);
    if (answer.status >= 400) {
      const own = answer.problems?.find(({ path }) => path === "name");
      return own ? setFault(own.msg) : setProblem(answer.problems?.[0]?.msg ?? answer.msg ?? t("failed"));
    }
    toast.done(t("form.saved"));
    await onSaved();
    onClose();
  };
  const fields = new Map((sample?.fields ?? []).map(({ key, title }) => [key, title]));
  return (
    <Modal opened onClose={close} title={t("reverse.title")} size={760} closeButtonProps={{ "aria-label": common("close") }}>
      <form className={classes.dialog} onSubmit={submit} noValidate>
        <p className={classes.quiet}>{t("reverse.help")}</p>
        <PlanFileChoice name={file?.name} label={t("reverse.choose")} busy={busy} onFile={(given) => void take(given)} />
        <Field id={`${id}-row`} label={t("reverse.headerRow")} range={{ min: 1, max: headerRowMax }} width={160}>
          <NumberInput
            id={`${id}-row`}
            min={1}
            max={headerRowMax}
            disabled={busy}
            value={wantedRow ?? headerRow}
            onChange={(value) => {
              const row = Math.min(headerRowMax, Math.max(1, Number(value) || 1));
              if (!isMapped) void chooseRow(row);
              else if (row !== headerRow) setWantedRow(row);
            }}
          />
        </Field>
        {sample ? (
          <>
            <ScrollRegion className={classes.lists} label={t("reverse.columns")}>
              <table className={classes.table} aria-label={t("reverse.columns")}>
                <thead>
                  <tr>
                    <th scope="col">{t("reverse.column")}</th>
                    <th scope="col">{t("reverse.samples")}</th>
                    <th scope="col">{t("reverse.field")}</th>
                  </tr>
                </thead>
                <tbody>
                  {sample.columns.map(({ title, samples }, at) => (
                    <tr key={at}>
                      <th scope="row">{title || t("reverse.untitled", { number: at + 1 })}</th>
                      <td>{samples.join(", ")}</td>
                      <td>
                        <Select
                          size="xs"
                          searchable
                          clearable
                          clearButtonProps={{ "aria-label": common("clear") }}
                          aria-label={t("reverse.fieldOf", { column: title })}
                          data={[...fields].map(([value, label]) => ({ value, label }))}
                          value={mapping[at] ?? null}
                          onChange={(value) =>
                            setMapping((before) => before.map((given, place) => (place === at ? value : given === value ? null : given)))
                          }
                        />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </ScrollRegion>
            <p className={classes.quiet} role="status">
              {hasKey ? t("reverse.unmapped", { count: unmapped.length, columns: unmapped.join(", ") }) : t("reverse.noKey")}
            </p>
          </>
        ) : null}
        <Field
          id={`${id}-name`}
          label={t("list.name")}
          required
          count={{ used: [...name].length, max: templateLimits.reverse.nameChars }}
          error={fault}
        >
          <TextInput
            id={`${id}-name`}
            required
            maxLength={templateLimits.reverse.nameChars}
            value={name}
            error={Boolean(fault)}
            aria-describedby={fieldNoteId(`${id}-name`)}
            onChange={(event) => {
              setName(event.currentTarget.value);
              setFault(undefined);
            }}
          />
        </Field>
        <TemplateTextFields texts={texts} onChange={setTexts} />
        {can("template.publicSet") ? (
          <Checkbox label={t("form.public")} checked={isPublic} onChange={(event) => setPublic(event.currentTarget.checked)} />
        ) : null}
        <DialogFoot
          problem={problem}
          verb={t("form.save")}
          busy={busy}
          disabled={!hasKey || headerRow !== sample?.headerRow}
          onClose={close}
        />
      </form>
      {question}
      <Confirm
        opened={wantedRow !== null}
        verb={discard("verb")}
        danger
        onConfirm={() => wantedRow !== null && chooseRow(wantedRow)}
        onClose={() => setWantedRow(null)}
      >
        {t("reverse.losesFields")}
      </Confirm>
    </Modal>
  );
}
