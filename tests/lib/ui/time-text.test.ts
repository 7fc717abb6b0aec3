import { expect, test } from "vitest";
import { movedTime, readTime } from "#components/ui/time-text.ts";

test.each([
  ["8", "08:00"],
  ["08:30", "08:30"],
  ["0830", "08:30"],
  ["830", "08:30"],
  ["8:05", "08:05"],
  ["23:59", "23:59"],
  ["00:00", "00:00"],
  ["24:00", null],
  ["12:60", null],
  ["8:5", null],
  ["", null],
  ["8am", null],
])("%s is read as %s", (typed, time) => {
  expect(readTime(typed)).toBe(time);
});

test("a time is moved around midnight", () => {
  expect(movedTime("23:50", 15)).toBe("00:05");
  expect(movedTime("00:05", -15)).toBe("23:50");
});
