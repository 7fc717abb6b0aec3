import { describe, expect, it } from "vitest";
import { useDatabase } from "../../../support/database.ts";
import { planCalls, usePlanProject } from "../../../support/plan-project.ts";

const db = useDatabase();
const project = usePlanProject(db);
const { call } = planCalls(db, project);

describe("resSetting/save [RES-20]", () => {
  const cases: [field: string, days: number, code: string | null][] = [
    ["availabilityInactiveDays", 29, "NUMBER_RANGE"],
    ["availabilityInactiveDays", 30, null],
    ["availabilityInactiveDays", 1000, null],
    ["availabilityInactiveDays", 1001, "NUMBER_RANGE"],
    ["availabilityInactiveDays", 30.5, "NUMBER_INTEGER"],
    ["presenceInactiveDays", 14, "NUMBER_RANGE"],
    ["presenceInactiveDays", 15, null],
    ["presenceInactiveDays", 1000, null],
    ["presenceInactiveDays", 1001, "NUMBER_RANGE"],
  ];
  it.each(cases)("%s of %d", async (field, days, code) => {
    const { rowVersion } = (await call(project.pm, "resSetting/find")).data;
    const answer = await call(project.pm, "resSetting/save", { [field]: days, rowVersion });
    expect(answer.problems?.[0]?.code ?? null).toBe(code);
    if (code === null) expect((await call(project.viewer, "resSetting/find")).data[field]).toBe(days);
    else expect((await call(project.pm, "resSetting/save", { [field]: 100, rowVersion: rowVersion + 9 })).code).toBe("STALE");
  });
});
