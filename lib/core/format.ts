import { projectTime } from "./clock.ts";

/** What stands for a value that is not there. */
export const emptyText = "-";

const nbsp = "\u00a0";

type Moment = Date | string | number | null | undefined;

function local(moment: Moment, offset: number): string | null {
  if (moment === null || moment === undefined || moment === "") return null;
  const date = moment instanceof Date ? moment : new Date(moment);
  return Number.isNaN(date.getTime()) ? null : projectTime(date, offset).toISOString();
}

/**
 * A moment in project time: `2026-10-14 17:41:08`.
 * @param offset the project's hours relative to Beijing time
 */
export function formatMoment(moment: Moment, offset: number): string {
  return local(moment, offset)?.slice(0, 19).replace("T", " ") ?? emptyText;
}

/** A moment in project time to the minute: `2026-10-14 17:41`. */
export function formatMinute(moment: Moment, offset: number): string {
  return local(moment, offset)?.slice(0, 16).replace("T", " ") ?? emptyText;
}

/** The project's day of a moment: `2026-10-14`. */
export function formatDay(moment: Moment, offset: number): string {
  return local(moment, offset)?.slice(0, 10) ?? emptyText;
}

/** Two days as a range, both in full: `2026-09-01 – 2026-11-30`. */
export function formatRange(from: string | null | undefined, to: string | null | undefined): string {
  return from || to ? `${from || emptyText} – ${to || emptyText}` : emptyText;
}

/** ISO week of a day: `2026-W42`. */
export function formatWeek(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  const thursday = new Date(date.getTime() + (3 - ((date.getUTCDay() + 6) % 7)) * 86_400_000);
  const first = Date.UTC(thursday.getUTCFullYear(), 0, 1);
  const week = Math.floor((thursday.getTime() - first) / 604_800_000) + 1;
  return `${thursday.getUTCFullYear()}-W${String(week).padStart(2, "0")}`;
}

/** A number with thousands: `10,000`; the same in every language. */
export function formatNumber(value: number | null | undefined, decimals?: number): string {
  if (value === null || value === undefined || Number.isNaN(value)) return emptyText;
  return value.toLocaleString("en-US", { minimumFractionDigits: decimals ?? 0, maximumFractionDigits: decimals ?? 2 });
}

/** A share as percentage with two decimals: `53.02 %`; nothing of nothing is empty. */
export function formatShare(part: number, whole: number, decimals = 2): string {
  return whole === 0 ? emptyText : `${formatNumber((part / whole) * 100, decimals)}${nbsp}%`;
}

/** A size in bytes: `1.4 MB`. */
export function formatBytes(bytes: number | null | undefined): string {
  if (bytes === null || bytes === undefined) return emptyText;
  const units = ["B", "kB", "MB", "GB"];
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log(bytes) / Math.log(1000)));
  return `${formatNumber(bytes / 1000 ** step, step === 0 ? 0 : 1)}${nbsp}${units[step]}`;
}

/** A span of time: `0:42`, `12:05`, `1:02:05`. */
export function formatSpan(milliseconds: number | null | undefined): string {
  if (milliseconds === null || milliseconds === undefined) return emptyText;
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  const two = (part: number) => String(part).padStart(2, "0");
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** A role as people read it: `COMMON VIEW` for the code `COMMON_VIEW`. The names of roles are the same in every language. */
export const roleName = (role: string): string => role.replaceAll("_", " ");
