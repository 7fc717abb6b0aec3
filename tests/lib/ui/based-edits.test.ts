import { describe, expect, it } from "vitest";
import { rebased, withGiven, withoutSaved } from "#components/ui/based-edits.ts";

const stored = (values: Record<string, string>) => (key: string) => values[key] ?? "";

describe("edits that are not saved yet", () => {
  it("keep what stood in their place when they were first given; one that is stored already is none", () => {
    const first = withGiven(new Map(), [["a", "1"]], stored({ a: "0" }));
    expect([...first]).toEqual([["a", { value: "1", base: "0" }]]);
    // Read again meanwhile: the base stays.
    const second = withGiven(first, [["a", "2"]], stored({ a: "9" }));
    expect([...second]).toEqual([["a", { value: "2", base: "0" }]]);
    expect(withGiven(second, [["a", "9"]], stored({ a: "9" })).size).toBe(0);
    expect([...first]).toEqual([["a", { value: "1", base: "0" }]]);
  });

  it("stand upon what is stored once that was shown, with what was given meanwhile", () => {
    const edits = new Map([["a", { value: "2", base: "0" }]]);
    expect([...rebased(edits, ["a", "gone"], stored({ a: "9" }))]).toEqual([["a", { value: "2", base: "9" }]]);
  });

  it("are dropped by a save as far as they were sent; what was given since remains, upon what was saved", () => {
    const sent = new Map([
      ["a", { value: "1", base: "0" }],
      ["b", { value: "1", base: "0" }],
    ]);
    const now = new Map([...sent, ["b", { value: "2", base: "0" }], ["c", { value: "3", base: "" }]]);
    expect([...withoutSaved(now, sent)]).toEqual([
      ["b", { value: "2", base: "1" }],
      ["c", { value: "3", base: "" }],
    ]);
    // Taken back while the save ran: there is no edit, and what was saved is shown.
    expect(withoutSaved(new Map(), sent).size).toBe(0);
  });
});
