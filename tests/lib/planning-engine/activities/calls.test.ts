import { beforeAll, describe, expect, it } from "vitest";
import { durationDaysMax, offsetDaysMax } from "#lib/planning-engine/activity-relations/limits.ts";
import { useDatabase } from "#tests/support/database.ts";
import { makeDus } from "#tests/support/plan-factories.ts";
import { planCalls, usePlanProject } from "#tests/support/plan-project.ts";

const db = useDatabase();
const project = usePlanProject(db);
const { call } = planCalls(db, project);
let versionId: number;

beforeAll(async () => {
  versionId = ((await call(project.pm, "engine/version/save", { versionName: "V" })).data as { id: number }).id;
});

type Row = { id: number; rowVersion: number; activityName: string } & Record<string, unknown>;
const list = async (version = versionId) =>
  (
    (
      await call(project.pm, "engine/activity/find/list", {
        page: 1,
        size: 50,
        filters: [{ field: "versionId", type: "eq", values: [version] }],
      })
    ).data as { records: Row[] }
  ).records;
const named = async (name: string) => (await list()).find(({ activityName }) => activityName === name)!;
const save = (...rows: Record<string, unknown>[]) => call(project.pm, "engine/activity/save", { versionId, rows });
/** A row as it was read, as it is saved. */
const given = ({ slot: _slot, ...row }: Row, more: Record<string, unknown> = {}) => ({ ...row, ...more });
const problem = async (...rows: Record<string, unknown>[]) => {
  const { path, code } = (await save(...rows)).problems?.[0] ?? {};
  return [path, code];
};

const survey = { workflowName: "NEW", activityName: "Survey", sort: 1, durationDays: 1, needSubcontractor: true, skillType: "SUR" };
const install = {
  workflowName: "NEW",
  activityName: "Install",
  sort: 2,
  durationDays: 3,
  materialRelated: true,
  assembly: true,
  needSubcontractor: true,
  skillType: "INST",
  resourceName: "North",
  predecessors: [{ activityName: "Survey", relation: "FS", offsetDays: -1 }],
};
const cutover = {
  workflowName: "NEW",
  activityName: "Cutover",
  sort: 3,
  durationDays: 1,
  needSubcontractor: true,
  skillType: "INST",
  predecessors: [{ activityName: "Install", relation: "SS", offsetDays: 2 }],
  coTeam: ["Install"],
  coResource: ["Install"],
};

describe("engine/activity", () => {
  it("keeps workflow, duration, relations, links, flags, skill and resource of an activity [ENG-11]", async () => {
    expect((await save(cutover, survey, install)).status).toBe(200);
    const rows = await list();
    expect(rows).toMatchObject([
      { ...survey, predecessors: [], coTeam: [], materialRelated: false, disassembly: false, resourceName: null, slot: null },
      { ...install, coTeam: ["Cutover"], coResource: ["Cutover"] },
      cutover,
    ]);
    expect((await save(...rows.map((row) => given(row)))).code).toBe("NOTHING_MODIFIED");
    expect((await save(given(rows[1]!, { coTeam: [] }))).status).toBe(200);
    expect(await named("Cutover")).toMatchObject({ coTeam: [], coResource: ["Install"], rowVersion: 1 });
    expect((await save(given(rows[1]!, { durationDays: 4 }))).code).toBe("STALE");
    expect((await save({ ...survey, sort: 9 })).code).toBe("ENGINE_ROW_REPEAT");
  });

  it("asks how an activity waits for another, and for no circle [ENG-11]", async () => {
    const row = given(await named("Survey"));
    expect(await problem({ ...row, predecessors: [{ activityName: "Install" }] })).toEqual([
      "rows.0.predecessors.0.relation",
      "RELATION_REQUIRED",
    ]);
    const into = (activityName: string) => ({ ...row, predecessors: [{ activityName, relation: "FS" }] });
    expect(await save(into("Cutover"))).toMatchObject({ code: "LOOP", msg: expect.stringMatching(/Survey → Install → Cutover → Survey/) });
    expect((await save(into("Survey"))).code).toBe("LOOP");
    expect(await problem(into("Nothing"))).toEqual(["rows.0.predecessors.0.activityName", "VALUE_UNKNOWN"]);
    expect(await problem({ ...row, coTeam: ["Survey"] })).toEqual(["rows.0.coTeam", "VALUE_UNKNOWN"]);
    const other = { workflowName: "DISM", activityName: "Dismantle", durationDays: 2, disassembly: true };
    expect(await problem({ ...other, predecessors: [{ activityName: "Survey", relation: "FS" }] })).toEqual([
      "rows.0.predecessors.0.activityName",
      "VALUE_UNKNOWN",
    ]);
    expect(await problem({ ...row, coTeam: ["Install"] })).toEqual([undefined, undefined]);
    expect(await save({ ...row, coTeam: ["Install"] })).toMatchObject({ code: "CO_TEAM_SKILL", msg: expect.stringMatching(/Install/) });
    expect((await save({ ...given(await named("Install")), workflowName: "DISM" })).code).toBe("VALUE_UNKNOWN");
  });

  it("checks its numbers, and asks for the skill of a team [ENG-27]", async () => {
    const row = { workflowName: "X", activityName: "A" };
    expect(await problem({ ...row, durationDays: -1 })).toEqual(["rows.0.durationDays", "NUMBER_NEGATIVE"]);
    expect(await problem({ ...row, durationDays: 0.5 })).toEqual(["rows.0.durationDays", "NUMBER_INTEGER"]);
    expect(await problem({ ...row, durationDays: durationDaysMax + 1 })).toEqual(["rows.0.durationDays", "NUMBER_RANGE"]);
    expect(await problem({ ...row, durationDays: 1, needSubcontractor: true })).toEqual(["rows.0.skillType", "VALUE_MISSING"]);
    const pre = (offsetDays: number) => [{ activityName: "A", relation: "FS", offsetDays }];
    const behind = { ...row, activityName: "B", durationDays: 1 };
    expect((await problem({ ...behind, predecessors: pre(offsetDaysMax + 1) }))[0]).toBe("rows.0.predecessors.0.offsetDays");
    expect((await problem({ ...behind, predecessors: pre(0.5) }))[0]).toBe("rows.0.predecessors.0.offsetDays");
    const saved = await save({ ...row, durationDays: durationDaysMax }, { ...behind, predecessors: pre(-offsetDaysMax) });
    expect(saved.status).toBe(200);
    expect((await call(project.pm, "engine/activity/delete", { ids: (saved.data as { ids: number[] }).ids })).data).toEqual({ deleted: 2 });
  });

  it("goes into a copy of its version with relations and links [ENG-18]", async () => {
    const { id } = (await call(project.pm, "engine/version/copy", { fromVersionId: versionId, versionName: "Copy" })).data as {
      id: number;
    };
    const plain = (rows: Row[]) => rows.map(({ id: _id, rowVersion: _revision, ...row }) => row);
    expect(plain(await list(id))).toEqual(plain(await list()));
  });

  it("takes activities, lead times and relations from the flows of its DUs, and keeps what only the engine knows", async () => {
    const flowName = (await db.owner<{ name: string }[]>`select name from activity_flow where id = ${project.flow.id}`)[0]!.name;
    expect((await call(project.pm, "engine/activity/takeFromFlows", { versionId })).code).toBe("NO_FLOWS");
    const [duId] = await makeDus(db.owner, project.id, [{}], project.flow);
    await call(project.pm, "nc/duConfig/save", { versionId, rows: [{ duId, workflowName: flowName, duType: "both" }] });
    const nodes = await db.owner<{ id: number }[]>`select id from flow_activity where flow_id = ${project.flow.id} order by seq`;
    await db.owner`insert into flow_relation (flow_id, pre_node_id, node_id, type, offset_days) values (${project.flow.id}, ${nodes[0]!.id}, ${nodes[4]!.id}, 'FF', 2)`;
    expect((await call(project.pm, "engine/activity/takeFromFlows", { versionId })).data).toEqual({
      flows: 1,
      added: 5,
      changed: 0,
      removed: 0,
    });
    const own = async () => (await list()).filter(({ workflowName }) => workflowName === flowName);
    const last = (await own())[4]!;
    expect(last).toMatchObject({
      activityName: "Install",
      slot: 5,
      durationDays: 1,
      predecessors: [{ activityName: "Survey", relation: "FF", offsetDays: 2 }],
    });
    expect((await save(given(last, { needSubcontractor: true, skillType: "INST", durationDays: 7 }))).status).toBe(200);
    await db.owner`update flow_activity set lead_time_days = 4 where id = ${nodes[4]!.id}`;
    await db.owner`delete from flow_activity where id = ${nodes[1]!.id}`;
    expect((await call(project.pm, "engine/activity/takeFromFlows", { versionId })).data).toMatchObject({
      added: 0,
      changed: 4,
      removed: 1,
    });
    expect((await own()).at(-1)).toMatchObject({ durationDays: 4, skillType: "INST", predecessors: [{ relation: "FF" }] });
  });
});
