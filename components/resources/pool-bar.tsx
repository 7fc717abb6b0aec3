"use client";
import { MultiSelect, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { authStates, resourceStatuses } from "#lib/resources/pool/limits.ts";
import { noQuestion, type PoolQuestion } from "./pool-data.ts";
import classes from "./resources.module.css";

type Props = { question: PoolQuestion; skills: readonly string[]; onChange: (question: PoolQuestion) => void };

/** What the list of people is narrowed by. */
export function PoolBar({ question, skills, onChange }: Props) {
  const t = useTranslations("resources");
  const set = (given: Partial<PoolQuestion>) => onChange({ ...question, ...given });
  const choice = (field: Exclude<keyof PoolQuestion, "search">, data: { value: string; label: string }[], width: number) => (
    <MultiSelect
      size="xs"
      w={width}
      aria-label={t(`filter.${field}`)}
      placeholder={question[field].length === 0 ? t(`filter.${field}`) : undefined}
      clearable
      data={data}
      value={question[field]}
      onChange={(values) => set({ [field]: values })}
    />
  );
  return (
    <search className={classes.bar}>
      <TextInput
        size="xs"
        w={220}
        aria-label={t("filter.search")}
        placeholder={t("filter.search")}
        value={question.search}
        onChange={(event) => set({ search: event.currentTarget.value })}
      />
      {choice(
        "status",
        resourceStatuses.map((value) => ({ value, label: t(`state.${value}`) })),
        160,
      )}
      {choice(
        "authState",
        authStates.map((value) => ({ value, label: t(`auth.${value}`) })),
        160,
      )}
      {choice(
        "availability",
        ["Y", "N"].map((value) => ({ value, label: t(`availability.${value}`) })),
        150,
      )}
      {skills.length > 0
        ? choice(
            "skill",
            skills.map((value) => ({ value, label: value })),
            160,
          )
        : null}
      {question === noQuestion ? null : (
        <button type="button" className={classes.link} onClick={() => onChange(noQuestion)}>
          {t("filter.drop")}
        </button>
      )}
    </search>
  );
}
