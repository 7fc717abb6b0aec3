import fc from "fast-check";
import { expect, it } from "vitest";
import { coordinateDecimals, duChars, longitudeMax } from "#lib/rollout-plan/dus/limits.ts";
import { duFields, siteFields } from "#lib/rollout-plan/dus/schema.ts";

it("takes texts up to their bound, trimmed, and a blank one as no value", () => {
  const { name, projectCode } = duFields;
  expect(name.safeParse("塔".repeat(duChars.name)).success).toBe(true);
  expect(name.safeParse("塔".repeat(duChars.name + 1)).success).toBe(false);
  expect(name.parse("\u3000塔 ")).toBe("塔");
  expect(name.safeParse("  ").success).toBe(false);
  expect(projectCode.safeParse("P".repeat(duChars.projectCode)).success).toBe(true);
  expect(projectCode.safeParse("P".repeat(duChars.projectCode + 1)).success).toBe(false);
  expect([projectCode.parse(" P-1 "), projectCode.parse(" "), projectCode.parse(""), projectCode.parse(null)]).toEqual([
    "P-1",
    null,
    null,
    null,
  ]);
});

it("takes coordinates inside their bounds and drops what lies beyond ten centimetres", () => {
  const { longitude } = siteFields;
  expect(longitude.parse(longitudeMax)).toBe(longitudeMax);
  expect(longitude.safeParse(longitudeMax + 1e-6).success).toBe(false);
  expect(longitude.safeParse(-longitudeMax - 1e-6).success).toBe(false);
  expect(longitude.safeParse(Number.NaN).success).toBe(false);
  expect(Object.is(longitude.parse(-0), 0)).toBe(true);
  expect(longitude.parse(120.12345678)).toBe(120.123457);
  fc.assert(
    fc.property(
      fc.oneof(
        fc.double({ min: -180, max: 180, noNaN: true }),
        fc.integer({ min: -180e6, max: 180e6 }).map((n) => n / 1e6),
      ),
      (value) => {
        expect(longitude.parse(value)).toBe(Number(value.toFixed(coordinateDecimals)));
      },
    ),
    { numRuns: 2_000 },
  );
});
