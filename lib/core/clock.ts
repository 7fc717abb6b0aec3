const dayMs = 86_400_000;
const epoch = Date.UTC(2000, 0, 1);

/** First and last day a plan date may hold, as day numbers (2000-01-02 and 2089-09-17). */
export const firstDay = 1;
export const lastDay = 32_767;

/**
 * Day number of an ISO day: days since 2000-01-01, 0 for empty. Not limited to the range of a plan date, so that a rule can refuse what lies outside.
 * @throws RangeError when the text is no calendar day in the form yyyy-MM-dd
 */
export function dayNumber(iso: string | null | undefined): number {
  if (!iso) return 0;
  const known = knownNumbers.get(iso);
  if (known !== undefined) return known;
  if (!isIsoDay(iso)) throw new RangeError(`not a day: ${iso}`);
  const day = Math.round((Date.parse(`${iso}T00:00:00Z`) - epoch) / dayMs);
  if (day >= firstDay && day <= lastDay) knownNumbers.set(iso, day);
  return day;
}

// The days of plans are few and asked for a thousandfold, in both directions.
const knownDays: string[] = [];
const knownNumbers = new Map<string, number>();

/** ISO day of a day number; null for 0. */
export function isoDay(day: number): string | null {
  if (day === 0) return null;
  const known = knownDays[day];
  if (known !== undefined) return known;
  const iso = new Date(epoch + day * dayMs).toISOString().slice(0, 10);
  if (day >= firstDay && day <= lastDay) knownDays[day] = iso;
  return iso;
}

/** Whether the text is an existing calendar day in the form yyyy-MM-dd. */
export function isIsoDay(text: string): boolean {
  if (knownNumbers.has(text)) return true;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))];
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return day >= 1 && day <= (month === 2 && leap ? 29 : (monthDays[month - 1] ?? 0));
}

const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** The day `days` after an ISO day (negative: before). */
export function addDays(iso: string, days: number): string {
  return new Date(Date.parse(`${iso}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** The same day of the month `months` later, or the last day of that month where it has none. */
export function addMonths(iso: string, months: number): string {
  const [year, month, day] = iso.split("-").map(Number) as [number, number, number];
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, last))).toISOString().slice(0, 10);
}

/** Day of the week of a day number, 0 = Sunday (2000-01-01 was a Saturday). */
export function weekday(day: number): number {
  return (((day + 6) % 7) + 7) % 7;
}

/**
 * Wall clock of a project as a Date whose UTC fields are the local ones: UTC + 8 h + offset to Beijing.
 * @param offset hours relative to Beijing time, a multiple of a quarter
 */
export function projectTime(now: Date, offset: number): Date {
  return new Date(now.getTime() + (8 + offset) * 3_600_000);
}

/** The project's day at a moment, as ISO day. */
export function projectToday(now: Date, offset: number): string {
  return projectTime(now, offset).toISOString().slice(0, 10);
}

/** The moment at which a project's wall clock shows the local time: the inverse of `projectTime`. */
export function projectMoment(local: Date, offset: number): Date {
  return new Date(local.getTime() - (8 + offset) * 3_600_000);
}
