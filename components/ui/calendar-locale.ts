import "dayjs/locale/ja";
import "dayjs/locale/zh-cn";
import { useLocale } from "next-intl";

/** Name of the page's language for calendars: months and days of the week. */
export function useCalendarLocale(): string {
  const locale = useLocale();
  return locale === "zh" ? "zh-cn" : locale;
}
