import { describe, expect, test } from "vitest";
import { makespanBound, pathsOf } from "#lib/planning-engine/bounds/logic.ts";
import { destructiveBound } from "#lib/planning-engine/destructive-bounds/logic.ts";
import { searchProject } from "#lib/planning-engine/genetic/logic.ts";
import type { Project } from "#lib/planning-engine/model/logic.ts";
import { below, newRandom } from "#lib/planning-engine/random/logic.ts";
import { psplibFolder, readInstances } from "#tests/support/psplib.ts";

/** Jobs between source and sink, each with days and units of the one resource; relations by job. */
function projectOf(capacity: number, given: [days: number, units: number][], relations: [number, number][] = []): Project {
  const jobs = given.length + 2;
  const durations = Int32Array.from([0, ...given.map(([days]) => days), 0]);
  const outTo: number[] = [];
  const outLag: number[] = [];
  const outAt = new Int32Array(jobs + 1);
  for (let job = 0; job < jobs; job++) {
    for (let next = job + 1; next < jobs; next++)
      if (job === 0 || next === jobs - 1 || relations.some(([from, to]) => from === job && to === next)) {
        outTo.push(next);
        outLag.push(durations[job]!);
      }
    outAt[job + 1] = outTo.length;
  }
  const demands = Int32Array.from([0, ...given.map(([, units]) => units), 0]);
  return { durations, capacities: Int32Array.of(capacity), demands, outAt, outTo: Int32Array.from(outTo), outLag: Int32Array.from(outLag) };
}

describe("the bound that refutes makespans", () => {
  test("jobs that cannot run side by side come one after the other", () => {
    // 2 + 2 + 2 days, no two of them together: work alone asks for 12 / 3 = 4 days.
    const project = projectOf(3, [
      [2, 2],
      [2, 2],
      [2, 2],
    ]);
    expect(makespanBound(project, pathsOf(project))).toBe(4);
    expect(destructiveBound(project, 8)).toBeGreaterThan(4);
  });

  test("is never above the best schedule, and ends where one is known", () => {
    const random = newRandom(11);
    for (let time = 0; time < 40; time++) {
      const relations = Array.from({ length: 6 }, () => [1 + below(random, 4), 5 + below(random, 4)] as [number, number]);
      const project = projectOf(
        4,
        Array.from({ length: 8 }, () => [1 + below(random, 5), 1 + below(random, 4)]),
        relations,
      );
      const { makespan } = searchProject(project, 500, 1);
      const bound = destructiveBound(project, makespan);
      expect(bound).toBeLessThanOrEqual(makespan);
      expect(bound).toBeGreaterThanOrEqual(makespanBound(project, pathsOf(project)));
    }
  });
});

const folder = psplibFolder();
if (!folder) console.warn("skipped: the public scheduling instances are not in SAMPLE_DATA");

test.skipIf(!folder)(
  "on public instances it is never above the best known makespan, and proves many more of them than the plain one",
  () => {
    const instances = readInstances(folder!, "j30").filter(({ replicate }) => replicate <= 2);
    let plain = 0;
    let refuting = 0;
    for (const { name, project, upper } of instances) {
      const bound = destructiveBound(project, upper);
      expect(bound, name).toBeLessThanOrEqual(upper);
      if (makespanBound(project, pathsOf(project)) === upper) plain++;
      if (bound === upper) refuting++;
    }
    expect(refuting).toBeGreaterThan(plain * 1.3);
  },
);
