import { beforeAll, describe, expect, it } from "vitest";
import { childrenMax } from "#lib/rollout-plan/du-tree/limits.ts";
import { withState } from "#lib/rollout-plan/plan-rows/logic.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeRegion, makeSubcontractor } from "../../../support/factories.ts";
import { makeDus } from "../../../support/plan-factories.ts";
import { planCalls, usePlanProject } from "../../../support/plan-project.ts";

const db = useDatabase();
const project = usePlanProject(db);
const { call } = planCalls(db, project);
let north: number;
let ids: number[];

const tree = async (parent?: string, user = project.pm, after?: string) =>
  (await call(user, "rolloutPlan/tree", { ...(parent ? { parent } : {}), ...(after ? { after } : {}) })).data;
// biome-ignore lint/suspicious/noExplicitAny: nodes of several kinds.
const labels = (page: any) => page.records.map((node: any) => [node.code ?? node.name, node.dus]);
const siteOf = async (duId: number) => (await db.owner`select site_id from du where id = ${duId}`)[0]!.site_id as number;
const parentOf = (duId: number, parent: number) =>
  db.owner`insert into du_relation (project_id, du_id, related_du_id, kind) values (${project.id}, ${duId}, ${parent}, 'parent')`;

beforeAll(async () => {
  const south = await makeRegion(db.owner, project.id, "South");
  north = await makeRegion(db.owner, project.id, "North");
  ids = await makeDus(
    db.owner,
    project.id,
    [
      {
        code: "T-10",
        regionId: north,
        plan: {
          1: { plan_end: "2026-10-12", actual_end: "2026-10-12" },
          2: { plan_end: "2026-10-13" },
          3: { state: withState(1, "na", 1) },
        },
      },
      { code: "T-2", regionId: north },
      { code: "T-3", regionId: south },
      { code: "T-4" },
    ],
    project.flow,
  );
  // T-2 stands at the site of T-10; T-3 of the south is a child of T-10.
  await db.owner`update du set site_id = ${await siteOf(ids[0]!)} where id = ${ids[1]!}`;
  await parentOf(ids[2]!, ids[0]!);
});

describe("rolloutPlan/tree", () => {
  it("goes from regions over customer sites and DUs to child DUs and activities [RPL-05]", async () => {
    const regions = await tree();
    // The only DU of the south stands under its parent; DUs without a region come last, under a node without name.
    expect(labels(regions)).toEqual([
      ["North", 2],
      [null, 1],
    ]);
    const sites = await tree(`r:${north}`);
    expect(labels(sites)).toEqual([["S-T-10", 2]]);
    const dus = await tree(sites.records[0].key);
    expect(labels(dus)).toEqual([
      ["T-2", 0],
      ["T-10", 1],
    ]);
    expect(dus.records[1]).toMatchObject({ kind: "du", id: ids[0], status: "delayed", done: 1, applicable: 4, expandable: true });
    const below = await tree(`d:${ids[0]}`);
    expect(below.records[0]).toMatchObject({ kind: "du", code: "T-3" });
    expect(below.records.slice(1)).toMatchObject([
      { kind: "activity", name: "Survey", status: "completed", planEnd: "2026-10-12", actualEnd: "2026-10-12", expandable: false },
      { name: "Design", status: "delayed", planEnd: "2026-10-13", actualEnd: null },
      { name: "RFI", status: "na" },
      { name: "MOS", status: "notPlanned" },
      { name: "Install" },
    ]);
    expect(below.next).toBeNull();
    expect(labels(await tree(`r:0`))).toEqual([["S-T-4", 1]]);
  });

  it("shows a child at its own site to who does not reach the parent, and no numbers to whom they are hidden", async () => {
    const subcon = await makeMember(db.owner, project.id, "SUBCON");
    const company = await makeSubcontractor(db.owner, project.id, [subcon.id]);
    await db.owner`update du set subcontractor_id = ${company} where id = ${ids[2]!}`;
    const regions = await tree(undefined, subcon);
    expect(labels(regions)).toEqual([["South", null]]);
    const sites = await tree(regions.records[0].key, subcon);
    expect(labels(await tree(sites.records[0].key, subcon))).toEqual([["T-3", null]]);
    expect(await call(subcon, "rolloutPlan/tree", { parent: `d:${ids[0]}` })).toMatchObject({ status: 404, code: "NOT_FOUND" });
    // Where a hidden DU, site or region stands among his own is not told either.
    const [before] = await db.owner<{ id: number }[]>`select id from customer_site where project_id = ${project.id} and code = 'S-T-2'`;
    const hidden = [
      [undefined, `r:${north}`],
      [regions.records[0].key, `s:${north}:${before!.id}`],
      [sites.records[0].key, `d:${ids[1]}`],
    ] as const;
    for (const [parent, after] of hidden) expect((await tree(parent, subcon, after)).records).toEqual([]);
    // The sites of a region he has nothing in are empty to him.
    expect((await tree(`r:${north}`, subcon)).records).toEqual([]);
    await db.owner`update du set subcontractor_id = null where id = ${ids[2]!}`;
  });

  it("gives 500 children at a time and goes on after the last, at every level", async () => {
    const region = await makeRegion(db.owner, project.id, "Wide");
    const made = await makeDus(db.owner, project.id, [{ code: "W-0", regionId: region }], project.flow);
    const site = await siteOf(made[0]!);
    await db.owner`
      insert into customer_site (project_id, code, name) select ${project.id}, 'WS-' || n, 'W' from generate_series(1, 501) n`;
    await db.owner`
      insert into du (project_id, code, name, site_id, region_id)
      select ${project.id}, 'W-' || n, 'W', s.id, ${region} from generate_series(1, 501) n join customer_site s on s.project_id = ${project.id} and s.code = 'WS-' || n`;
    await db.owner`insert into du_plan (du_id, project_id) select id, project_id from du where region_id = ${region} and id <> ${made[0]!}`;
    const first = await tree(`r:${region}`);
    expect(first.records).toHaveLength(childrenMax);
    const rest = await tree(`r:${region}`, project.pm, first.next);
    // 502 sites: S-W-0 first, WS-500 and WS-501 left.
    expect(labels(rest)).toEqual([
      ["WS-500", 1],
      ["WS-501", 1],
    ]);
    expect(rest.next).toBeNull();
    await db.owner`update du set site_id = ${site} where region_id = ${region}`;
    const dus = await tree(`s:${region}:${site}`);
    expect(dus.records).toHaveLength(childrenMax);
    expect(labels(await tree(`s:${region}:${site}`, project.pm, dus.next))).toEqual([
      ["W-500", 0],
      ["W-501", 0],
    ]);
    // Child DUs first, the activities behind them.
    await db.owner`
      insert into du_relation (project_id, du_id, related_du_id, kind)
      select project_id, id, ${made[0]!}, 'parent' from du where region_id = ${region} and id <> ${made[0]!}`;
    const children = await tree(`d:${made[0]}`);
    expect(children.records).toHaveLength(childrenMax);
    const more = await tree(`d:${made[0]}`, project.pm, children.next);
    expect(more.records.map((node: { name: string }) => node.name)).toEqual(["W", "Survey", "Design", "RFI", "MOS", "Install"]);
    const names = async (after: string) =>
      (await tree(`d:${made[0]}`, project.pm, after)).records.map((node: { name: string }) => node.name);
    expect(await names(more.records[1].key)).toEqual(["Design", "RFI", "MOS", "Install"]);
  });

  it("goes on after a region", async () => {
    const all = (await tree()).records;
    expect((await tree(undefined, project.pm, all[0].key)).records).toEqual(all.slice(1));
    expect((await tree(undefined, project.pm, all.at(-1).key)).records).toEqual([]);
  });

  it.each(["x:1", "a:1:1", "r:", "s:1", "d:1;"])("refuses %s as a parent", async (parent) => {
    expect(await call(project.pm, "rolloutPlan/tree", { parent })).toMatchObject({ status: 400, code: "INVALID_INPUT" });
  });
});
