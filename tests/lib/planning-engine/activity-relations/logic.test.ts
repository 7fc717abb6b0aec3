import { describe, expect, it } from "vitest";
import { nameText, predecessorText, readNames, readPredecessors } from "#lib/planning-engine/activity-relations/logic.ts";

describe("predecessors as text", () => {
  const given = [
    { activityName: "Site survey", relation: "FS", offsetDays: 0 },
    { activityName: "Pour SS mast", relation: "SF", offsetDays: -12 },
    { activityName: "Delivery", relation: "SS", offsetDays: 3 },
  ] as const;

  it("read back as they were written", () => {
    const text = predecessorText(given);
    expect(text).toBe("Site survey FS; Pour SS mast SF-12; Delivery SS+3");
    expect(readPredecessors(text!)).toEqual(given);
    expect(predecessorText([])).toBeNull();
  });

  it("are read as people type them, and without a relation where none was typed", () => {
    expect(readPredecessors(" Survey  fs + 2 ；\nDelivery;; ")).toEqual([
      { activityName: "Survey", relation: "FS", offsetDays: 2 },
      { activityName: "Delivery", relation: null, offsetDays: 0 },
    ]);
    expect(readNames("A; B\nC")).toEqual(["A", "B", "C"]);
    expect(nameText(["A", "B"])).toBe("A; B");
  });
});
