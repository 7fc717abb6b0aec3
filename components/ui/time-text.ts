const pattern = /^(\d{1,2})(?:[:：.]?([0-5]\d))?$/;

/** A time of the day as it may be typed (`8`, `8:30`, `0830`) as `HH:mm`; null when it is none. */
export function readTime(text: string): string | null {
  const [, hours, minutes = "00"] = pattern.exec(text.trim()) ?? [];
  return hours === undefined || Number(hours) > 23 ? null : `${hours.padStart(2, "0")}:${minutes}`;
}

/** A time some minutes later or earlier, around midnight too. */
export function movedTime(time: string, minutes: number): string {
  const [h = 0, m = 0] = time.split(":").map(Number);
  const total = (((h * 60 + m + minutes) % 1440) + 1440) % 1440;
  return `${String(Math.floor(total / 60)).padStart(2, "0")}:${String(total % 60).padStart(2, "0")}`;
}
