import { describe, expect, test } from "vitest";
import {
  formatBytes,
  formatDay,
  formatMinute,
  formatMoment,
  formatNumber,
  formatRange,
  formatShare,
  formatSpan,
  formatWeek,
} from "#lib/core/format.ts";

const moment = "2026-10-14T09:41:08Z";

describe("what people read", () => {
  test.each([
    ["a moment in Beijing time [SES-08]", formatMoment(moment, 0), "2026-10-14 17:41:08"],
    ["a moment of a project six hours behind Beijing", formatMoment(new Date(moment), -6), "2026-10-14 11:41:08"],
    ["a moment half an hour off", formatMoment(moment, -2.5), "2026-10-14 15:11:08"],
    ["to the minute", formatMinute(moment, 0), "2026-10-14 17:41"],
    ["the project's day", formatDay("2026-10-14T17:00:00Z", 0), "2026-10-15"],
    ["no moment", formatMoment(null, 0), "-"],
    ["no moment that exists", formatMoment("soon", 0), "-"],
    ["a range", formatRange("2026-09-01", "2026-11-30"), "2026-09-01 – 2026-11-30"],
    ["an open range", formatRange("2026-09-01", null), "2026-09-01 – -"],
    ["a week", formatWeek("2026-10-14"), "2026-W42"],
    ["the last days of a year belong to the first week", formatWeek("2025-12-29"), "2026-W01"],
    ["the first days of a year belong to the last week", formatWeek("2027-01-01"), "2026-W53"],
    ["thousands", formatNumber(10_000), "10,000"],
    ["no number", formatNumber(null), "-"],
    ["a share", formatShare(1318, 2486), "53.02\u00a0%"],
    ["a share of nothing", formatShare(0, 0), "-"],
    ["bytes", formatBytes(999), "999\u00a0B"],
    ["megabytes", formatBytes(1_440_000), "1.4\u00a0MB"],
    ["seconds", formatSpan(42_000), "0:42"],
    ["hours", formatSpan(3_725_000), "1:02:05"],
  ])("%s", (_name, made, expected) => {
    expect(made).toBe(expected);
  });
});
