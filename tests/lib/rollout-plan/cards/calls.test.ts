import { describe, expect, it } from "vitest";
import { cardsPerPage } from "#lib/rollout-plan/cards/limits.ts";
import { withState } from "#lib/rollout-plan/plan-rows/logic.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeRegion, makeSubcontractor } from "../../../support/factories.ts";
import { makeDus, makeOwnerSet } from "../../../support/plan-factories.ts";
import { later, planCalls, usePlanProject } from "../../../support/plan-project.ts";

const db = useDatabase();
const project = usePlanProject(db);
const { call, save, install } = planCalls(db, project);

const found = async (text: string, user = project.pm) =>
  (await call(user, "wbs/filter", { search: { field: "code", text } })).data.queryId as string;
const cards = (queryId: string, page = 1, size = cardsPerPage, user = project.pm) =>
  call(user, `rolloutPlan/cards/${page}/${size}`, { queryId });

describe("rolloutPlan/cards", () => {
  it("gives each DU of a query with its site, region, progress, next activity, late ones and the people with open work [RPL-02]", async () => {
    const region = await makeRegion(db.owner, project.id, "North");
    const both = await makeOwnerSet(db.owner, project.id, [project.viewer.id, project.pm.id]);
    await makeDus(
      db.owner,
      project.id,
      [
        {
          code: "CARD-2",
          name: "Second",
          regionId: region,
          plan: {
            1: { plan_end: "2026-10-01", actual_end: "2026-10-02", plan_owner: project.ownSet },
            // Late, but waiting for approval: not delayed.
            2: { plan_end: "2026-10-09", state: withState(1, "approval", 2), plan_owner: project.ownSet },
            3: { plan_end: "2026-10-13", plan_owner: both },
            4: { plan_end: "2026-10-08" },
            5: { plan_end: "2026-11-20", state: withState(1, "na", 1) },
          },
        },
        { code: "CARD-1", plan: { 1: { plan_end: 0 } } },
      ],
      project.flow,
    );
    const { data } = await cards(await found("CARD-"));
    expect(data).toMatchObject({ page: 1, size: 24, total: 2, more: false });
    expect(data.records[0]).toMatchObject({
      code: "CARD-1",
      region: null,
      status: "notPlanned",
      next: null,
      delayed: 0,
      owners: [],
      done: 0,
    });
    expect(data.records[1]).toMatchObject({
      code: "CARD-2",
      name: "Second",
      siteCode: "S-CARD-2",
      siteName: "Site CARD-2",
      region: "North",
      status: "delayed",
      done: 1,
      applicable: 4,
      delayed: 2,
      next: { activityId: project.activities[3]!.id, name: "MOS", planEnd: "2026-10-08", status: "delayed" },
      owners: [
        { id: project.pm.id, name: project.pm.name },
        { id: project.viewer.id, name: project.viewer.name },
      ],
    });
  });

  it("keeps the order of the query over its pages, and reads what is saved meanwhile", async () => {
    const ids = await makeDus(
      db.owner,
      project.id,
      Array.from({ length: 26 }, (_, at) => ({ code: `PAGE-${at + 1}` })),
      project.flow,
    );
    const queryId = await found("PAGE-");
    const first = (await cards(queryId)).data;
    expect(first).toMatchObject({ total: 26, more: true });
    expect(first.records.map((card: { code: string }) => card.code).slice(-2)).toEqual(["PAGE-23", "PAGE-24"]);
    await save(project.pm, [{ duId: ids[25]!, activityId: install(), field: "planEnd", value: "2026-10-20" }]);
    const second = (await cards(queryId, 2)).data;
    expect(second).toMatchObject({ more: false, records: [{ code: "PAGE-25" }, { code: "PAGE-26", next: { planEnd: "2026-10-20" } }] });
    expect((await cards(queryId, 3)).data.records).toEqual([]);
  });

  it("tells no number to those from whom numbers are hidden, and leaves out what they no longer reach", async () => {
    const subcon = await makeMember(db.owner, project.id, "SUBCON");
    const company = await makeSubcontractor(db.owner, project.id, [subcon.id]);
    const own = { subcontractorId: company };
    const [gone] = await makeDus(
      db.owner,
      project.id,
      [{ code: "OWN-1", ...own }, { code: "OWN-2", ...own }, { code: "OWN-3" }],
      project.flow,
    );
    const queryId = await found("OWN-", subcon);
    expect((await cards(queryId, 1, 1, subcon)).data).toMatchObject({ total: null, more: true, records: [{ code: "OWN-1" }] });
    expect(await cards(queryId, 1, 1, project.pm)).toMatchObject({ status: 410, code: "QUERY_EXPIRED" });
    await db.owner`update du set subcontractor_id = null where id = ${gone!}`;
    expect((await cards(queryId, 1, 2, subcon)).data).toMatchObject({ total: null, more: false, records: [{ code: "OWN-2" }] });
  });

  it("gives 24 cards a page at most, and says when the query has expired", async () => {
    const queryId = await found("CARD-");
    expect(await cards(queryId, 1, 25)).toMatchObject({ status: 400, code: "INVALID_INPUT" });
    expect(await cards(queryId, 0)).toMatchObject({ status: 400, code: "INVALID_INPUT" });
    expect(await call(project.pm, "rolloutPlan/cards/1/24", { queryId }, later(11))).toMatchObject({ status: 410, code: "QUERY_EXPIRED" });
  });
});
