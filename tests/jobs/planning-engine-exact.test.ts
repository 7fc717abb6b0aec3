import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openExactStep } from "#jobs/planning-engine-exact.ts";
import { exactFolder } from "#lib/planning-engine/exact/queries.ts";
import { newModel } from "#lib/planning-engine/exact-model/logic.ts";
import { projectModel } from "#lib/planning-engine/exact-project/logic.ts";
import { searchProject } from "#lib/planning-engine/genetic/logic.ts";
import { scheduleFaults } from "#tests/support/project-check.ts";
import { psplibFolder, readInstances } from "#tests/support/psplib.ts";

const nowhere = mkdtempSync(join(tmpdir(), "milepost-no-exact-"));
afterAll(() => rmSync(nowhere, { recursive: true }));

test("without the solver there is no exact step, and one that does not run answers nothing", async () => {
  expect(exactFolder(nowhere)).toBeNull();
  writeFileSync(join(nowhere, "cp_sat_runtime_node.js"), "throw new Error('not a solver')");
  const step = openExactStep(nowhere, 1);
  expect((await step.solve(newModel(), 1)).status).toBe("unknown");
  await step.end();
});

const folder = exactFolder(resolve(".data"));
const sample = psplibFolder();
if (!folder) console.warn("skipped: the solver of the exact step is not installed (npm run get-exact)");

describe.skipIf(!folder || !sample)("the exact step", () => {
  const step = openExactStep(folder!, 1);
  afterAll(() => step.end());

  test("proves the makespan of the search optimal, or finds a shorter schedule", async () => {
    const { project, upper } = readInstances(sample!, "j30").find(({ name }) => name === "j305_2.sm")!;
    const none = await step.solve(projectModel(project, upper - 1)!, 20);
    expect(none.status).toBe("infeasible");
    const found = await step.solve(projectModel(project, upper)!, 20);
    expect(found.status).toBe("optimal");
    expect(scheduleFaults(project, Int32Array.from(found.values), found.values.at(-1)!)).toEqual([]);
    expect(searchProject(project, 5000, 1).makespan).toBe(upper);
  });

  test("is ended when it is told to, and answers the next question", async () => {
    const { project, upper } = readInstances(sample!, "j120").find(({ name }) => name === "j12011_1.sm")!;
    const began = performance.now();
    const answer = await step.solve(projectModel(project, upper - 1)!, 30, AbortSignal.timeout(200));
    expect(answer.status).toBe("unknown");
    expect(performance.now() - began).toBeLessThan(2000);
    expect((await step.solve(projectModel(project, upper + 40)!, 20)).status).toBe("optimal");
  });
});
