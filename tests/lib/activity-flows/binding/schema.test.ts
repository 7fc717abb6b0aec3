import { expect, test } from "vitest";
import { BindDus } from "#lib/activity-flows/binding/schema.ts";
import { UnbindDus } from "#lib/activity-flows/changes/schema.ts";
import { zodProblems } from "#lib/core/zod-problems.ts";

const ids = (size: number) => Array.from({ length: size }, (_, at) => at + 1);

test.each([
  ["200 DUs", { duIds: ids(200), flowId: 1 }, []],
  ["201 DUs", { duIds: ids(201), flowId: 1 }, ["duIds TOO_MANY_DU"]],
  ["no DU", { duIds: [], flowId: 1 }, ["duIds NO_SELECTION"]],
  ["no flow", { duIds: [1] }, ["flowId VALUE_MISSING"]],
  ["a code instead of an id", { duIds: ["D1"], flowId: 1 }, ["duIds.0 VALUE_FORMAT"]],
])("bind: %s", (_title, input, expected) => {
  const parsed = BindDus.safeParse(input);
  expect(parsed.success ? [] : zodProblems(parsed.error, input).map(({ path, code }) => `${path} ${code}`)).toEqual(expected);
});

test("a DU named twice counts once", () => expect(UnbindDus.parse({ duIds: [3, 3, 4] })).toEqual({ duIds: [3, 4] }));
