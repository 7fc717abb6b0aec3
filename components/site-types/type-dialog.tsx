"use client";
import { Button, Modal, NumberInput, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { useCloseGuard, useEdited } from "#components/ui/close-guard.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { siteTypeNameChars, subTypesMax } from "#lib/resources/site-types/limits.ts";
import { percentSum } from "#lib/resources/site-types/logic.ts";
import type { SiteDimension, SiteType } from "#lib/resources/site-types/queries.ts";
import classes from "./site-types.module.css";

type Part = { dimension: string; name: string; percentage: number | string };
type Props = { type: SiteType | null; dimensions: readonly SiteDimension[]; onSaved: () => void; onClose: () => void };

/** A site type: in each dimension its parts, with their running sum. */
export function TypeDialog({ type, dimensions, onSaved, onClose }: Props) {
  const t = useTranslations("site-types");
  const common = useTranslations("common");
  const id = useId();
  const [name, setName] = useState(type?.name ?? "");
  const [parts, setParts] = useState<Part[]>(
    (type?.subs ?? []).map(({ dimension, name: part, percentage }) => ({ dimension, name: part, percentage })),
  );
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const { close, question } = useCloseGuard(useEdited([name, parts]), onClose);
  const set = (part: Part, given: Partial<Part>) => setParts((all) => all.map((one) => (one === part ? { ...one, ...given } : one)));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const subs = parts.map(({ percentage, ...part }) => ({ ...part, percentage: Number(percentage) }));
    const answer = await callDoor("siteType/save", { types: [{ name, subs, ...(type && { id: type.id, rowVersion: type.rowVersion }) }] });
    setBusy(false);
    if (answer.status < 400) return onSaved();
    const named = answer.problems?.find(({ path }) => path === "types.0.name");
    setFault(named?.msg);
    setProblem(named ? undefined : (answer.problems?.[0]?.msg ?? answer.msg));
  };
  return (
    <Modal opened onClose={close} title={type ? type.name : t("new")} size={560} closeButtonProps={{ "aria-label": common("close") }}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <Field
          id={`${id}-name`}
          label={common("name")}
          required
          count={{ used: [...name.trim()].length, max: siteTypeNameChars }}
          error={fault}
        >
          <TextInput
            id={`${id}-name`}
            required
            data-autofocus
            value={name}
            error={Boolean(fault)}
            aria-describedby={fieldNoteId(`${id}-name`)}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        </Field>
        {dimensions.length === 0 ? <p className={classes.note}>{t("dimensions.first")}</p> : null}
        {dimensions.map((dimension) => {
          const own = parts.filter((part) => part.dimension === dimension.name);
          const sum = percentSum(own.map(({ percentage }) => Number(percentage) || 0));
          return (
            <fieldset key={dimension.id} className={classes.dimension}>
              <legend>{dimension.name}</legend>
              {own.map((part, at) => (
                <div key={`${at + 1}`} className={classes.row}>
                  <TextInput
                    aria-label={t("part", { dimension: dimension.name })}
                    maxLength={siteTypeNameChars}
                    value={part.name}
                    onChange={(event) => set(part, { name: event.currentTarget.value })}
                  />
                  <NumberInput
                    w={100}
                    hideControls
                    decimalScale={2}
                    suffix=" %"
                    aria-label={t("share", { name: part.name })}
                    value={part.percentage}
                    onChange={(percentage) => set(part, { percentage })}
                  />
                  <Button variant="subtle" color="gray" onClick={() => setParts((all) => all.filter((one) => one !== part))}>
                    {common("delete")}
                  </Button>
                </div>
              ))}
              <div className={classes.row}>
                <Button
                  size="xs"
                  disabled={parts.length >= subTypesMax}
                  onClick={() => setParts((all) => [...all, { dimension: dimension.name, name: "", percentage: "" }])}
                >
                  {t("addPart")}
                </Button>
                {own.length > 0 ? (
                  <p className={classes.sum} data-whole={sum === 100 || undefined} aria-live="polite">
                    {t("sum", { sum: sum.toFixed(2) })}
                  </p>
                ) : null}
              </div>
            </fieldset>
          );
        })}
        <DialogFoot problem={problem} verb={common("save")} busy={busy} onClose={close} />
      </form>
      {question}
    </Modal>
  );
}
