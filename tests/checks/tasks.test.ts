import { expect, test } from "vitest";
import { taskKinds } from "#jobs/tasks.ts";
import { readSource } from "#tests/support/source-files.ts";

/** Kinds that do in every attempt the same from the beginning: exports write a new file, a check its rows anew, and rules are judged anew. */
const anew = /[eE]xport|\.recheck$|^imports\.preview$/;

/** The others by the tests that take each up once more behind its last step. */
const takenUp: Record<string, string> = {
  "activityFlows.copyAttributes": "activity-flows/copies/calls",
  "activityFlows.replicate": "activity-flows/replications/calls",
  "activityFlows.runRules": "activity-flows/rule-runs/calls",
  "attributes.applyDefault": "attributes/calls",
  "attributes.import": "attributes/sheets/calls",
  "imports.apply": "imports/chunks",
  "owners.replace": "owners/replacement/calls",
  "owners.runRules": "owners/owner-runs/calls",
  "planRules.revert": "plan-rules/make-plan-rules",
  "planRules.run": "plan-rules/make-plan-rules",
  "planVersions.baseline": "plan-versions/calls",
  "planVersions.distribute": "plan-versions/distributions/calls",
  "planVersions.restore": "plan-versions/restores/calls",
  "planningEngine.apply": "planning-engine/outputs/calls",
  "planningEngine.import": "planning-engine/sheets/calls",
  "planningEngine.run": "planning-engine/runs/calls",
  "planningEngine.sync": "planning-engine/inventory-sync/calls",
  "scheduling.release": "scheduling/releases/calls",
  "workOrders.na": "work-orders/na-requests/calls",
};

/** Its files marked anew are others each time: the test says itself what stays. */
const byItself = ["duTabs.import"];

test("every background task that changes something is taken up once more behind its last step", () => {
  const changing = Object.keys(taskKinds).filter((kind) => !anew.test(kind));
  expect(changing.sort()).toEqual([...Object.keys(takenUp), ...byItself].sort());
});

test.each(Object.entries(takenUp))("%s in the tests of %s", (_kind, area) => {
  const [folder, file] = [area.slice(0, area.lastIndexOf("/")), area.slice(area.lastIndexOf("/") + 1)];
  const name = file.startsWith("make-") ? `${file}.ts` : `${file}.test.ts`;
  expect(readSource(`tests/lib/${folder}/${name}`)).toContain("await expectSameWhenTakenUp(db, ");
});
