import { describe, expect, it } from "vitest";
import { z } from "zod";
import { locales } from "#lib/core/locale.ts";
import { numberFault } from "#lib/core/number-fault.ts";
import { errorText } from "#lib/core/texts.ts";
import { zodProblems } from "#lib/core/zod-problems.ts";
import { canonicalValue } from "#lib/rollout-plan/columns/logic.ts";
import { duFields } from "#lib/rollout-plan/dus/schema.ts";

const texts = {
  NUMBER_NEGATIVE: ["请输入 0 或正数", "Enter 0 or a positive number", "0 または正の数を入力してください"],
  NUMBER_INTEGER: ["请输入整数", "Enter an integer", "整数を入力してください"],
  STEP_HALF: ["请输入 0.5 的倍数", "Enter a multiple of 0.5", "0.5 の倍数を入力してください"],
  NUMBER_DECIMALS: ["请输入最多 2 位小数的数值", "Enter a value with 2 decimals at most", "小数点以下 2 桁までの値を入力してください"],
};

describe("a number is refused with what it has to be [OPS-26]", () => {
  it.each([
    [0, { min: 0, max: 10, decimals: 2 }, undefined],
    [-0.01, { min: 0, max: 10, decimals: 2 }, "NUMBER_NEGATIVE"],
    [-1, { min: -1, max: 10, decimals: 0 }, undefined],
    [-1.5, { min: -2, max: 10, decimals: 0 }, "NUMBER_INTEGER"],
    [7, { min: 0, max: 10, decimals: 0 }, undefined],
    [7.5, { min: 0, max: 10, decimals: 0 }, "NUMBER_INTEGER"],
    [1.25, { min: 0.01, max: 10, decimals: 2 }, undefined],
    [1.255, { min: 0.01, max: 10, decimals: 2 }, "NUMBER_DECIMALS"],
    [10.01, { min: 0, max: 10, decimals: 2 }, "NUMBER_RANGE"],
    [0.009, { min: 0.01, max: 10, decimals: 2 }, "NUMBER_RANGE"],
    [Number.NaN, { min: 0, max: 10, decimals: 2 }, "NUMBER_RANGE"],
    [Number.POSITIVE_INFINITY, { min: 0, max: 10, decimals: 2 }, "NUMBER_RANGE"],
    [2.5, { min: 0, max: 10, decimals: 2, step: 0.5 }, undefined],
    [2.25, { min: 0, max: 10, decimals: 2, step: 0.5 }, "STEP_HALF"],
    [0.3, { min: 0, max: 10, decimals: 2, step: 0.1 }, undefined],
  ])("%d within %j: %s", (value, bounds, code) => expect(numberFault(value, bounds)?.code).toBe(code));

  const problem = (schema: z.ZodType, value: unknown) => {
    const parsed = schema.safeParse(value);
    return parsed.success ? undefined : zodProblems(parsed.error, value)[0];
  };

  it.each([
    ["the quantity of a DU", () => problem(duFields.valueQty, 1.234), "NUMBER_DECIMALS"],
    ["the priority of a DU", () => problem(duFields.clusterPriority, 1.5), "NUMBER_INTEGER"],
    ["a number that may be 0", () => problem(z.int().min(0), -1), "NUMBER_NEGATIVE"],
    [
      "a number attribute",
      () => canonicalValue({ type: "NUMBER", limit: { min: 0 }, enumIds: [] }, "-1") as { code: string; params: object },
      "NUMBER_NEGATIVE",
    ],
  ] as const)("%s, in every language", (_, refused, code) => {
    const { params } = refused() as { params: Record<string, number> };
    expect(refused()).toMatchObject({ code });
    expect(locales.map((locale) => errorText(locale, code, params))).toEqual(texts[code]);
  });

  it("and what is no number at all as such", () => expect(problem(duFields.clusterPriority, "a")).toMatchObject({ code: "VALUE_FORMAT" }));
});
