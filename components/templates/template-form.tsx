"use client";
import { Button, Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { useEdited } from "#components/ui/close-guard.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { useSession } from "#components/ui/use-session.tsx";
import { useTellEdited } from "#components/ui/use-tell-edited.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { nameSigns, type ObjectType, objectTypes, planGrid, type TemplateKind, templateLimits } from "#lib/templates/limits.ts";
import { nameFault } from "#lib/templates/logic.ts";
import { enteredTexts, noTexts, type TemplateNames } from "./template-data.ts";
import classes from "./template-dialog.module.css";
import { TemplateTextFields } from "./template-text-fields.tsx";

/** Milliseconds a saved dialog stays, and typing rests before a name is checked. */
const closeMs = 2_000;
const checkMs = 300;

type Props = {
  kind: TemplateKind;
  body: object;
  /** Those there are; undefined as long as they were not read. */
  names: TemplateNames | undefined;
  onEdited: (isEdited: boolean) => void;
  onSaved: () => unknown;
  onClose: () => void;
};

/** Keeps what stands there under a new name, which is checked while it is typed. */
export function TemplateForm({ kind, body, names, onEdited, onSaved, onClose }: Props) {
  const t = useTranslations("templates");
  const common = useTranslations("common");
  const { can } = useSession();
  const id = useId();
  const [name, setName] = useState("");
  const [isPublic, setPublic] = useState(false);
  const [objectType, setObjectType] = useState<ObjectType>("site");
  const [texts, setTexts] = useState(noTexts);
  const [open, setOpen] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [taken, setTaken] = useState(false);
  const [busy, setBusy] = useState(false);
  const [saved, setSaved] = useState(false);
  useTellEdited(useEdited([name, texts]), onEdited);
  const closing = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { nameChars, countMax, per } = templateLimits[kind];
  const used = names?.[isPublic ? "public" : "personal"].filter((one) => per !== "objectType" || one.objectType === objectType).length;
  const full = countMax !== null && used !== undefined && used >= countMax;
  const fault = name.trim() === "" ? null : nameFault(kind, name);

  useEffect(() => {
    setTaken(false);
    if (name.trim() === "" || nameFault(kind, name)) return;
    const timer = setTimeout(async () => {
      const input = { kind, name, isPublic };
      const answer = await callDoor<{ valid: boolean }>("template/basic/validateTemplateName", input, { cancelKey: "template name" });
      if (answer.data) setTaken(!answer.data.valid);
    }, checkMs);
    return () => clearTimeout(timer);
  }, [kind, name, isPublic]);
  useEffect(() => () => clearTimeout(closing.current), []);

  const fail = () => {
    if (problem) return problem;
    if (fault?.code === "NAME_TOO_LONG") return t("form.tooLong", { max: nameChars });
    if (fault?.code === "NAME_INVALID") return t("form.signs", { signs: nameSigns });
    if (taken) return t("form.taken");
    return full ? t("form.full", { max: countMax }) : undefined;
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === "") return setProblem(t("form.missing"));
    setBusy(true);
    const ofKind = kind === "search" ? { objectType } : {};
    const answer = await callDoor("template/basic/save", {
      kind,
      gridKey: planGrid,
      name,
      isPublic,
      ...enteredTexts(texts),
      body,
      ...ofKind,
    });
    setBusy(false);
    if (answer.status >= 400) return setProblem(answer.problems?.[0]?.msg ?? answer.msg ?? t("failed"));
    setSaved(true);
    setName("");
    setTexts(noTexts);
    void onSaved();
    closing.current = setTimeout(onClose, closeMs);
  };
  const error = fail();
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      {kind === "search" ? (
        <Field id={`${id}-object`} label={t("form.objectType")} width={140}>
          <NativeSelect
            id={`${id}-object`}
            value={objectType}
            data={objectTypes.map((value) => ({ value, label: t(`objectType.${value}`) }))}
            onChange={(event) => setObjectType(event.currentTarget.value as ObjectType)}
          />
        </Field>
      ) : null}
      <div className={classes.grow}>
        <Field
          id={`${id}-name`}
          label={t(`form.name.${kind}`)}
          required
          count={{ used: [...name.trim()].length, max: nameChars }}
          error={error}
          help={countMax === null || used === undefined ? undefined : t("form.count", { used, max: countMax })}
        >
          <TextInput
            id={`${id}-name`}
            required
            value={name}
            error={Boolean(error)}
            aria-describedby={fieldNoteId(`${id}-name`)}
            onChange={(event) => {
              setName(event.currentTarget.value);
              setProblem(null);
            }}
          />
        </Field>
      </div>
      {can("template.publicSet") ? (
        <Checkbox
          label={t("form.public")}
          checked={isPublic}
          onChange={(event) => {
            setPublic(event.currentTarget.checked);
            setProblem(null);
          }}
        />
      ) : null}
      <Button
        variant="subtle"
        color="gray"
        aria-expanded={open}
        leftSection={open ? <IconChevronDown size={16} stroke={1.4} /> : <IconChevronRight size={16} stroke={1.4} />}
        onClick={() => setOpen(!open)}
      >
        {common("more")}
      </Button>
      {open ? (
        <div className={classes.wide}>
          <TemplateTextFields texts={texts} onChange={setTexts} />
        </div>
      ) : null}
      <Button type="submit" variant="filled" loading={busy} disabled={Boolean(error) || saved}>
        {t("form.save")}
      </Button>
      <span role="status" className={classes.quiet}>
        {saved ? t("form.saved") : ""}
      </span>
    </form>
  );
}
