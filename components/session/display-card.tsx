"use client";
import { NumberInput, Select } from "@mantine/core";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { useId, useState } from "react";
import { historyMax } from "#components/grid/edit-history.ts";
import frame from "#components/ui/card.module.css";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { type Skin, useSkin } from "#components/ui/use-skin.ts";
import { formatNumber } from "#lib/core/format.ts";
import { asLocale, type Locale, localeNames, locales } from "#lib/core/locale.ts";
import { saveUserSetting, setLanguage } from "#lib/session/actions.ts";
import { undoStepsMax, undoStepsMin } from "#lib/session/limits.ts";
import classes from "./preferences.module.css";
import type { Chosen } from "./preferences-page.tsx";

const standardRows = 50;

/** Language, skin, rows of a list, steps to take back: each holds at once. */
export function DisplayCard({ chosen }: { chosen: Chosen }) {
  const t = useTranslations("session.preferences");
  const locale = useLocale() as Locale;
  const { skin, setSkin } = useSkin();
  const router = useRouter();
  const pathname = usePathname();
  const search = useSearchParams();
  const id = useId();
  const { pageSizes, rowsPerPage = standardRows } = useSession();
  const [rows, setRows] = useState(String(rowsPerPage));
  const [steps, setSteps] = useState<number | string>(chosen.undoSteps ?? historyMax);
  const [save] = useAction(saveUserSetting);
  const [speak] = useAction(setLanguage);
  const wrong = !Number.isInteger(steps) || Number(steps) < undoStepsMin || Number(steps) > undoStepsMax;

  const keep = async (settingId: string, value: string | number) => {
    const answer = await save({ settingId, value });
    if (answer.status >= 400) toast.problem(answer.msg ?? t("failed"));
    else toast.done(t("saved"));
    return answer.status < 400;
  };
  const chooseLanguage = async (text: string | null) => {
    const next = asLocale(text);
    if (!next || next === locale) return;
    const answer = await speak({ lang: next });
    if (answer.status >= 400) return void toast.problem(answer.msg ?? t("failed"));
    await keep("language", next);
    const query = new URLSearchParams(search);
    query.delete("lang");
    // A language in the address would win over the choice.
    if (search.has("lang")) router.replace(`${pathname}${query.size ? `?${query}` : ""}`);
    router.refresh();
  };
  const chooseSkin = async (text: string | null) => {
    if (text !== "dark" && text !== "light") return;
    const before: Skin = skin;
    setSkin(text);
    if (!(await keep("skin", text))) setSkin(before);
  };
  const chooseRows = async (text: string | null) => {
    if (!text) return;
    setRows(text);
    if (await keep("rowsPerPage", Number(text))) router.refresh();
  };
  const chooseSteps = async () => {
    if (wrong || steps === (chosen.undoSteps ?? historyMax)) return;
    if (await keep("undoSteps", Number(steps))) router.refresh();
  };
  return (
    <section className={frame.card} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{t("display.title")}</h2>
      <div className={classes.fields}>
        <Field label={t("display.language")} id={`${id}-language`} width={160}>
          <Select
            id={`${id}-language`}
            allowDeselect={false}
            data={locales.map((value) => ({ value, label: localeNames[value].full }))}
            value={locale}
            onChange={chooseLanguage}
          />
        </Field>
        <Field label={t("display.skin")} id={`${id}-skin`} width={160}>
          <Select
            id={`${id}-skin`}
            allowDeselect={false}
            data={(["dark", "light"] as const).map((value) => ({ value, label: t(`display.${value}`) }))}
            value={skin}
            onChange={chooseSkin}
          />
        </Field>
        <Field label={t("display.rows")} id={`${id}-rows`} width={160}>
          <Select id={`${id}-rows`} allowDeselect={false} data={pageSizes.map(String)} value={rows} onChange={chooseRows} />
        </Field>
        <Field
          label={t("display.steps")}
          id={`${id}-steps`}
          width={200}
          range={{ min: undoStepsMin, max: undoStepsMax }}
          help={t("display.stepsHelp")}
          error={wrong ? t("display.stepsWrong", { min: formatNumber(undoStepsMin), max: formatNumber(undoStepsMax) }) : undefined}
        >
          <NumberInput
            id={`${id}-steps`}
            allowDecimal={false}
            hideControls
            value={steps}
            error={wrong}
            aria-describedby={fieldNoteId(`${id}-steps`)}
            onChange={setSteps}
            onBlur={chooseSteps}
            onKeyDown={(event) => event.key === "Enter" && void chooseSteps()}
          />
        </Field>
      </div>
    </section>
  );
}
