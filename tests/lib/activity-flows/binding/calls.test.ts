import { beforeAll, describe, expect, test } from "vitest";
import { bindDus } from "#lib/activity-flows/binding/commands.ts";
import { listFlowColumns, readFlowGraph } from "#lib/activity-flows/queries.ts";
import type { Ctx, CtxUser } from "#lib/core/ctx.ts";
import { callAs } from "../../../support/call.ts";
import { clock, useDatabase } from "../../../support/database.ts";
import { grantRole, makeMember, makeProject, makeRegion, makeUser } from "../../../support/factories.ts";
import { inProject } from "../../../support/plan-ctx.ts";
import { done, makeDraft, makeDus, makeFlow } from "../make-flow.ts";

const database = useDatabase();
let project: string;
let projectId: number;
let pm: CtxUser;
let flow: Awaited<ReturnType<typeof makeFlow>>;

beforeAll(async () => {
  ({ id: projectId, number: project } = await makeProject(database.owner));
  pm = await makeMember(database.owner, projectId, "PM");
  flow = await makeFlow(pm, project, "Bound flow", "Survey* Design Install", "Survey>Design Design>Install:SS+2");
});

const bind = (user: CtxUser, duIds: number[], flowId = flow.id) => callAs(user, "duFlow/bind", { duIds, flowId }, { project });
const unbind = (user: CtxUser, duIds: number[]) => callAs(user, "duFlow/unbind", { duIds }, { project });
const list = async (user: CtxUser, filters: unknown[], size = 200) =>
  done(callAs(user, `duFlow/list/1/${size}/default/${encodeURIComponent(JSON.stringify(filters))}`, {}, { project }));
const slots = async (flowId: number) => [...(await readFlowGraph(ctx(), [flowId])).get(flowId)!.nodes].map((node) => node.slot!);
/** What the queries of this area need of a context. */
const ctx = () => ({ sql: database.app, project: { id: projectId, number: project } }) as unknown as Ctx;
const plan = async (duId: number) => (await database.owner`select * from du_plan where du_id = ${duId}`)[0]!;

describe("duFlow/bind [FLW-05]", () => {
  test("marks the activities of the flow in the plan row, logs it and says who bound", async () => {
    const [du] = (await makeDus(database.owner, projectId, 1)) as [number];
    expect(await done(bind(pm, [du]))).toEqual({ bound: 1, refused: [] });
    const { state, row_version, applicable_count } = await plan(du);
    const bound = await slots(flow.id);
    expect((state as number[]).flatMap((bits, at) => (bits & 1 ? [at + 1] : []))).toEqual([...bound].sort((a, b) => a - b));
    expect(bound.map((slot) => (state[slot - 1] >> 7) & 7)).toEqual([7, 7, 7]);
    expect([row_version, applicable_count]).toEqual([2, 3]);
    const [row] =
      await database.owner`select flow_id, flow_version, source, bound_by, bound_at, unbound_at from du_flow where du_id = ${du}`;
    expect(row).toEqual({ flow_id: flow.id, flow_version: 1, source: "manual", bound_by: pm.id, bound_at: clock, unbound_at: null });
    const [log] =
      await database.owner`select l.flow_id, cardinality(l.cells) as cells, b.source from plan_log l join plan_batch b on b.id = l.batch_id where l.du_id = ${du}`;
    expect(log).toEqual({ flow_id: flow.id, cells: 3, source: "flow" });
    const [audit] = await database.owner`select detail from audit_log where address = 'duFlow/bind' order by id desc limit 1`;
    expect(audit!.detail.after).toEqual({ bound: 1, source: "manual", duIds: [du] });
  });

  test("binds what it can and lists the rest", async () => {
    const [one, two] = (await makeDus(database.owner, projectId, 2)) as [number, number];
    await done(bind(pm, [one]));
    const result = await done(bind(pm, [one, two, 999_999]));
    expect(result.bound).toBe(1);
    expect(result.refused.map(({ duId, code }: { duId: number; code: string }) => `${duId} ${code}`)).toEqual([
      `${one} ALREADY_BOUND`,
      "999999 DU_NOT_FOUND",
    ]);
  });

  test("nothing that could be bound is a refusal", async () => {
    const [du] = (await makeDus(database.owner, projectId, 1)) as [number];
    await done(bind(pm, [du]));
    expect(await bind(pm, [du])).toMatchObject({ status: 422, code: "ALREADY_BOUND" });
    const batches = await database.owner`select 1 from plan_log where du_id = ${du}`;
    expect(batches).toHaveLength(1);
  });

  test("two at the same moment bind once", async () => {
    const [du] = (await makeDus(database.owner, projectId, 1)) as [number];
    const answers = await Promise.all([bind(pm, [du]), bind(pm, [du]), bind(pm, [du])]);
    expect(answers.map((answer) => answer.code ?? "ok").sort()).toEqual(["ALREADY_BOUND", "ALREADY_BOUND", "ok"]);
  });

  test("only to a released flow of the project", async () => {
    const [du] = (await makeDus(database.owner, projectId, 1)) as [number];
    const draft = await makeDraft(pm, project, "Not yet", "A*");
    expect(await bind(pm, [du], draft.id)).toMatchObject({ status: 422, code: "FLOW_NOT_RELEASED" });
    expect(await bind(pm, [du], 999_999)).toMatchObject({ status: 404 });
    const copy = await done(callAs(pm, "flow/edit", { id: flow.id }, { project }));
    expect(await bind(pm, [du], copy.id)).toMatchObject({ status: 404 });
    await done(callAs(pm, "flow/discard", { id: copy.id }, { project }));
    expect(
      (
        await bind(
          pm,
          Array.from({ length: 201 }, (_, at) => at + 1),
        )
      ).problems,
    ).toMatchObject([{ path: "duIds", code: "TOO_MANY_DU" }]);
  });

  test("a region owner reaches the DUs of the region only", async () => {
    const [mine, theirs] = [await makeRegion(database.owner, projectId), await makeRegion(database.owner, projectId)];
    const owner = await makeUser(database.owner);
    await grantRole(database.owner, projectId, owner.id, "COMMON_VIEW");
    await database.owner`insert into region_owner (region_id, user_id) values (${mine}, ${owner.id})`;
    const [inside] = (await makeDus(database.owner, projectId, 1, { regionId: mine })) as [number];
    const [outside] = (await makeDus(database.owner, projectId, 1, { regionId: theirs })) as [number];
    const result = await done(bind(owner, [inside, outside]));
    expect([result.bound, result.refused.map((refused: { code: string }) => refused.code)]).toEqual([1, ["DU_NOT_FOUND"]]);
    expect(await unbind(owner, [outside])).toMatchObject({ code: "DU_NOT_FOUND" });
  });

  test("an approval waits where the activity needs one", async () => {
    const draft = await makeDraft(pm, project, "With approval", "A*");
    const node = { id: draft.ids.get("A"), name: "A", isAnchor: true, needApproval: true };
    const saved = await done(callAs(pm, "flow/node/save", { flowId: draft.id, rowVersion: draft.rowVersion, node }, { project }));
    await done(callAs(pm, "flow/release", { id: draft.id, rowVersion: saved.rowVersion }, { project }));
    const [du] = (await makeDus(database.owner, projectId, 1)) as [number];
    await done(bind(pm, [du], draft.id));
    const [slot] = await slots(draft.id);
    expect((await plan(du)).state[slot! - 1]).toBe(1);
  });

  test("10,000 DUs are bound in one transaction by an import", async () => {
    const dus = await makeDus(database.owner, projectId, 10_000);
    const result = await inProject(pm, project, (ctx) => bindDus(ctx, { duIds: dus, flowId: flow.id, source: "import" }));
    expect([result.bound.length, result.refused.length]).toEqual([10_000, 0]);
    const [{ count } = {}] = await database.owner`
      select count(*)::int as count from du_flow f join du_plan p using (du_id) where f.du_id = any(${dus}::bigint[]) and f.source = 'import' and p.applicable_count = 3`;
    expect(count).toBe(10_000);
  });
});

describe("duFlow/unbind [FLW-06]", () => {
  const bound = async (size = 1) => {
    const dus = await makeDus(database.owner, projectId, size);
    await done(bind(pm, dus));
    return dus as [number, ...number[]];
  };

  test("empties the plan row, closes the binding as history and lets the DU be bound again [FLW-21]", async () => {
    const [du] = await bound();
    const [slot] = await slots(flow.id);
    const days = database.owner`array_fill(9783::smallint, array[${slot!}::int])`;
    await database.owner`update du_plan set plan_start = ${days}, plan_end = ${days}, baseline_end = ${days}, release_state = 1 where du_id = ${du}`;
    await database.owner`update du set ext = ${database.owner.json({ a1: 1, [`a2@${slot}`]: 2 })} where id = ${du}`;
    expect((await done(callAs(pm, "duFlow/unbindCheck", { duIds: [du] }, { project }))).dus).toMatchObject([
      { duId: du, facts: { flowId: flow.id, planDates: 1, actualDates: 0 }, problems: [] },
    ]);
    expect(await done(unbind(pm, [du]))).toEqual({ unbound: 1, refused: [] });
    const row = await plan(du);
    expect([row.plan_start, row.plan_end, row.baseline_end, row.state, row.release_state, row.applicable_count]).toEqual([
      null,
      null,
      null,
      [],
      0,
      0,
    ]);
    expect((await database.owner`select ext from du where id = ${du}`)[0]!.ext).toEqual({ a1: 1 });
    expect(await database.owner`select unbound_at from du_flow where du_id = ${du}`).toEqual([{ unbound_at: clock }]);
    const [log] = await database.owner`select flow_id, old from plan_log where du_id = ${du} order by batch_id desc limit 1`;
    expect(log!.flow_id).toBe(flow.id);
    expect(log!.old).toContain(9783);
    const [version] = await database.owner`
      select v.kind, v.scope, v.source, v.name = v.code as "isNamedByCode", r.flow_id, r.plan_end[${slot!}] as "planEnd"
      from plan_version v join plan_version_row r on r.version_id = v.id where r.du_id = ${du}`;
    expect(version).toEqual({
      kind: "historical",
      scope: "selection",
      source: "flow_change",
      isNamedByCode: true,
      flow_id: flow.id,
      planEnd: 9783,
    });
    await done(bind(pm, [du]));
  });

  test.each([
    ["an actual date", "actual_end = array_fill(9783::smallint, array[%])", "HAS_FACTS"],
    ["an approval", "state[%] = (state[%] & ~(7 << 7)) | (2 << 7)", "HAS_FACTS"],
    ["an assigned work order", "state[%] = state[%] | (2 << 10)", "HAS_FACTS"],
    ["a frozen activity", "state[%] = state[%] | (1 << 4)", "HAS_FACTS"],
    ["triggered revenue", "state[%] = state[%] | (1 << 15)", "REVENUE_TRIGGERED"],
    ["a frozen MOS", "state[%] = state[%] | (1 << 17)", "MOS_FROZEN"],
  ])("is refused for a DU with %s; others of the call are unbound", async (_title, set, code) => {
    const [kept, free] = (await bound(2)) as [number, number];
    const [slot] = await slots(flow.id);
    await database.owner.unsafe(`update du_plan set ${set.replaceAll("%", String(slot))} where du_id = ${kept}`);
    const before = await plan(kept);
    const { dus } = await done(callAs(pm, "duFlow/unbindCheck", { duIds: [kept, free] }, { project }));
    expect(dus.map((du: { problems: { code: string }[] }) => du.problems.map((problem) => problem.code))).toEqual([[code], []]);
    const result = await done(unbind(pm, [kept, free]));
    expect([result.unbound, result.refused.map((refused: { duId: number; code: string }) => `${refused.duId} ${refused.code}`)]).toEqual([
      1,
      [`${kept} ${code}`],
    ]);
    expect(await plan(kept)).toEqual(before);
    expect(await unbind(pm, [kept])).toMatchObject({ status: 422, code });
  });

  test("is refused for a DU with a temporary order of its flow; one of a process for any flow does not hold it", async () => {
    const [kept, free] = (await bound(2)) as [number, number];
    await database.owner`
      with p as (
        insert into temp_process (project_id, name, flow_id, steps, status)
        values (${projectId}, 'Of the flow', ${flow.id}, '[]', 'released'), (${projectId}, 'Of any flow', null, '[]', 'released') returning id, flow_id
      )
      insert into work_order (project_id, number, du_id, name, status, temp, temp_process_id)
      select ${projectId}, 800 + row_number() over (order by p.id), case when p.flow_id is null then ${free}::bigint else ${kept} end, 'Fence', 'started', true, p.id from p`;
    const result = await done(unbind(pm, [kept, free]));
    expect(result).toMatchObject({ unbound: 1, refused: [{ duId: kept, code: "HAS_FACTS" }] });
    expect(await database.owner`select du_id from work_order where temp and du_id in (${kept}, ${free}) order by du_id`).toHaveLength(2);
  });

  test("a DU without flow and one of another project are refused", async () => {
    const [du] = (await makeDus(database.owner, projectId, 1)) as [number];
    expect(await unbind(pm, [du])).toMatchObject({ status: 422, code: "NOT_BOUND" });
    const other = await makeProject(database.owner);
    const [theirs] = (await makeDus(database.owner, other.id, 1)) as [number];
    expect(await unbind(pm, [theirs])).toMatchObject({ status: 422, code: "DU_NOT_FOUND" });
  });
});

describe("duFlow/list", () => {
  test("separates DUs with and without a flow, and finds many codes at once", async () => {
    const [first, second] = (await makeDus(database.owner, projectId, 2)) as [number, number];
    await done(bind(pm, [first]));
    const codes = (await database.owner<{ code: string }[]>`select code from du where id in (${first}, ${second}) order by id`).map(
      (row) => row.code,
    );
    const among = { field: "search", type: "in", values: [...codes, "NONE"] };
    const open = await list(pm, [among, { field: "bound", type: "eq", values: [false] }]);
    expect(open.records.map((row: { id: number }) => row.id)).toEqual([second]);
    const taken = await list(pm, [among, { field: "bound", type: "eq", values: [true] }]);
    expect(taken).toMatchObject({
      total: 1,
      records: [{ id: first, flowName: "Bound flow", flowVersion: 1, source: "manual", boundByName: pm.name }],
    });
    const ofFlow = await list(pm, [among, { field: "flowId", type: "eq", values: [flow.id] }]);
    expect(ofFlow.records.map((row: { id: number }) => row.id)).toEqual([first]);
  });
});

describe("what other areas read", () => {
  test("a flow's graph by node, slot and relation", async () => {
    const graph = (await readFlowGraph(ctx(), [flow.id, 999_999, flow.id])).get(flow.id)!;
    expect(graph).toMatchObject({ flowId: flow.id, name: "Bound flow", version: 1, status: "released" });
    expect(graph.nodes.map((node) => [node.name, node.isAnchor, node.leadTimeDays, node.kind])).toEqual([
      ["Survey", true, 1, "normal"],
      ["Design", false, 1, "normal"],
      ["Install", false, 1, "normal"],
    ]);
    const names = new Map(graph.nodes.map((node) => [node.nodeId, node.name]));
    expect(graph.relations.map((one) => `${names.get(one.pre)}>${names.get(one.node)} ${one.type}${one.offset}`)).toEqual([
      "Survey>Design FS0",
      "Design>Install SS2",
    ]);
    expect((await readFlowGraph({ ...ctx(), project: { ...ctx().project, id: projectId + 999 } }, [flow.id])).size).toBe(0);
  });

  test("columns of the grid: activities of every released flow once, drafts and working copies left out", async () => {
    await makeDraft(pm, project, "Column draft", "Nowhere*");
    const shared = await makeFlow(pm, project, "Also with design", "Design Handover*", "Design>Handover");
    const columns = await listFlowColumns(ctx(), [flow.id, shared.id]);
    expect(columns.flows.map((one) => [one.name, one.activityIds.length])).toEqual([
      ["Also with design", 2],
      ["Bound flow", 3],
    ]);
    expect(columns.activities.map((activity) => activity.name)).toEqual(["Design", "Handover", "Survey", "Install"]);
    expect((await listFlowColumns(ctx())).flows.map((one) => one.name)).not.toContain("Column draft");
  });
});
