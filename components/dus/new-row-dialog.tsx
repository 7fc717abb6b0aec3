"use client";
import { Button, Modal, Select, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useRef, useState } from "react";
import { useCloseGuard, useEdited } from "#components/ui/close-guard.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { useAction } from "#components/ui/use-action.ts";
import type { Answer } from "#lib/core/error.ts";
import { saveDus, saveSites } from "#lib/rollout-plan/dus/actions.ts";
import { duChars, siteChars } from "#lib/rollout-plan/dus/limits.ts";
import type { DuChoices } from "./master-columns.ts";
import classes from "./master-page.module.css";

type Props = { what: "dus" | "sites"; choices: DuChoices; opened: boolean; onClose: () => void; onMade: (code: string) => void };
type Values = { code: string; name: string; regionId: string | null; city: string };

const empty: Values = { code: "", name: "", regionId: null, city: "" };

/** Makes a DU or a site with what it must have; the rest is filled in the table. */
export function NewRowDialog({ what, choices, opened, onClose, onMade }: Props) {
  const t = useTranslations("dus");
  const common = useTranslations("common");
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState(empty);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [tried, setTried] = useState(false);
  const [makeDu, makingDu] = useAction(saveDus);
  const [makeSite, makingSite] = useAction(saveSites);
  const chars = what === "dus" ? duChars : siteChars;
  const titles =
    what === "dus" ? { code: t("fields.code"), name: t("fields.name") } : { code: t("fields.siteCode"), name: t("fields.siteName") };
  const set = (part: Partial<Values>) => {
    setValues({ ...values, ...part });
    setAnswer(null);
  };
  const end = () => {
    setValues(empty);
    setAnswer(null);
    setTried(false);
    onClose();
  };
  const { close, question } = useCloseGuard(useEdited(values), end);
  const missing = (key: "code" | "name") => tried && values[key].trim() === "";
  const problem = (key: "code" | "name"): string | undefined => {
    if (missing(key)) return t("new.missing");
    if (key === "code" && answer?.code === "CODE_EXISTS") return answer.msg;
    return answer?.problems?.find((one) => one.path.endsWith(`.${key}`))?.msg;
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    const code = values.code.trim();
    const name = values.name.trim();
    if (!code || !name) {
      form.current?.querySelector<HTMLInputElement>(code ? `[name="name"]` : `[name="code"]`)?.focus();
      return;
    }
    const made =
      what === "dus"
        ? await makeDu({ rows: [{ code, name, ...(values.regionId && { regionId: Number(values.regionId) }) }] })
        : await makeSite({ rows: [{ code, name, city: values.city.trim() || null }] });
    if (made.status >= 400) {
      setAnswer(made);
      return;
    }
    end();
    onMade(code);
  };
  const other =
    answer && answer.code !== "CODE_EXISTS" && !problem("code") && !problem("name") ? (answer.msg ?? t("saving.failed")) : undefined;

  return (
    <Modal opened={opened} onClose={close} title={t(`new.${what}`)} size={440} closeButtonProps={{ "aria-label": common("close") }}>
      <form ref={form} className={classes.form} onSubmit={submit} noValidate>
        {(["code", "name"] as const).map((key) => (
          <Field
            key={key}
            id={`${id}-${key}`}
            label={titles[key]}
            required
            count={{ used: [...values[key]].length, max: chars[key] }}
            error={problem(key)}
          >
            <TextInput
              id={`${id}-${key}`}
              name={key}
              data-autofocus={key === "code" || undefined}
              maxLength={chars[key]}
              aria-describedby={fieldNoteId(`${id}-${key}`)}
              error={Boolean(problem(key))}
              value={values[key]}
              onChange={(event) => set({ [key]: event.currentTarget.value })}
            />
          </Field>
        ))}
        {what === "dus" ? (
          <Field id={`${id}-region`} label={t("fields.region")} help={t("new.site")} error={other}>
            <Select
              id={`${id}-region`}
              clearable
              searchable
              clearButtonProps={{ "aria-label": common("clear") }}
              data={choices.regions.map((region) => ({ value: String(region.id), label: region.name }))}
              value={values.regionId}
              onChange={(regionId) => set({ regionId })}
            />
          </Field>
        ) : (
          <Field id={`${id}-city`} label={t("fields.city")} error={other}>
            <TextInput
              id={`${id}-city`}
              maxLength={siteChars.city}
              value={values.city}
              onChange={(event) => set({ city: event.currentTarget.value })}
            />
          </Field>
        )}
        <div className={classes.dialogFoot}>
          <Button onClick={close}>{common("cancel")}</Button>
          <Button type="submit" variant="filled" loading={makingDu || makingSite}>
            {common("create")}
          </Button>
        </div>
      </form>
      {question}
    </Modal>
  );
}
