"use client";
import { DateInput } from "@mantine/dates";
import "#components/ui/dates.css";
import "dayjs/locale/ja";
import "dayjs/locale/zh-cn";
import { useLocale, useTranslations } from "next-intl";
import { useCalendarLabels } from "./use-calendar-labels.ts";

type Props = {
  id?: string;
  /** ISO day, empty for none. */
  value: string;
  onChange: (day: string) => void;
  "aria-label"?: string;
  "aria-describedby"?: string;
  error?: boolean;
  clearable?: boolean;
};

/** A day typed or picked, shown as 2026-10-14 in every language. */
export function DayInput({ value, onChange, clearable = false, ...rest }: Props) {
  const locale = useLocale();
  const t = useTranslations("common");
  const ariaLabels = useCalendarLabels();
  return (
    <DateInput
      {...rest}
      ariaLabels={ariaLabels}
      w={128}
      value={value || null}
      valueFormat="YYYY-MM-DD"
      locale={locale === "zh" ? "zh-cn" : locale}
      firstDayOfWeek={0}
      placeholder="2026-10-14"
      clearable={clearable}
      clearButtonProps={{ "aria-label": t("clear") }}
      onChange={(day) => onChange(day ?? "")}
    />
  );
}
