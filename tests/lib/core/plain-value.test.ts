import fc from "fast-check";
import { expect, it } from "vitest";
import { z } from "zod";
import { isPlainText, plainList, plainValue } from "#lib/core/plain-value.ts";
import { CellValue, EditColumns } from "#lib/rollout-plan/edits/schema.ts";

const item = z.union([z.string().max(3), z.number(), z.null()]);
const isPlain = (value: unknown) => (typeof value === "string" ? value.length <= 3 : value === null || Number.isFinite(value));
const quick = z.strictObject({ list: plainList(item, isPlain) });
const usual = z.strictObject({ list: z.array(item) });

it("says of any list what the parser says", () => {
  const value = fc.oneof(
    fc.string({ maxLength: 5 }),
    fc.double(),
    fc.constant(null),
    fc.constant(undefined),
    fc.boolean(),
    fc.array(fc.nat()),
  );
  fc.assert(
    fc.property(fc.oneof(fc.array(value, { maxLength: 6 }), value, fc.object()), (list) => {
      const [own, other] = [quick.safeParse({ list }), usual.safeParse({ list })];
      expect(own.success).toBe(other.success);
      expect(own.data).toEqual(other.data);
      expect(own.error?.issues).toEqual(other.error?.issues);
    }),
    { numRuns: 500 },
  );
});

it("takes of edited cells what the parser takes of a cell", () => {
  const value = fc.oneof(
    fc.string(),
    fc.double(),
    fc.boolean(),
    fc.constantFrom(null, undefined, 0, -1, {}),
    fc.array(fc.integer({ min: -1 })),
  );
  fc.assert(
    fc.property(fc.array(value, { maxLength: 4 }), (values) => {
      const columns = { field: "name", duIds: values.map(() => 1), activityIds: values.map(() => null), values, bases: values };
      const [own, other] = [EditColumns.safeParse(columns), z.array(CellValue).safeParse(values)];
      expect(own.success).toBe(other.success);
      if (own.success) expect(own.data.values).toEqual(other.data);
    }),
    { numRuns: 500 },
  );
});

it("is described as the list it is", () => {
  expect(z.toJSONSchema(quick)).toEqual(z.toJSONSchema(usual));
});

it("takes texts of edited cells up to their bound, and names the one beyond it", () => {
  const columns = (text: string) => ({ field: "name", duIds: [1, 2], activityIds: [null, null], values: ["a", text], bases: [null, "b"] });
  expect(EditColumns.safeParse(columns("x".repeat(5_000))).success).toBe(true);
  const refused = EditColumns.safeParse(columns("x".repeat(5_001)));
  expect(refused.error?.issues[0]?.path).toEqual(["values", 1]);
  for (const duIds of [
    [1, 0],
    [1, 1.5],
    [1, "2"],
    [1, 2 ** 53],
  ])
    expect(EditColumns.safeParse({ ...columns("b"), duIds }).error?.issues[0]?.path, String(duIds)).toEqual(["duIds", 1]);
});

it("takes for a plain text only what trimming and its bounds leave as it is", () => {
  const text = z.string().trim().min(1).max(4);
  const quick = plainValue(z.string().trim().min(1).max(4), (value) => isPlainText(value, 4));
  const signs = fc.constantFrom(
    " ",
    "\t",
    "\u0085",
    "\u00a0",
    "\u1680",
    "\u200a",
    "\u2028",
    "\u3000",
    "\ufeff",
    "\u0000",
    "a",
    "塔",
    "😀",
    "\ufe0f",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(signs, { maxLength: 6 }).map((list) => list.join("")),
        fc.nat(),
        fc.constant(null),
      ),
      (value) => {
        const [own, other] = [quick.safeParse(value), text.safeParse(value)];
        expect([own.success, own.data]).toEqual([other.success, other.data]);
        if (isPlainText(value, 4)) expect(other.data).toBe(value);
      },
    ),
    { numRuns: 2_000 },
  );
  expect(isPlainText("塔站", 2)).toBe(true);
  expect(isPlainText("塔站一", 2)).toBe(false);
});
