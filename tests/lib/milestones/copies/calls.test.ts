import { expect, it } from "vitest";
import { callAs } from "../../../support/call.ts";
import { useDatabase } from "../../../support/database.ts";
import { grantRole, makeProject } from "../../../support/factories.ts";
import { done } from "../../activity-flows/make-flow.ts";
import { milestone, useMilestones } from "../make-milestones.ts";

const db = useDatabase();
const { project, call, save, map, temporary } = useMilestones(db);

const target = async (role: "PM" | "TL" | null = "PM") => {
  const made = await makeProject(db.owner);
  if (role) await grantRole(db.owner, made.id, project.pm.id, role);
  return made.number;
};
const there = async (number: string) => (await done(callAs(project.pm, "milestoneConfig/list", {}, { project: number }))).records;
const saveThere = (number: string, name: string) =>
  done(callAs(project.pm, "milestoneConfig/save", { milestone: milestone(name) }, { project: number }));

it("copies milestones with their rows behind those of other projects; flows and temporary milestones stay behind", async () => {
  const temp = await temporary("Road works");
  const a = await save("A", { nameJa: "着工" }, [
    { target: "activity", dateField: "actual_end", weight: 5 },
    { deliveryType: "5G", target: "temp_milestone", tempMilestoneId: temp, dateField: "plan_end" },
  ]);
  await save("B", { enabled: false });
  await map(a, 1);
  const [one, two] = [await target(), await target()];
  await saveThere(two, "Z");
  expect(await done(call("milestoneConfig/copy", { toProjectNumbers: [one, two] }))).toEqual({
    done: [
      { projectNumber: one, milestones: 2 },
      { projectNumber: two, milestones: 2 },
    ],
    refused: [],
  });
  expect((await there(two)).map((row: { number: string; enabled: boolean }) => [row.number, row.enabled])).toEqual([
    ["Z", true],
    ["A", true],
    ["B", false],
  ]);
  expect((await there(one))[0]).toMatchObject({
    nameJa: "着工",
    mapping: [],
    infos: [{ deliveryType: null, target: "activity", weight: 5, dateField: "actual_end" }],
  });
});

it("refuses single projects: a used name, an eleventh milestone, no right, no membership, the project itself [MDV-20]", async () => {
  for (let n = 1; n <= 6; n++) await save(`M${n}`);
  const [named, full, lead, foreign, free] = [await target(), await target(), await target("TL"), await target(null), await target()];
  await saveThere(named, "m1");
  for (let n = 1; n <= 5; n++) await saveThere(full, `F${n}`);
  const answer = await done(call("milestoneConfig/copy", { toProjectNumbers: [named, full, lead, foreign, project.number, free] }));
  expect(answer).toEqual({
    done: [{ projectNumber: free, milestones: 6 }],
    refused: [
      { projectNumber: named, code: "NAME_EXISTS" },
      { projectNumber: full, code: "MILESTONE_LIMIT" },
      { projectNumber: lead, code: "NO_PERMISSION" },
      { projectNumber: foreign, code: "NOT_MEMBER" },
      { projectNumber: project.number, code: "NAME_EXISTS" },
    ],
  });
  expect(await there(full)).toHaveLength(5);
});

it("takes 20 projects a call and needs something to copy", async () => {
  const numbers = Array.from({ length: 21 }, (_, n) => `P-${n}`);
  expect((await call("milestoneConfig/copy", { toProjectNumbers: numbers })).status).toBe(400);
  expect(await call("milestoneConfig/copy", { toProjectNumbers: numbers.slice(1) })).toMatchObject({ code: "NO_DATA" });
});
