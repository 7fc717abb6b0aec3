import { beforeAll, describe, expect, it } from "vitest";
import { canEditPlan, type EditorFacts } from "#lib/owners/assignment/logic.ts";
import { editorOfAll, findEditors } from "#lib/owners/assignment/queries.ts";
import { type Role, roles } from "#lib/permissions.ts";
import { readStanding } from "#lib/rollout-plan/plan-rows/queries.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject, makeRegion } from "../../../support/factories.ts";
import { inProject } from "../../../support/plan-ctx.ts";
import { makeDuOwner, makeDus, setSwitch } from "../../../support/plan-factories.ts";

describe("canEditPlan", () => {
  const pm: EditorFacts = {
    mayEdit: true,
    general: true,
    dataControl: true,
    hasDuOwners: false,
    isDuOwner: false,
    hasRegionOwners: false,
    isRegionOwner: false,
  };
  const cases: [title: string, facts: EditorFacts, may: boolean][] = [
    ["without the right nobody", { ...pm, mayEdit: false, dataControl: false }, false],
    ["without data control the right decides", { ...pm, general: false, dataControl: false }, true],
    ["a DU with owners: not the PM", { ...pm, hasDuOwners: true }, false],
    ["a DU with owners: its owner", { ...pm, general: false, hasDuOwners: true, isDuOwner: true }, true],
    [
      "a DU with owners: not the region owner",
      { ...pm, general: false, hasDuOwners: true, hasRegionOwners: true, isRegionOwner: true },
      false,
    ],
    ["a region with owners: its owner", { ...pm, general: false, hasRegionOwners: true, isRegionOwner: true }, true],
    ["a region with owners: not the PM", { ...pm, hasRegionOwners: true }, false],
    ["neither: the PM", pm, true],
    ["neither: nobody else", { ...pm, general: false }, false],
  ];
  it.each(cases)("%s", (_title, facts, may) => {
    expect(canEditPlan(facts)).toBe(may);
  });
});

describe("findEditors", () => {
  const db = useDatabase();
  let number: string;
  let people: Record<"pm" | "pcm" | "one" | "two", Awaited<ReturnType<typeof makeMember>>>;
  let dus: number[];
  beforeAll(async () => {
    const project = await makeProject(db.owner);
    number = project.number;
    people = {
      pm: await makeMember(db.owner, project.id, "PM"),
      pcm: await makeMember(db.owner, project.id, "PCM"),
      one: await makeMember(db.owner, project.id, "COMMON_VIEW"),
      two: await makeMember(db.owner, project.id, "COMMON_VIEW"),
    };
    const north = await makeRegion(db.owner, project.id, "North");
    await db.owner`insert into region_owner (region_id, user_id) values (${north}, ${people.two.id})`;
    dus = await makeDus(db.owner, project.id, [{ regionId: north }, { regionId: north }, {}]);
    await makeDuOwner(db.owner, dus[0]!, people.one.id);
    await setSwitch(db.owner, project.id, "dataControl", "Y");
  });
  it("with data control on lets the DU's owner edit, else the region's, else the general roles [PRM-23]", async () => {
    const may = async (user: keyof typeof people) => {
      const editors = await inProject(people[user], number, (ctx) => findEditors(ctx, dus));
      return dus.map((id) => editors.get(id)?.plan);
    };
    expect(await may("pm")).toEqual([false, false, true]);
    expect(await may("pcm")).toEqual([false, false, true]);
    expect(await may("one")).toEqual([true, false, false]);
    expect(await may("two")).toEqual([false, true, false]);
  });
  it("knows who is related to a DU, and nothing of other projects' DUs", async () => {
    const other = await makeProject(db.owner);
    const [foreign] = await makeDus(db.owner, other.id, [{}]);
    const editors = await inProject(people.two, number, (ctx) => findEditors(ctx, [...dus, foreign!]));
    expect([...editors].map(([id, editor]) => [id, editor.related])).toEqual([
      [dus[0], true],
      [dus[1], true],
      [dus[2], false],
    ]);
  });
});

describe("editorOfAll", () => {
  const db = useDatabase();
  let projectId: number;
  let number: string;
  let dus: number[];
  const members = new Map<Role, Awaited<ReturnType<typeof makeMember>>>();
  beforeAll(async () => {
    ({ id: projectId, number } = await makeProject(db.owner));
    for (const role of roles) members.set(role, await makeMember(db.owner, projectId, role));
    const regionId = await makeRegion(db.owner, projectId, "South");
    dus = await makeDus(db.owner, projectId, [{ regionId }, {}]);
    await makeDuOwner(db.owner, dus[0]!, members.get("SITE_OWNER")!.id, "SITE_OWNER");
  });

  it.each(roles)("says of %s what is found on every DU, or nothing", async (role) => {
    const [ofAll, found] = await inProject(
      members.get(role)!,
      number,
      async (ctx) => [editorOfAll(ctx), await findEditors(ctx, dus)] as const,
    );
    if (ofAll) expect([...found.values()]).toEqual(dus.map(() => ofAll));
  });
  it("knows the managers of a project, and leaves owners to their DUs", async () => {
    const known = async (role: Role) => (await inProject(members.get(role)!, number, async (ctx) => editorOfAll(ctx))) !== null;
    expect([await known("PM"), await known("PCM"), await known("SITE_OWNER"), await known("SUBCON")]).toEqual([true, true, false, false]);
  });
  it("is not asked under data control, which leaves plans to the owners of a DU", async () => {
    const may = async (role: Role) => (await inProject(members.get(role)!, number, (ctx) => readStanding(ctx, dus))).editors;
    const plans = (editors: Awaited<ReturnType<typeof may>>) => dus.map((id) => editors.get(id)?.plan);
    await makeDuOwner(db.owner, dus[0]!, members.get("SITE_OWNER")!.id);
    expect(plans(await may("PM"))).toEqual([true, true]);
    await setSwitch(db.owner, projectId, "dataControl", "Y");
    expect(plans(await may("PM"))).toEqual([false, true]);
  });
});
