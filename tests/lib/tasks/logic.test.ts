import { describe, expect, test } from "vitest";
import { attachment, beginsAs, uploadType } from "#lib/tasks/logic.ts";

const zip = Uint8Array.from([0x50, 0x4b, 0x03, 0x04, 1, 2]);
const text = new TextEncoder().encode("a,b\n1,2\n");

describe("[OPS-15] the type of an upload", () => {
  test.each([
    ["plan.xlsx", undefined, "xlsx"],
    ["plan.XLSM", undefined, "xlsm"],
    ["sites.csv", "sites", "csv"],
    ["sites.csv", "dus", "csv"],
    ["sites.csv", "plan", null],
    ["sites.csv", undefined, null],
    ["plan.xls", undefined, null],
    ["plan.xlsb", undefined, null],
    ["plan.xlsx.exe", undefined, null],
    ["plan", undefined, null],
    ["plan.constructor", undefined, null],
  ])("%s for %s is %s", (name, kind, type) => {
    expect(uploadType(name, kind)).toBe(type);
  });

  test.each([
    ["a zip package", "xlsx", zip, true],
    ["a zip package", "xlsm", zip, true],
    ["text", "xlsx", text, false],
    ["text", "csv", text, true],
    ["a zip package", "csv", zip, false],
    ["bytes with a zero", "csv", Uint8Array.from([65, 0, 66]), false],
    ["nothing", "csv", new Uint8Array(), false],
    ["nothing", "xlsx", new Uint8Array(), false],
  ] as const)("%s as %s", (_, type, bytes, taken) => {
    expect(beginsAs(type, bytes)).toBe(taken);
  });
});

describe("the name of a download", () => {
  test.each([
    ["plan.xlsx", `attachment; filename="plan.xlsx"; filename*=UTF-8''plan.xlsx`],
    ["计划.xlsx", `attachment; filename="__.xlsx"; filename*=UTF-8''%E8%AE%A1%E5%88%92.xlsx`],
    [`a"; x="b\r\n.csv`, `attachment; filename="a_; x=_b__.csv"; filename*=UTF-8''a%22%3B%20x%3D%22b%0D%0A.csv`],
    ["it's (1)*.csv", `attachment; filename="it's (1)*.csv"; filename*=UTF-8''it%27s%20%281%29%2A.csv`],
  ])("%j", (name, header) => {
    expect(attachment(name)).toBe(header);
  });
});
