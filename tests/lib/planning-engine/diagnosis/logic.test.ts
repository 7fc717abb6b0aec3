import { describe, expect, test } from "vitest";
import { type KeptDiagnosis, limitDiagnoses } from "#lib/planning-engine/diagnosis/logic.ts";
import { diagnosisPerDu, diagnosisPerRun } from "#lib/planning-engine/runs/limits.ts";

const rows = (count: number, duId: (at: number) => number | null, code = "FIXED_CONFLICT"): KeptDiagnosis[] =>
  Array.from({ length: count }, (_, at) => ({
    code,
    duId: duId(at),
    activity: `A${at}`,
    names: {},
    needed: null,
    available: null,
    relax: null,
  }));

describe("what is kept of a diagnosis", () => {
  test("the first rows of a DU, all of them counted; another DU has its own", () => {
    const exactly = limitDiagnoses(rows(diagnosisPerDu, () => 7));
    expect(exactly.rows).toHaveLength(diagnosisPerDu);
    const more = limitDiagnoses([...rows(diagnosisPerDu + 1, () => 7), ...rows(1, () => 8, "NO_TEAM")]);
    expect(more.rows.map(({ duId, activity }) => `${duId} ${activity}`)).toEqual([
      ...exactly.rows.map(({ duId, activity }) => `${duId} ${activity}`),
      "8 A0",
    ]);
    expect(more.counts).toEqual({ FIXED_CONFLICT: diagnosisPerDu + 1, NO_TEAM: 1 });
  });

  test("the first rows of a run, all of them counted; what names no DU counts with them", () => {
    expect(limitDiagnoses(rows(diagnosisPerRun, (at) => at)).rows).toHaveLength(diagnosisPerRun);
    const more = limitDiagnoses(rows(diagnosisPerRun + 1, (at) => (at % 2 ? at : null)));
    expect(more.rows).toHaveLength(diagnosisPerRun);
    expect(more.counts).toEqual({ FIXED_CONFLICT: diagnosisPerRun + 1 });
  });
});
