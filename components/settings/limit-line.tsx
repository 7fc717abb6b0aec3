"use client";
import { Button, NumberInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { toast } from "#components/ui/toast.ts";
import { useUnsaved } from "#components/ui/unsaved.ts";
import { useAction } from "#components/ui/use-action.ts";
import type { Answer } from "#lib/core/error.ts";
import { formatNumber } from "#lib/core/format.ts";
import { numberFault } from "#lib/core/number-fault.ts";
import { deleteLimit, saveLimit } from "#lib/settings/actions.ts";
import type { LimitRow } from "#lib/settings/queries.ts";
import classes from "./settings.module.css";

/** One limit: its range, the installation's value, and the project's own, which can be set and taken back. */
export function LimitLine({ limit, onChange }: { limit: LimitRow; onChange: () => Promise<void> }) {
  const t = useTranslations("settings");
  const errors = useTranslations("errors");
  const { key, min, max, rowVersion, projectValue, globalValue } = limit;
  const name = t(`limit.${key.replace(".", "-")}`);
  const [value, setValue] = useState<number | string>(limit.value);
  const [fault, setFault] = useState<string | null>(null);
  const [save, saving] = useAction(saveLimit);
  const [remove, removing] = useAction(deleteLimit);
  const broken = value === "" ? ({ code: "NUMBER_INTEGER" } as const) : numberFault(Number(value), { min, max, decimals: 0 });
  const wrong =
    broken?.code === "NUMBER_RANGE"
      ? t("limits.outside", { min: formatNumber(min), max: formatNumber(max) })
      : broken && errors(broken.code as "NUMBER_INTEGER");
  const changed = value !== limit.value;
  useUnsaved(changed);

  const end = async (answer: Answer, done: string) => {
    if (answer.status < 400) toast.done(done);
    setFault(answer.status < 400 ? null : (answer.msg ?? String(answer.code)));
    if (answer.status < 400 || answer.status === 409) await onChange();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (wrong || !changed) return;
    await end(await save({ key, value: Number(value), rowVersion }), t("limits.saved", { name, value: formatNumber(Number(value)) }));
  };
  const reset = async () => end(await remove({ key, rowVersion }), t("limits.resetDone", { name, value: formatNumber(globalValue) }));

  return (
    <tr>
      <th scope="row">
        {name}
        <span className={classes.key}>{key}</span>
      </th>
      <td data-align="right">
        {formatNumber(min)} – {formatNumber(max)}
      </td>
      <td data-align="right">{formatNumber(globalValue)}</td>
      <td>
        <form className={classes.edit} onSubmit={submit}>
          <NumberInput
            w={120}
            aria-label={t("limits.edit", { name })}
            value={value}
            onChange={setValue}
            error={fault ?? (changed ? wrong : null)}
            hideControls
          />
          {changed ? (
            <Button type="submit" variant="filled" loading={saving} disabled={wrong !== null}>
              {t("limits.save")}
            </Button>
          ) : projectValue === null ? (
            <span className={classes.quiet}>{t("limits.follows")}</span>
          ) : (
            <Button variant="subtle" color="gray" loading={removing} onClick={reset}>
              {t("limits.reset")}
            </Button>
          )}
        </form>
      </td>
    </tr>
  );
}
