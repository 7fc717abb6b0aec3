import { beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeResource, makeSubcontractor, makeUser } from "../../../support/factories.ts";
import { makeDus } from "../../../support/plan-factories.ts";
import { planCalls, usePlanProject } from "../../../support/plan-project.ts";

const db = useDatabase();
const project = usePlanProject(db);
const { call, install } = planCalls(db, project);
let du: number;
let company: number;

beforeAll(async () => {
  company = await makeSubcontractor(db.owner, project.id);
  [du] = (await makeDus(db.owner, project.id, [{ subcontractorId: company }])) as [number];
  await db.owner`update customer_site set longitude = 113, latitude = 23 where project_id = ${project.id}`;
  const crew = async (
    name: string,
    set: { skills?: string[]; longitude?: number; type?: string; availability?: string; company?: number },
  ) => {
    const user = await makeUser(db.owner, { name, kind: set.company ? "subcontractor" : "employee" });
    const id = await makeResource(db.owner, project.id, user.id, set.company ? { subcontractorId: set.company } : {});
    await db.owner`
      update resource set skills = ${set.skills ?? []}, longitude = ${set.longitude ?? null}, latitude = ${set.longitude === undefined ? null : 23},
        availability = ${set.availability ?? "Y"} where id = ${id}`;
  };
  await crew("Near", { skills: ["Rigging"], longitude: 113 });
  await crew("Far", { skills: ["rigging"], longitude: 116 });
  await crew("Plain", { longitude: 113 });
  await crew("Off", { skills: ["Rigging"], longitude: 113, availability: "N" });
  await crew("Crew", { skills: ["Rigging"], longitude: 113, company });
});

const find = async (more: Record<string, unknown> = {}, user = project.pm) =>
  (await call(user, "resource/candidates", { activityId: install(), duIds: [du], ...more })).data as {
    name: string;
    score: number;
    skill: string | null;
    type: string;
    distanceKm: number | null;
  }[];
const among = async (more: Record<string, unknown> = {}, user = project.pm) =>
  (await find(more, user)).map(({ name }) => name).filter((name) => ["Near", "Far", "Plain", "Off", "Crew"].includes(name));

describe("resource/candidates", () => {
  it("offers people with account, type, skill, distance and score, the best first [RES-10]", async () => {
    const names = await among({ skill: "Rigging" });
    expect([names.slice(0, 2).sort(), names.slice(2)]).toEqual([
      ["Crew", "Near"],
      ["Far", "Plain"],
    ]);
    const near = (await find({ skill: "Rigging" })).find(({ name }) => name === "Near");
    expect(near).toMatchObject({ type: "OWN", skill: "Rigging", distanceKm: 0, score: 96 });
    expect((await find()).find(({ name }) => name === "Plain")).toMatchObject({ skill: null, score: 96 });
    expect(await among({ skill: "Rigging", all: true })).toContain("Off");
  });

  it("keeps to what the assignment of the activity says [RES-06]", async () => {
    const save = (row: Record<string, unknown>, rowVersion: number) =>
      call(project.pm, "assignaResource/save", {
        rows: [{ activityId: install(), types: ["OWN"], requiredSkill: null, maxDistanceKm: null, rowVersion, ...row }],
      });
    expect((await save({}, 0)).data).toMatchObject([{ types: ["OWN"], rowVersion: 1 }]);
    expect(await among()).not.toContain("Crew");
    expect((await save({}, 0)).code).toBe("STALE");
    await save({ maxDistanceKm: 100.5, requiredSkill: "Rigging" }, 1);
    expect(await among()).toEqual(["Near", "Plain"]);
    expect((await save({ maxDistanceKm: 1.25 }, 2)).problems?.[0]?.code).toBe("NUMBER_DECIMALS");
    const rows = (await call(project.viewer, "assignaResource/find")).data as { activityId: number; types: string[] }[];
    expect(rows.find(({ activityId }) => activityId !== install())?.types).toEqual(["OWN", "LEASE", "SUBCONTRACT", "CUSTOMER"]);
    await save({ types: ["OWN", "SUBCONTRACT"] }, 2);
  });

  it("offers a person of a company his own people alone, for DUs he reaches", async () => {
    const manager = await makeMember(db.owner, project.id, "SUBCON_PM");
    await makeResource(db.owner, project.id, manager.id, { subcontractorId: company });
    expect((await find({}, manager)).map(({ name }) => name).sort()).toEqual(["Crew", manager.name].sort());
    const [foreign] = await makeDus(db.owner, project.id, [{}]);
    expect((await call(manager, "resource/candidates", { activityId: install(), duIds: [foreign] })).code).toBe("DU_EMPTY");
  });
});
