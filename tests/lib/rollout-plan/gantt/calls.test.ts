import { describe, expect, it } from "vitest";
import { isoDay } from "#lib/core/clock.ts";
import { ganttDusMax } from "#lib/rollout-plan/gantt/limits.ts";
import { decodeTileRow } from "#lib/rollout-plan/plan-rows/logic.ts";
import { codeTexts } from "#lib/rollout-plan/tiles/logic.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeRegion, makeSubcontractor } from "../../../support/factories.ts";
import { makeDus } from "../../../support/plan-factories.ts";
import { planCalls, usePlanProject } from "../../../support/plan-project.ts";

const db = useDatabase();
const project = usePlanProject(db);
const { call, survey, install } = planCalls(db, project);
const ask = (duIds: unknown, user = project.pm) => call(user, "rolloutPlan/gantt", { duIds });

describe("rolloutPlan/gantt", () => {
  it("gives rows in the order asked with released dates, nodes, relations and lead times of their flows, and the calendars they follow", async () => {
    const [north, south] = [await makeRegion(db.owner, project.id), await makeRegion(db.owner, project.id)];
    await db.owner`
      insert into work_calendar (project_id, region_id, name, weekdays)
      values (${project.id}, ${north}, 'North', 126), (${project.id}, ${south}, 'South', 124), (${project.id}, null, 'All', 62)`;
    await db.owner`update flow_activity set lead_time_days = 0 where flow_id = ${project.flow.id} and activity_id = ${install()}`;
    await db.owner`
      insert into flow_relation (flow_id, pre_node_id, node_id, type, offset_days)
      select ${project.flow.id}, x.id, y.id, 'FS', 2 from flow_activity x, flow_activity y
      where x.flow_id = ${project.flow.id} and y.flow_id = ${project.flow.id} and x.activity_id = ${survey()} and y.activity_id = ${install()}`;
    const ids = await makeDus(
      db.owner,
      project.id,
      [
        { code: "GANTT-1", plan: { 1: { plan_start: "2026-10-14", plan_end: "2026-10-16", baseline_end: "2026-10-15" } } },
        { code: "GANTT-2", regionId: north },
      ],
      project.flow,
    );
    await db.owner`update du_plan set released_end = ${"{9785}"}::smallint[] where du_id = ${ids[0]!}`;
    const { data } = await ask([ids[1]!, ids[0]!, ids[1]!]);
    expect(data).toMatchObject({ duIds: [ids[1], ids[0]], regions: [north, null] });
    expect(data.fields).toContainEqual(codeTexts("code", ["GANTT-2", "GANTT-1"]));
    const row = decodeTileRow(data.rows[1]);
    expect([...row.dates.slice(0, 6)].map(isoDay)).toEqual(["2026-10-14", "2026-10-16", null, null, null, "2026-10-15"]);
    expect([...row.released!.slice(0, 2)].map(isoDay)).toEqual([null, "2026-10-16"]);
    expect(data.flows).toEqual([
      {
        flowId: project.flow.id,
        version: 1,
        nodes: project.activities.map(({ id }) => [id, id === install() ? 0 : 1, id === install()]),
        relations: [[survey(), install(), "FS", 2]],
      },
    ]);
    expect(data.calendars.map(({ regionId }: { regionId: number | null }) => regionId)).toEqual([north, null]);
  });

  it("takes 200 DUs and refuses the 201st, or none", async () => {
    const list = (count: number) => Array.from({ length: count }, (_, at) => at + 900_000);
    expect(await ask(list(ganttDusMax))).toMatchObject({ status: 200, data: { duIds: [], flows: [] } });
    expect(await ask(list(ganttDusMax + 1))).toMatchObject({ problems: [{ path: "duIds", code: "TOO_MANY_DU", msg: "At most 200 DUs" }] });
    expect(await ask([])).toMatchObject({ problems: [{ path: "duIds", code: "NO_SELECTION" }] });
  });

  it("leaves out DUs the caller does not reach", async () => {
    const subcon = await makeMember(db.owner, project.id, "SUBCON");
    const company = await makeSubcontractor(db.owner, project.id, [subcon.id]);
    const ids = await makeDus(db.owner, project.id, [{ subcontractorId: company }, {}], project.flow);
    expect((await ask(ids, subcon)).data.duIds).toEqual([ids[0]]);
  });
});
