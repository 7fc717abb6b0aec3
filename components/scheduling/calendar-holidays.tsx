"use client";
import { Button, Checkbox, NumberInput, Select } from "@mantine/core";
import { useQueries, useQuery } from "@tanstack/react-query";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { calendarNameMax } from "#lib/scheduling/calendar/limits.ts";
import { holidayYearMax, holidayYearMin, holidayYearsMax } from "#lib/scheduling/holidays/limits.ts";
import type { Holiday } from "#lib/scheduling/holidays/logic.ts";
import type { HolidayCountry } from "#lib/scheduling/holidays/queries.ts";
import classes from "./calendar.module.css";
import { type CalendarDraft, withHolidays } from "./calendar-days.ts";

type Choice = { country: string | null; area: string | null; from: number | string; to: number | string };

/** Public holidays that are being taken over: what is asked for, what was found, and which of it is left out. */
export function useTakeover(draft: CalendarDraft | null) {
  const project = useProjectNumber();
  const locale = useLocale();
  const [choice, setChoice] = useState<Choice | null>(null);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const years = choice ? yearsOf(choice) : null;
  const { country = null, area = null } = choice ?? {};
  const found = useQueries({
    queries: (country ? (years ?? []) : []).map((year) => ({
      queryKey: ["holidays", project, locale, country, area, year],
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        dataOf(await callDoor<Holiday[]>("commomUtil/findHolidays", { country, area, year }, { signal })),
      retry: false,
      staleTime: Number.POSITIVE_INFINITY,
    })),
  });
  const holidays = found.flatMap(({ data }) => data ?? []);
  const taken = holidays.filter(({ day }) => !left.has(day)).map(({ day, name }) => ({ day, name: name.slice(0, calendarNameMax) }));
  const choose = (next: Choice | null) => {
    setChoice(next);
    setLeft(new Set());
  };
  return {
    choice,
    choose,
    open: (year: number) => choose({ country: null, area: null, from: year, to: year }),
    close: () => choose(null),
    yearsWrong: choice !== null && years === null,
    holidays,
    left,
    setLeft,
    taken,
    loading: found.some(({ isPending }) => isPending),
    failed: found.find(({ isError }) => isError)?.error ?? null,
    again: () => found.forEach((query) => void query.refetch()),
    /** The calendar as it would be. */
    preview: draft && choice ? withHolidays(draft, taken) : null,
  };
}

function yearsOf({ from, to }: Choice): number[] | null {
  if (typeof from !== "number" || typeof to !== "number") return null;
  const count = to - from + 1;
  if (from < holidayYearMin || to > holidayYearMax || count < 1 || count > holidayYearsMax) return null;
  return Array.from({ length: count }, (_, at) => from + at);
}

type Props = {
  takeover: ReturnType<typeof useTakeover>;
  /** The calendar before the take-over. */
  draft: CalendarDraft;
  onTake: (draft: CalendarDraft) => void;
  /** Shows another year in the year view. */
  onYear: (year: number) => void;
};

/** Public holidays of a country, to be ticked and taken over as days off; the year view shows what they would change. */
export function HolidayPanel({ takeover, draft, onTake, onYear }: Props) {
  const t = useTranslations("scheduling.calendar.takeover");
  const common = useTranslations("common");
  const project = useProjectNumber();
  const locale = useLocale();
  const { choice, choose, holidays, left, setLeft, taken, failed } = takeover;
  const countries = useQuery({
    queryKey: ["holiday-countries", project, locale],
    queryFn: async ({ signal }) => dataOf(await callDoor<HolidayCountry[]>("commomUtil/findHolidayCountries", {}, { signal })),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!choice) return null;
  const areas = countries.data?.find(({ country }) => country === choice.country)?.areas ?? [];
  const broken = countries.error ?? failed;
  const added = taken.filter(({ day }) => draft.days.get(day)?.working !== false).length;
  const toggle = (day: string) => {
    const next = new Set(left);
    if (!next.delete(day)) next.add(day);
    setLeft(next);
  };
  const year = (which: "from" | "to") => (
    <NumberInput
      label={t(which)}
      allowDecimal={false}
      allowNegative={false}
      min={holidayYearMin}
      max={holidayYearMax}
      clampBehavior="none"
      value={choice[which]}
      error={takeover.yearsWrong}
      aria-describedby={takeover.yearsWrong ? "takeover-years" : undefined}
      onChange={(value) => {
        choose({ ...choice, [which]: value });
        if (which === "from" && typeof value === "number" && value >= holidayYearMin && value <= holidayYearMax) onYear(value);
      }}
    />
  );
  return (
    <aside className={classes.list} aria-label={t("title")}>
      <h2 className={classes.panelTitle}>{t("title")}</h2>
      <Select
        w="100%"
        label={t("country")}
        placeholder={t("chooseCountry")}
        searchable
        nothingFoundMessage={t("noCountry")}
        disabled={countries.isPending}
        data={(countries.data ?? []).map(({ country, name }) => ({ value: country, label: name }))}
        value={choice.country}
        onChange={(country) => choose({ ...choice, country, area: null })}
      />
      {areas.length > 0 ? (
        <Select
          w="100%"
          label={t("area")}
          placeholder={t("wholeCountry")}
          searchable
          clearable
          clearButtonProps={{ "aria-label": common("clear") }}
          data={areas.map(({ area, name }) => ({ value: area, label: name }))}
          value={choice.area}
          onChange={(area) => choose({ ...choice, area })}
        />
      ) : null}
      <div className={classes.years}>
        {year("from")}
        {year("to")}
      </div>
      {takeover.yearsWrong ? (
        <p id="takeover-years" className={classes.refusal} role="alert">
          {t("yearsWrong", { min: String(holidayYearMin), max: String(holidayYearMax), count: holidayYearsMax })}
        </p>
      ) : null}
      {broken ? (
        <ErrorPanel title={t("failed")} failed={broken} onRetry={() => (countries.isError ? countries.refetch() : takeover.again())} />
      ) : choice.country && !takeover.yearsWrong ? (
        <section aria-label={t("found")} aria-busy={takeover.loading}>
          {holidays.length === 0 ? (
            <p className={classes.none}>{t(takeover.loading ? "loading" : "none")}</p>
          ) : (
            <>
              <Checkbox
                size="xs"
                classNames={{ label: classes.check ?? "" }}
                label={t("all", { count: taken.length, total: holidays.length })}
                checked={left.size === 0}
                indeterminate={left.size > 0 && taken.length > 0}
                onChange={() => setLeft(left.size === 0 ? new Set(holidays.map(({ day }) => day)) : new Set())}
              />
              <ul className={classes.holidays}>
                {holidays.map(({ day, name, note }) => (
                  <li key={day}>
                    <Checkbox
                      size="xs"
                      classNames={{ label: classes.check ?? "", description: classes.check ?? "" }}
                      label={`${day} ${name}`}
                      description={
                        [note, draft.days.get(day)?.working === false ? t("already") : null].filter(Boolean).join("; ") || undefined
                      }
                      checked={!left.has(day)}
                      onChange={() => toggle(day)}
                    />
                  </li>
                ))}
              </ul>
            </>
          )}
        </section>
      ) : null}
      <p className={classes.none}>{t("moved")}</p>
      <div className={classes.foot}>
        <Button onClick={takeover.close}>{common("cancel")}</Button>
        <Button
          variant="filled"
          disabled={added === 0 || takeover.loading || broken !== null}
          onClick={() => {
            onTake(withHolidays(draft, taken));
            takeover.close();
          }}
        >
          {t("take", { count: added })}
        </Button>
      </div>
      <p className={classes.credit}>{t("credit")}</p>
    </aside>
  );
}
