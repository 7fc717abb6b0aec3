import { expect, test } from "vitest";
import { addGap, addVariable, decodeAnswer, encodeModel, encodeSettings, newModel, sumOf } from "#lib/planning-engine/exact-model/logic.ts";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

test("a model is written as the solver's protocol has it", () => {
  const model = newModel();
  const one = addVariable(model, 0, 300);
  const other = addVariable(model, -2, 5);
  addGap(model, sumOf(one), 3, sumOf(other), [-1]);
  model.objective = sumOf(other);
  model.assumptions = [one];
  const minusOne = "ffffffffffffffffff01";
  expect(hex(encodeModel(model))).toBe(
    [
      // Two variables: 0..300 and -2..5.
      "1205",
      "1203",
      "00ac02",
      "120d",
      "120b",
      "feffffffffffffffff0105",
      // other - one in 3..2^52, while the complement of variable 0 is true.
      "1a2a",
      "120a",
      minusOne,
      "621c",
      "0a020100",
      `120b01${minusOne}`,
      "1a09",
      "038080808080808008",
      // The objective.
      "220f",
      "0a0101",
      "220101",
      "110000000000000000",
      // What is assumed.
      "3a0100",
    ].join(""),
  );
});

test("the settings name one worker, the seed and the seconds", () => {
  const settings = hex(encodeSettings({ seconds: 5, seed: 9, minimises: true }));
  expect(settings).toContain("f80109");
  expect(settings).toContain("a1020000000000001440");
  expect(settings.endsWith("f00c01")).toBe(true);
  // Linear relaxations are left out where nothing is to be made small.
  expect(settings).not.toContain("d00500");
  expect(hex(encodeSettings({ seconds: 5, seed: 9, minimises: false }))).toContain("d00500");
});

test("an answer is read past what is not asked for, and one that ends too early is refused", () => {
  const bytes = [
    ...[0x08, 4],
    ...[0x12, 3, 7, 0xac, 2],
    ...[0x19, 0, 0, 0, 0, 0, 0, 0x14, 0x40],
    ...[0x21, 0, 0, 0, 0, 0, 0, 0x10, 0x40],
    ...[0x58, 0xff, 1],
    ...[0xa2, 1, 2, 65, 66],
    ...[0xba, 1, 1, 3],
  ];
  expect(decodeAnswer(Uint8Array.from(bytes))).toEqual({ status: "optimal", values: [7, 300], objective: 5, bound: 4, conflict: [3] });
  expect(() => decodeAnswer(Uint8Array.from([0x12, 5, 1]))).toThrow("ends too early");
});
