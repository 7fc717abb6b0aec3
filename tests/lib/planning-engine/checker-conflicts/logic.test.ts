import { describe, expect, test } from "vitest";
import { confirmsConflict } from "#lib/planning-engine/checker-conflicts/logic.ts";
import { bestPlan } from "#tests/support/exhaustive-plan.ts";
import { makeProblem } from "#tests/support/planning-problem.ts";

const given = {
  horizon: 5,
  flows: [
    {
      name: "F",
      activities: [
        { name: "a", days: 2, team: "T" },
        { name: "b", days: 1, team: "T" },
      ],
      relations: [["a", "b", "FS", 0] as [string, string, "FS", number]],
    },
  ],
  pools: [{ skill: "T", teams: 1 }],
  dus: [{ flow: "F" }, { flow: "F" }],
};

describe("conflicts of jobs", () => {
  test("six team days do not fit into five, and none of the jobs is too many: as the exhaustive search says", () => {
    const problem = makeProblem(given);
    expect(bestPlan(problem)).toBeNull();
    expect(confirmsConflict(problem, [0, 1, 2, 3])).toBe(true);
    for (const without of [0, 1, 2, 3])
      expect(
        confirmsConflict(
          problem,
          [0, 1, 2, 3].filter((job) => job !== without),
        ),
      ).toBe(false);
  });

  test("a day more, a team more or a free week-end that others work on is no conflict", () => {
    expect(confirmsConflict(makeProblem({ ...given, horizon: 6 }), [0, 1, 2, 3])).toBe(false);
    expect(confirmsConflict(makeProblem({ ...given, pools: [{ skill: "T", teams: 2 }] }), [0, 1, 2, 3])).toBe(false);
    const rested = { ...given, horizon: 6, freeDays: [[3]] };
    expect(confirmsConflict(makeProblem(rested), [0, 1, 2, 3])).toBe(true);
  });

  test("kept jobs, unknown ones, too many and the same one twice confirm nothing", () => {
    const problem = makeProblem(given);
    expect(confirmsConflict(problem, [])).toBe(false);
    expect(confirmsConflict(problem, [0, 1, 2, 3, 3])).toBe(false);
    expect(confirmsConflict(problem, [0, 1, 2, 9])).toBe(false);
    const many = makeProblem({ ...given, horizon: 19, dus: Array.from({ length: 7 }, () => ({ flow: "F" })) });
    expect(
      confirmsConflict(
        many,
        Array.from({ length: 13 }, (_, job) => job),
      ),
    ).toBe(false);
    const kept = {
      ...given,
      dus: [{ flow: "F", kept: [{ activity: "a", state: "fixed" as const, start: 0, end: 2, pool: 0 }] }, { flow: "F" }],
    };
    expect(confirmsConflict(makeProblem(kept), [0, 1, 2, 3])).toBe(false);
  });

  test("what would take too long is not confirmed", () => {
    const wide = makeProblem({
      horizon: 60,
      flows: [{ name: "F", activities: [{ name: "a", days: 6, team: "T" }], relations: [] }],
      pools: [{ skill: "T", teams: 1 }],
      dus: Array.from({ length: 11 }, () => ({ flow: "F" })),
    });
    expect(
      confirmsConflict(
        wide,
        Array.from({ length: 11 }, (_, job) => job),
      ),
    ).toBe(false);
  });
});
